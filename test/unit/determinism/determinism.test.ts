import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadPlugin, runTwice, type TwiceRun } from '../../../src/assembly/index.js';
import { describeFinding } from '../../../src/determinism/finding.js';
import { scanPlugin } from '../../../src/determinism/scan-plugin.js';
import { createInstrumentId } from '../../../src/domain/index.js';
import { HONEST } from '../../support/determinism/honest.js';
import { CHEATERS, type PluginFiles } from '../../support/determinism/cheaters.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { januaryCandles } from '../../support/cli/bot-folder.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const STRATEGIES = fileURLToPath(new URL('../../../strategies/', import.meta.url));

async function write(files: PluginFiles): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return path.join(folder, Object.keys(files)[0] ?? '');
}

const BTC = createInstrumentId('spot', 'BTCUSDT');
const archive = createMemoryArchive([
  { instrumentId: BTC, interval: '1h', columns: januaryCandles() },
]);

/** Runs a strategy twice on a month of hours. */
async function twice(plugin: string): Promise<TwiceRun> {
  const config = aBacktestConfig({ instrumentId: BTC, interval: '1h' });
  const { strategyClass, sourceHash } = await loadPlugin(
    { path: plugin, export: undefined, parameters: {} },
    { locate: (key) => ({ file: 'bot.yaml', key }) },
  );
  return runTwice({ config, archive, strategyClass, sourceHash });
}

/** `file:line CODE` of each line with a mark. */
function marked(files: PluginFiles): readonly string[] {
  return Object.entries(files)
    .flatMap(([file, text]) =>
      text.split('\n').flatMap((line, index) => {
        const code = /\/\/ !(\w+)$/.exec(line)?.[1];
        return code === undefined ? [] : [`${file}:${String(index + 1)} ${code}`];
      }),
    )
    .sort();
}

describe('scanPlugin', () => {
  it.each(Object.entries(CHEATERS))('finds %s, with file and line', async (_, files) => {
    const { findings } = await scanPlugin(await write(files));

    const found = findings.map(({ file, line, code }) => `${file}:${String(line)} ${code}`).sort();
    expect(found).toEqual(marked(files));
  });

  it.each(Object.entries(HONEST))('finds and notices nothing in %s', async (_, files) => {
    const plugin = await write(files);

    const { findings, notes } = await scanPlugin(plugin);
    const { candles, difference, noticed } = await twice(plugin);

    expect([...findings, ...notes].map(describeFinding)).toEqual([]);
    expect({ difference, noticed }).toEqual({ difference: undefined, noticed: [] });
    expect(candles).toBeGreaterThan(700);
  });

  it('finds nothing in the examples', async () => {
    const examples = (await readdir(STRATEGIES)).map((name) =>
      path.join(STRATEGIES, name, `${name}.strategy.ts`),
    );

    const scans = await Promise.all(examples.map((file) => scanPlugin(file)));

    expect(examples.length).toBeGreaterThanOrEqual(8);
    expect(scans.flatMap(({ findings, notes }) => [...findings, ...notes])).toEqual([]);
  });

  it('caches findings by the hash of the sources until a package changes', async () => {
    const plugin = await write({
      'plugin.ts': "import { late } from 'charm';\nexport const now = Date.now() + late();\n",
      'node_modules/charm/package.json': '{ "name": "charm", "main": "index.js" }',
      'node_modules/charm/index.js': 'exports.late = () => new Date();',
    });
    const folder = path.dirname(plugin);
    const cacheFolder = path.join(folder, 'cache');
    const first = await scanPlugin(plugin, { cacheFolder });
    const [name = ''] = await readdir(path.join(cacheFolder, 'findings'));
    const file = path.join(cacheFolder, 'findings', name);
    const kept = await readFile(file, 'utf8');
    await writeFile(file, kept.replace('"what":"Date.now"', '"what":"as it was kept"'));

    const again = await scanPlugin(plugin, { cacheFolder });
    await writeFile(path.join(folder, 'node_modules/charm/index.js'), 'exports.late = () => 1;');
    const after = await scanPlugin(plugin, { cacheFolder });

    expect(first.findings.map(({ what }) => what)).toEqual(['Date.now']);
    expect(first.notes.map(describeFinding)).toEqual([
      expect.stringMatching(/^charm\/index\.js:1:22: reads the clock \(new Date\(\)\)/),
    ]);
    expect(again.findings.map(({ what }) => what)).toEqual(['as it was kept']);
    expect(after).toEqual({ findings: first.findings, notes: [] });
  });
});
