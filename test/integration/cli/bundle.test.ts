import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { packBundle, unpackBundle } from '../../../src/cli/bundle/bundle-file.js';
import { createRandom } from '../../../src/engine/random.js';
import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BUNDLE = 'run.bundle';
const PACK = ['bundle', 'result.json', '--config', 'bot.yaml', '--out', BUNDLE];
const SET = ['--to', '2025-01-20', '--set', 'strategy.parameters.fast=5'];

/** The folder of a run of some days with another parameter, and its bundle. */
async function pack(): Promise<{ readonly folder: string; readonly bundle: Buffer }> {
  const folder = await botFolder();
  await writeFile(path.join(folder, 'share.ts'), `export const SHARE = '0.95';\n`);
  await writeFile(
    path.join(folder, 'sma.strategy.ts'),
    `import { SHARE } from './share.js';\n${SMA_SOURCE.replace(`'0.95'`, 'SHARE')}`,
  );
  await runCommand(folder, ['backtest', 'bot.yaml', ...SET, '--json', 'result.json']);
  const packed = await runCommand(folder, [...PACK, ...SET]);
  expect(packed).toMatchObject({ exitCode: 0, stderr: '' });
  return { folder, bundle: await readFile(path.join(folder, BUNDLE)) };
}

async function elsewhere(bytes: Uint8Array): Promise<string> {
  const other = await temporaryFolder();
  await writeFile(path.join(other, BUNDLE), bytes);
  return other;
}

/** A bundle with nothing but a result that is not read, and this manifest. */
const withManifest = (manifest: string): Buffer =>
  packBundle(
    Object.entries({ 'result.json': '{}', 'manifest.json': manifest }).map(([name, text]) => ({
      name,
      bytes: Buffer.from(text),
    })),
  );

/** A bundle with a valid hash and these lines, even lines that no bundle has. */
function craft(lines: readonly unknown[]): Buffer {
  const body = gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const hash = createHash('sha256').update(body).digest('hex');
  return Buffer.concat([Buffer.from(`evenkeel bundle 1 ${hash}\n`), body]);
}

describe('bundle and verify', () => {
  it('give the same bytes in another folder without other files', async () => {
    const other = await elsewhere((await pack()).bundle);

    const run = await runCommand(other, ['verify', BUNDLE]);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(
      /^run\.bundle: equal, \d+ characters of run [0-9a-f]{64}, made by engine /,
    );
    expect(await readdir(other)).toEqual([BUNDLE]);
  });

  it('contain result, config, plugin with its imports, and candles', async () => {
    const files = unpackBundle((await pack()).bundle, BUNDLE);

    expect(files.map(({ name }) => name)).toEqual([
      'manifest.json',
      'result.json',
      'config.yaml',
      'plugin/sma.strategy.ts',
      'plugin/share.ts',
      expect.stringMatching(/^data\/spot\/BTCUSDT\/1h\..*/),
      expect.stringMatching(/^data\/spot\/BTCUSDT\/1h\..*/),
    ]);
  });

  it('reject a bundle with any flipped bit', async () => {
    const { bundle } = await pack();
    const random = createRandom(4);

    for (let round = 0; round < 300; round += 1) {
      const changed = Buffer.from(bundle);
      const at = round < 100 ? round : Math.floor(random() * changed.byteLength);
      changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      expect(() => unpackBundle(changed, BUNDLE), `byte ${String(at)}`).toThrow(/^run\.bundle/);
    }
    expect(() => unpackBundle(bundle.subarray(0, -1), BUNDLE)).toThrow('run.bundle is damaged');
  });

  it('name the first difference if the run does not give the packed result', async () => {
    const files = unpackBundle((await pack()).bundle, BUNDLE).map((file) =>
      file.name === 'result.json'
        ? { ...file, bytes: Buffer.from(String(file.bytes).replace('"intents": ', '"intents": 1')) }
        : file,
    );
    const other = await elsewhere(packBundle(files));

    const run = await runCommand(other, ['verify', BUNDLE]);

    expect(run.exitCode).toBe(3);
    expect(run.stdout).toMatch(/differs, made by [^\n]+\n {2}line \d+: expected "intents": 1/);
  });

  it('do not pack the result of another run', async () => {
    const run = await runCommand((await pack()).folder, PACK);

    expect(run.exitCode).toBe(3);
    expect(run.stderr).toMatch(
      /^bot\.yaml gives another result than result\.json: line 4: expected "id": .*; pass the --from, --to and --set of its run\n$/,
    );
  });

  it('name the instruments if the result is of another bot', async () => {
    const { folder } = await pack();
    const bot = await readFile(path.join(folder, 'bot.yaml'), 'utf8');
    await writeFile(path.join(folder, 'bot.yaml'), bot.replaceAll('BTCUSDT', 'ETHUSDT'));

    const run = await runCommand(folder, PACK);

    expect(run).toMatchObject({
      exitCode: 3,
      stderr:
        'bot.yaml gives another result than result.json: expected the instruments spot:BTCUSDT, received spot:ETHUSDT; pass the --from, --to and --set of its run\n',
    });
  });

  it.each([
    ['no bundle', Buffer.from('evenkeel\n'), 'expected a bundle, whose first line is'],
    ['another version', Buffer.from(`evenkeel bundle 2 ${'0'.repeat(64)}\n`), 'received 2'],
    ['names outside of it', craft([{ name: '../x', data: '' }]), 'received "../x"'],
    ['an absolute name', craft([{ name: '/x', data: '' }]), 'received "/x"'],
    ['a name with a zero', craft([{ name: 'x\0', data: '' }]), 'received "x\\u0000"'],
    ['an empty name', craft([{ name: '', data: '' }]), 'received ""'],
    [
      'no file in a line',
      craft(['x', 1]),
      'run.bundle: expected lines of {"name": text, "data": text}, received "x"',
    ],
    ['a number as name', craft([{ name: 5, data: '' }]), 'received {"name":5,"data":""}'],
    ['no data in a line', craft([{ name: 'x' }]), 'received {"name":"x"}'],
    ['an empty manifest', withManifest(''), 'run.bundle: manifest.json: expected JSON'],
    ['null as manifest', withManifest('null'), 'manifest.json: engine: expected text'],
    ['no engine', withManifest('{}'), 'engine: expected text, received nothing'],
    [
      'a number as Node',
      withManifest('{"engine": "1", "node": 20}'),
      'run.bundle: manifest.json: node: expected text, received 20',
    ],
    ['no result', craft([{ name: 'x', data: '' }]), 'expected result.json in the bundle'],
  ])('refuse %s', async (_, bytes, text) => {
    const run = await runCommand(await elsewhere(bytes), ['verify', BUNDLE]);

    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(text);
    expect(run.stderr).toContain('(E_BUNDLE_FORMAT)');
  });

  it('name a missing file', async () => {
    const packed = await runCommand(await botFolder(), PACK);
    expect(packed).toMatchObject({ exitCode: 1 });
    expect(packed.stderr).toMatch(
      /^cannot read result\.json: no such file or folder \(E_RESULT_READ\)/,
    );

    const run = await runCommand(await temporaryFolder(), ['verify', 'none.bundle']);

    expect(run.stderr).toMatch(
      /^none\.bundle: expected a readable bundle, received none: no such file or folder/,
    );
  });
});
