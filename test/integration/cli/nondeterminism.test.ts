import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { botFolder } from '../../support/cli/bot-folder.js';
import { botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';

/** A plugin whose `onCandle` begins in line 4. */
function plugin(statement: string, before = ''): string {
  return `import { CandleStrategy, int } from 'evenkeel';
${before}
export class Sma extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) { onCandle() {
    ${statement}
  }}
`;
}

const FLIP = (condition: string): string =>
  `if (${condition}) this.enterLong({ equity: '0.5' }); else this.exit();`;

/** A plugin in JavaScript, because types would be checked first. */
async function folderOf(source: string): Promise<string> {
  const yaml = botYaml('path: sma.strategy.ts', 'path: sma.strategy.js');
  const folder = await botFolder({ yaml, plugin: undefined });
  await writeFile(path.join(folder, 'sma.strategy.js'), source);
  return folder;
}

async function backtest(source: string): Promise<readonly string[]> {
  const folder = await folderOf(source);
  const { exitCode, stderr } = await runCommand(folder, [
    'backtest',
    'bot.yaml',
    '--json',
    'r.json',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const result = JSON.parse(await readFile(path.join(folder, 'r.json'), 'utf8')) as {
    readonly warnings: readonly string[];
  };
  return result.warnings;
}

const linesOf = ({ stdout }: CommandRun, kind: string): readonly string[] =>
  stdout.split('\n').flatMap((line) => (line.startsWith(`${kind} `) ? [line.slice(12)] : []));

describe('a backtest of a nondeterministic strategy', () => {
  it('warns of the clock in the source text, and of each use with place and count', async () => {
    const warnings = await backtest(plugin(FLIP('now() < 0'), 'const now = Date.now;'));

    expect(warnings).toEqual([
      'sma.strategy.js:2:13: reads the clock (Date.now): use this.now, or the time of the candle (E_PLUGIN_CLOCK)',
      'sma.strategy.js:4:9: reads the clock (Date.now): use this.now, or the time of the candle (E_PLUGIN_CLOCK)',
      'the strategy read the clock (Date.now at sma.strategy.js:4, 744 times from 2025-01-01T01:00:00Z to 2025-02-01T00:00:00Z): another run may give other orders (E_PLUGIN_CLOCK)',
    ]);
  });

  it('detects uses that the source text does not show', async () => {
    const warnings = await backtest(
      plugin(
        `const [random] = [...'random'].length > 0 ? ['random'] : [];
    Math[random]();
    const clock = [].constructor.constructor('return new Date()');
    clock();
    this.log.info('what is done for it is not its doing');
    later();`,
        "const later = [].constructor.constructor('return (async () => 1)()');",
      ),
    );

    expect(warnings.map((warning) => warning.replace(/, 744 times.*$/, ''))).toEqual([
      'the strategy drew random values (Math.random at sma.strategy.js:5',
      'the strategy read the clock (new Date() at sma.strategy.js:7',
      "the strategy made promises, which do not follow the engine's clock (a promise at sma.strategy.js:9",
    ]);
  });
});

describe('check of a nondeterministic strategy', () => {
  it('ends with 3 and names the line of a helper that reads the clock, relative to the current folder', async () => {
    const folder = await folderOf(
      plugin(FLIP('isLate()'), "import { isLate } from './tools/late.js';"),
    );
    await mkdir(path.join(folder, 'tools'));
    await writeFile(
      path.join(folder, 'tools/late.ts'),
      'export const isLate = () =>\n  new Date().getTime() < 0;\n',
    );

    const run = await runCommand(path.dirname(folder), [
      'check',
      `${path.basename(folder)}/bot.yaml`,
    ]);

    expect(run.exitCode).toBe(3);
    expect(run.stdout).not.toContain('nothing found');
    expect(linesOf(run, 'finding')).toEqual([
      `${path.basename(folder)}/tools/late.ts:2:3: reads the clock (new Date()): use this.now, or the time of the candle (E_PLUGIN_CLOCK)`,
      expect.stringMatching(
        /^the strategy read the clock \(new Date\(\) at tools\/late\.ts:2, \d+ times/,
      ),
    ]);
  });

  it('runs a period twice, and reports state of the module that changes the second run', async () => {
    const folder = await folderOf(
      plugin(`calls.n += 1; ${FLIP('calls.n % 10 < 5')}`, 'const calls = { n: 3 };'),
    );

    const run = await runCommand(folder, ['check', 'bot.yaml']);

    expect(run.exitCode).toBe(3);
    expect(linesOf(run, 'run twice')).toEqual([
      expect.stringMatching(/^744 candles from .*: not the same$/),
    ]);
    expect(linesOf(run, 'finding')).toEqual([
      'sma.strategy.js:2:7: keeps state in its module, which passes from one run to the next (calls, written in line 4): keep it in a field of the strategy (E_PLUGIN_STATE)',
      expect.stringMatching(
        /^sma\.strategy\.js: two runs on the same candles differ at 2025-01-01T\d\d:00:00Z: an order to buy spot:BTCUSDT in one run, .* in the next.* \(E_PLUGIN_DIFFERS\)$/,
      ),
    ]);
  });

  it('notes what a package could do, and reports a use at run time', async () => {
    const folder = await folderOf(
      plugin(FLIP('harmless() && lucky() > 2'), "import { harmless, lucky } from 'charm';"),
    );
    const charm = path.join(folder, 'node_modules/charm');
    await mkdir(charm, { recursive: true });
    await writeFile(
      path.join(charm, 'package.json'),
      '{ "name": "charm", "version": "1.0.0", "main": "index.js" }',
    );
    await writeFile(
      path.join(charm, 'index.js'),
      'exports.harmless = () => true;\nexports.lucky = () => Math.random();\nexports.late = () => Date.now();\n',
    );

    const run = await runCommand(folder, ['check', 'bot.yaml']);

    expect(run.exitCode).toBe(3);
    expect(linesOf(run, 'note')).toEqual([
      'charm/index.js:2:23: draws random values (Math.random): use this.random(), which is drawn from the seed (E_PLUGIN_RANDOM)',
      'charm/index.js:3:22: reads the clock (Date.now): use this.now, or the time of the candle (E_PLUGIN_CLOCK)',
    ]);
    expect(linesOf(run, 'finding')).toEqual([
      expect.stringMatching(
        /^the strategy drew random values \(Math\.random at sma\.strategy\.js:4, \d+ times/,
      ),
    ]);
  });

  it('reports the error that ends a run', async () => {
    const folder = await folderOf(plugin("throw new Error('no idea');"));

    const run = await runCommand(folder, ['check', 'bot.yaml']);

    expect(run.exitCode).toBe(3);
    expect(linesOf(run, 'run twice')).toEqual(['not done: the run failed']);
    expect(linesOf(run, 'finding')).toEqual([
      expect.stringMatching(/no idea.*\(E_STRATEGY_FAILED\)$/),
    ]);
  });
});
