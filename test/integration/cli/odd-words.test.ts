import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { botFolder } from '../../support/cli/bot-folder.js';
import { BOT_YAML } from '../../support/cli/bot-yaml.js';
import { runCommand } from '../../support/cli/command-runner.js';

/** A folder with a bot, a folder `sub`, and the files of a run if the words name one. */
async function folderFor(argv: readonly string[]): Promise<string> {
  const folder = await botFolder();
  await mkdir(path.join(folder, 'sub'));
  const names = ['result.json', 'run.journal'];
  if (!names.some((name) => argv.includes(name))) return folder;
  const written = ['--json', 'result.json', '--journal', 'run.journal'];
  const run = await runCommand(folder, ['backtest', 'bot.yaml', ...written]);
  expect([run.exitCode, run.stderr]).toEqual([0, '']);
  return folder;
}

const LONG = 'x'.repeat(300);
const GRID = ['--grid', 'fast=5:6:1', '--jobs', '1'];

/** A command line, its exit code and a part of its only line on stderr. */
const ODD_WORDS: readonly (readonly [readonly string[], number, string])[] = [
  // A file that is written must not be one that is named for something else.
  [
    ['backtest', 'bot.yaml', '--json', 'bot.yaml'],
    2,
    '--json: expected another file than that of <config>, received "bot.yaml" for both (E_USAGE)',
  ],
  [
    ['backtest', 'bot.yaml', '--journal', 'new.x', '--json', './sub/../new.x'],
    2,
    '--journal: expected another file than that of --json',
  ],
  [
    ['backtest', 'bot.yaml', '--json', 'same.x', '--report', 'same.x'],
    2,
    '--report: expected another file than that of --json',
  ],
  [['report', 'result.json', '--out', 'result.json'], 2, 'another file than that of <result>'],
  [
    ['sweep', 'bot.yaml', ...GRID, '--json', 'new.x', '--write', 'new.x', '--yes'],
    2,
    '--write: expected another file than that of --json, received "new.x" for both (E_USAGE)',
  ],
  // Options without effect beside the others.
  [['monte-carlo', 'bot.yaml', '--jobs', '2'], 2, '--jobs needs --candles'],
  [['monte-carlo', 'result.json', '--jobs', '2'], 2, '--jobs needs --candles'],
  [
    ['significance', 'result.json', '--blocks', '8'],
    2,
    '--blocks needs other trials: expected --ledger beside the result result.json (E_USAGE)',
  ],
  ...['--draws', '--seed'].map((option): readonly [readonly string[], number, string] => [
    ['significance', 'result.json', option, '8'],
    2,
    `${option} needs other trials: expected --ledger beside the result result.json (E_USAGE)`,
  ]),
  ...[
    ['--product', 'spot'],
    ['--symbol', 'BTCUSDT'],
    ['--archive', 'data'],
    ['--jobs', '2'],
  ].map(([option = '', value = '']): readonly [readonly string[], number, string] => [
    ['data', 'check', 'candles.csv', '--interval', '1h', option, value],
    2,
    `${option} is for stored series: expected no file beside it, received candles.csv (E_USAGE)`,
  ]),
  [['data', 'check', '--columns', 'time,open'], 2, '--columns needs a file (E_USAGE)'],
  [['data', 'check', '--utc'], 2, '--utc needs a file (E_USAGE)'],
  // `--json` takes the next word, which may be the file to read.
  [
    ['data', 'check', '--json', 'bot.yaml', '--interval', '1h'],
    2,
    '--json: expected a new file, or one with JSON, received "bot.yaml"; to read that file, name it before --json (E_USAGE)',
  ],
  // Empty words, and options that contradict each other.
  [['backtest', ''], 2, '<config>: expected a value, received empty text (E_USAGE)'],
  [['backtest', 'bot.yaml', '--json', ''], 2, '--json: expected a value, received empty text'],
  [
    ['backtest', 'bot.yaml', '--ledger', 'new.x', '--no-ledger'],
    2,
    "expected option '--ledger <file>' or '--no-ledger', received both",
  ],
  [
    ['backtest', 'bot.yaml', '--set', 'name=a', '--set', 'name=b'],
    2,
    '--set name: expected one value, received "a" and "b" (E_CONFIG_SET)',
  ],
  [
    ['sweep', 'bot.yaml', ...GRID, '--set', 'simulation.seed=2', '--set', 'simulation={}'],
    2,
    '--set simulation: expected a key that does not replace --set simulation.seed, received "2" and then "{}"',
  ],
  [
    ['backtest', 'bot.yaml', '--from', '2025-01-02', '--set', 'simulation.from=2025-01-03'],
    2,
    '--from: expected a key that does not replace --set simulation.from, received "2025-01-03" and then "2025-01-02"',
  ],
  // Words in other units or forms.
  [
    ['data', 'fetch', 'binance-spot', 'BTCUSDT', '7x', '--from', '2025-01-01'],
    2,
    'interval: expected one that binance-spot publishes (1min 3min 5min 15min 30min 1h 2h 4h 6h 8h 12h 1day), received "7x" (E_USAGE)',
  ],
  [['why', 'run.journal', '--at', '2025-01-03', '--epoch', 'x'], 2, 'a whole number from 0'],
  [
    ['walk-forward', 'bot.yaml', ...GRID, '--cpcv', '2,6'],
    2,
    'at least one tested group, and fewer than all',
  ],
  [['fuzz', 'bot.yaml', '--law', 'drawdown < 20'], 2, 'a share such as 0.2, or 20%, received "20"'],
  [
    ['sweep', 'bot.yaml', ...GRID, '--constraint', 'maxDrawdown < 20'],
    2,
    'expected a share from 0 to 1, as in 0.2, received "20"',
  ],
  [
    ['sweep', 'bot.yaml', '--jobs', '1', '--grid', 'fsat=5:6:1'],
    2,
    '--grid fsat: expected one of the parameters fast, slow (did you mean fast?), received "fsat"',
  ],
  [
    ['data', 'synth', '--interval', '1h', '--instrument', 'spot:A,price=1,price=2'],
    2,
    'price= is given twice',
  ],
  [
    ['exchange', '--speed', '5'],
    2,
    '--speed needs --clock accelerated, received realtime (E_USAGE)',
  ],
  // Folders in place of files, and files in place of folders.
  [['trials', 'sub'], 1, 'cannot read sub: it is a folder (E_DATA_READ)'],
  [['bundle', 'sub', '--config', 'bot.yaml', '--out', 'b'], 1, 'E_RESULT_READ'],
  [['sweep', 'bot.yaml', ...GRID, '--ledger', 'sub'], 1, 'cannot write sub: it is a folder'],
  [
    ['sweep', 'bot.yaml', ...GRID, '--ledger', 'no/led'],
    1,
    'cannot write no/led: there is no folder no (E_DATA_WRITE)',
  ],
  [['journal', 'verify', 'sub'], 1, 'not a journal of evenkeel but a folder'],
  [
    ['fuzz', 'bot.yaml', '--out', 'bot.yaml/x'],
    1,
    'cannot write to bot.yaml/x: bot.yaml is a file (E_DATA_WRITE)',
  ],
  [['mcp', '--root', 'none'], 2, '--root: expected a folder, received none (E_MCP_PATH)'],
  // Paths that lead through a file, and names that are too long.
  [
    ['mcp', '--root', 'bot.yaml/x'],
    2,
    '--root: expected a folder, received bot.yaml/x (E_MCP_PATH)',
  ],
  [
    ['journal', 'verify', 'bot.yaml/x'],
    1,
    'bot.yaml/x: cannot open the journal (a part of its path is a file, not a folder) (E_JOURNAL_OPEN)',
  ],
  [['replay', LONG], 1, `${LONG}: cannot open the journal (its name is too long) (E_JOURNAL_OPEN)`],
  [['backtest', LONG], 2, 'expected a readable YAML file, received none: its name is too long'],
  [
    ['backtest', 'bot.yaml', '--json', LONG],
    1,
    `cannot write ${LONG}: its name is too long (E_DATA_WRITE)`,
  ],
  [['data', 'check', '--json', LONG], 1, `cannot write ${LONG}: its name is too long`],
  [['data', 'check', '--json', 'bot.yaml/x'], 1, 'cannot write bot.yaml/x: there is no folder'],
  [
    ['worker', '--queue', 'redis://127.0.0.1:1', '--archive', 'sub', '--secret-file', 'bot.yaml/x'],
    2,
    'received none: a part of its path is a file, not a folder (E_SECRET_MISSING)',
  ],
  [['backtest', 'bot.yaml', '--set', 'simulation.archive=bot.yaml'], 2, 'there is no such folder'],
  [['backtest', 'bot.yaml', '--set', 'strategy.path=.'], 2, 'received the folder itself, which'],
  [
    ['backtest', 'bot.yaml', '--set', `simulation.archive=${LONG}`],
    2,
    '--set simulation.archive: expected a folder of stored candles',
  ],
];

describe('odd words on the command line', () => {
  it.each(ODD_WORDS)('%j', async (argv, exitCode, says) => {
    const folder = await folderFor(argv);

    const run = await runCommand(folder, argv);

    expect(run.stderr).toContain(says);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stdout).toBe('');
    const hint = '(--help lists commands and options)\n';
    expect(run.stderr.replace(hint, '').split('\n')).toHaveLength(2);
    expect(await readFile(path.join(folder, 'bot.yaml'), 'utf8')).toBe(BOT_YAML);
  });

  it('tells that two names lead to one new file', async () => {
    const folder = await botFolder();
    await mkdir(path.join(folder, 'sub'));
    await symlink('sub', path.join(folder, 'link'));

    const argv = ['backtest', 'bot.yaml', '--json', 'sub/new.x', '--report', 'link/new.x'];
    const run = await runCommand(folder, argv);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('--report: expected another file than that of --json');
  });

  it.skipIf(process.getuid?.() === 0)(
    'finds before a run that a file cannot be replaced in its folder',
    async () => {
      const folder = await botFolder();
      await mkdir(path.join(folder, 'kept'));
      await writeFile(path.join(folder, 'kept/result.json'), '');
      await chmod(path.join(folder, 'kept'), 0o500);

      const argv = ['backtest', 'bot.yaml', '--set', 'name=', '--json', 'kept/result.json'];
      const run = await runCommand(folder, argv);

      expect(run.stderr).toBe('cannot write kept/result.json: permission denied (E_DATA_WRITE)\n');
    },
  );

  it('names instants of a journal if none is given', async () => {
    const argv = ['why', 'run.journal'];

    const run = await runCommand(await folderFor(argv), argv);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(
      /^--at: expected an instant; run\.journal has 2025-01-\S+Z to 2025-02-01T00:00:00Z; the last orders were sent at (?:2025-\S+Z(?:, )?){3} \(E_USAGE\)\n$/,
    );
  });

  it('sets a key within a mapping that was set before', async () => {
    const first = ['--set', 'strategy.parameters={fast: 3, slow: 9}'];
    const argv = ['backtest', 'bot.yaml', ...first, '--set', 'strategy.parameters.fast=4'];

    const run = await runCommand(await folderFor(argv), argv);

    expect(run.stdout).toContain('fast 4, slow 9');
    expect(run.exitCode).toBe(0);
  });

  it('reads a file that is named twice', async () => {
    const argv = ['report', 'result.json', 'result.json', '--out', 'r.html'];

    const run = await runCommand(await folderFor(argv), argv);

    expect([run.exitCode, run.stderr]).toEqual([0, '']);
  });
});
