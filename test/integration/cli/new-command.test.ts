import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownCommand, ownInstall } from '../../../src/cli/own-command.js';
import { parseResult } from '../../../src/report/index.js';
import { botFolder } from '../../support/cli/bot-folder.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('new strategy', () => {
  it('creates a bot that passes check and runs at once in an empty folder', async () => {
    const folder = await temporaryFolder();

    const made = await runCommand(folder, ['new', 'strategy', 'my-idea']);
    const check = await runCommand(folder, ['check', 'config/my-idea.backtest.yaml']);
    const backtest = await runCommand(folder, [
      'backtest',
      'config/my-idea.backtest.yaml',
      '--json',
      '-',
    ]);

    expect(made).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        'wrote strategies/my-idea/my-idea.strategy.ts',
        'wrote strategies/my-idea/my-idea.test.mjs',
        'wrote strategies/my-idea/README.md',
        'wrote config/my-idea.backtest.yaml',
        'wrote package.json',
        'wrote tsconfig.json',
        // 120 days of 24 hours.
        'made 2880 candles of spot:BTCUSDT 1h in sample-data',
        'next:',
        `  ${String(ownInstall(folder))}`,
        `  ${ownCommand(folder)} check config/my-idea.backtest.yaml`,
        `  ${ownCommand(folder)} backtest config/my-idea.backtest.yaml`,
        '  node --test strategies/my-idea/',
        '',
      ].join('\n'),
    });
    expect(check).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('nothing found') });
    const result = parseResult(backtest.stdout, 'stdout');
    expect(result.run.strategy).toBe('MyIdea');
    expect(result.fills.length).toBeGreaterThan(0);
    expect(result.accounting.residual).toBe('0');
  });

  it('leaves the files of a project, and reports what its package.json lacks', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'package.json'), '{ "type": "commonjs" }');
    await writeFile(path.join(folder, 'tsconfig.json'), '{}');

    const made = await runCommand(folder, ['new', 'strategy', 'demo']);

    expect(made.stdout).toContain(
      'package.json has no "type": "module": add it, or the compiler reads strategies as CommonJS\n',
    );
    expect(made.stdout).not.toContain('wrote package.json');
    expect(await readFile(path.join(folder, 'package.json'), 'utf8')).toBe(
      '{ "type": "commonjs" }',
    );
    expect(await readFile(path.join(folder, 'tsconfig.json'), 'utf8')).toBe('{}');
  });

  it('writes the schema that the file of the bot names', async () => {
    const folder = await temporaryFolder();

    await runCommand(folder, ['new', 'strategy', 'demo']);
    const schema = await runCommand(folder, ['schema']);

    expect(await readFile(path.join(folder, 'config/bot.schema.json'), 'utf8')).toBe(schema.stdout);
    expect(await readFile(path.join(folder, 'config/demo.backtest.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\/bot\.schema\.json\n/,
    );
  });

  it('uses existing candles, with the precision of their prices', async () => {
    const folder = await botFolder();

    const made = await runCommand(folder, ['new', 'strategy', 'demo']);
    const backtest = await runCommand(folder, ['backtest', 'config/demo.backtest.yaml']);

    expect(made.stdout).toContain('found 744 candles of spot:BTCUSDT 1h in data\n');
    expect(await readFile(path.join(folder, 'config/demo.backtest.yaml'), 'utf8')).toContain(
      'pricePrecision: 2\n',
    );
    expect(backtest.exitCode).toBe(0);
  });

  it('keeps its random candles apart from candles that are imported later', async () => {
    const folder = await temporaryFolder();
    const first = await runCommand(folder, ['new', 'strategy', 'first']);
    const again = await runCommand(folder, ['new', 'strategy', 'again']);
    // The two days before the random candles begin.
    const start = Date.UTC(2024, 11, 30);
    const rows = Array.from(
      { length: 48 },
      (_, hour) => `${String(start + hour * 3_600_000)},94000.5,94001,94000,94000.5,1`,
    );
    const header = 'open_time,open,high,low,close,volume';
    await writeFile(path.join(folder, 'candles.csv'), [header, ...rows].join('\n'));
    const words = 'data import candles.csv --product spot --symbol BTCUSDT --interval 1h';

    const imported = await runCommand(folder, [...words.split(' '), '--archive', 'data']);
    const later = await runCommand(folder, ['new', 'strategy', 'later']);

    expect(first.stdout).toContain('made 2880 candles of spot:BTCUSDT 1h in sample-data\n');
    expect(again.stdout).toContain('found 2880 candles of spot:BTCUSDT 1h in sample-data\n');
    expect(await readFile(path.join(folder, 'config/again.backtest.yaml'), 'utf8')).toContain(
      'archive: "../sample-data" # random candles',
    );
    expect(imported.stdout).toContain('1h: 48 rows from');
    expect(later.stdout).toContain('found 48 candles of spot:BTCUSDT 1h in data\n');
  });

  it('uses the archive of --archive', async () => {
    const [folder, other] = [await temporaryFolder(), await botFolder()];

    const made = await runCommand(folder, [
      'new',
      'strategy',
      'demo',
      '--archive',
      `${other}/data`,
    ]);
    const backtest = await runCommand(folder, ['backtest', 'config/demo.backtest.yaml']);

    expect(made.exitCode).toBe(0);
    expect(existsSync(path.join(folder, 'data'))).toBe(false);
    expect(backtest.exitCode).toBe(0);
  });

  it('takes the decimals of prices below a millionth', async () => {
    const folder = await temporaryFolder();
    const rows = ['1735689600000,0.00000041,0.00000043,0.0000004,0.00000042,1000'];
    await writeFile(
      path.join(folder, 'candles.csv'),
      `open_time,open,high,low,close,volume\n${rows.join('\n')}\n`,
    );
    const words = 'data import candles.csv --product spot --symbol BTTUSDT --interval 1h';
    const imported = await runCommand(folder, [...words.split(' '), '--archive', 'data']);

    await runCommand(folder, ['new', 'strategy', 'demo']);

    expect(imported).toMatchObject({ exitCode: 0, stderr: '' });
    const bot = await readFile(path.join(folder, 'config/demo.backtest.yaml'), 'utf8');
    expect(bot).toContain('pricePrecision: 8');
  });

  it('takes candles that are longer than two days', async () => {
    const folder = await temporaryFolder();
    const rows = Array.from({ length: 60 }, (_, week) =>
      [Date.parse('2024-01-01') + week * 7 * 86_400_000, 1.5, 2, 1, 1.25, 1000].join(),
    );
    await writeFile(
      path.join(folder, 'candles.csv'),
      `time,open,high,low,close,volume\n${rows.join('\n')}\n`,
    );
    const words = 'data import candles.csv --product spot --symbol XUSDT --interval 1week';
    await runCommand(folder, words.split(' '));

    const made = await runCommand(folder, ['new', 'strategy', 'demo']);

    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    const bot = await readFile(path.join(folder, 'config/demo.backtest.yaml'), 'utf8');
    expect(bot).toContain('pricePrecision: 2');
  });

  it('refuses the name of the base class, which the new class would hide', async () => {
    const folder = await temporaryFolder();

    const run = await runCommand(folder, ['new', 'strategy', 'candle-strategy']);

    expect(run).toMatchObject({
      exitCode: 2,
      stderr:
        'expected a name whose class is not CandleStrategy, the base of the new class, received "candle-strategy" (E_SCAFFOLD_NAME)\n',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([['Demo'], ['my_idea'], ['../up'], ['a--b'], ['-x'.slice(1).repeat(41)]])(
    'refuses the name %s',
    async (name) => {
      const folder = await temporaryFolder();

      const run = await runCommand(folder, ['new', 'strategy', name]);

      expect(run.exitCode).toBe(2);
      expect(run.stderr).toBe(
        `expected a name of at most 40 lower-case letters, digits and single hyphens, such as my-idea, received "${name}" (E_SCAFFOLD_NAME)\n`,
      );
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it.each(['strategies/demo', 'config/demo.backtest.yaml'])(
    'overwrites nothing: %s',
    async (existing) => {
      const folder = await temporaryFolder();
      await mkdir(path.join(folder, path.dirname(existing)), { recursive: true });
      await writeFile(path.join(folder, existing), 'mine');
      const before = await readdir(folder, { recursive: true });

      const run = await runCommand(folder, ['new', 'strategy', 'demo']);

      expect(run.exitCode).toBe(2);
      expect(run.stderr).toBe(
        `${existing} already exists: take another name (E_SCAFFOLD_EXISTS)\n`,
      );
      expect(await readdir(folder, { recursive: true })).toEqual(before);
    },
  );

  it('uses a contract if the archive has no pair', async () => {
    const folder = await temporaryFolder();
    const rows = Array.from({ length: 200 }, (_, hour) =>
      [Date.parse('2024-01-01') + hour * 3_600_000, 60_000, 61_000, 59_000, 60_500.5, 1000].join(),
    );
    await writeFile(
      path.join(folder, 'candles.csv'),
      `time,open,high,low,close,volume\n${rows.join('\n')}\n`,
    );
    const words = 'data import candles.csv --product futures --symbol BTCUSDT --interval 1h';
    await runCommand(folder, [...words.split(' '), '--volume-unit', 'base']);

    const made = await runCommand(folder, ['new', 'strategy', 'demo']);
    const backtest = await runCommand(folder, ['backtest', 'config/demo.backtest.yaml']);

    expect(made.stdout).toContain('found 200 candles of futures:BTCUSDT 1h in data\n');
    expect(backtest).toMatchObject({ exitCode: 0, stderr: '' });
    expect(backtest.stdout).toContain('Demo on futures:BTCUSDT');
  });

  it('refuses an archive without candles', async () => {
    const folder = await botFolder({ candles: 'none' });

    const run = await runCommand(folder, ['new', 'strategy', 'demo']);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('(E_SCAFFOLD_DATA)');
    expect(existsSync(path.join(folder, 'strategies'))).toBe(false);
  });

  it('leaves nothing of the strategy behind when a file cannot be written', async () => {
    const folder = await botFolder();
    // A file at the place of the folder for bots.
    await writeFile(path.join(folder, 'config'), '');
    await chmod(path.join(folder, 'config'), 0o600);

    const run = await runCommand(folder, ['new', 'strategy', 'demo']);

    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('(E_SCAFFOLD_WRITE)');
    expect(existsSync(path.join(folder, 'strategies/demo'))).toBe(false);
  });
});
