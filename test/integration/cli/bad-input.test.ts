import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { present } from '../../../src/domain/index.js';
import {
  botFolder,
  januaryCandles,
  SMA_SOURCE,
  withoutRows,
  type BotFolderOptions,
} from '../../support/cli/bot-folder.js';
import { botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { touchMetadata } from '../../support/touch-metadata.js';

interface BadInput {
  readonly what: string;
  readonly bot?: BotFolderOptions;
  readonly argv?: readonly string[];
  /** Changes the folder before the command runs. */
  readonly spoil?: (folder: string) => Promise<void>;
  readonly exitCode: number;
  /** Lines of stderr; `<folder>` stands for the working folder. */
  readonly lines: readonly string[];
}

const BTC_SERIES = ['--product', 'spot', '--symbol', 'BTCUSDT'];
const STORED = 'data/spot/BTCUSDT/1h.arrow';

const BAD_INPUTS: readonly BadInput[] = [
  {
    what: 'a misspelled key',
    bot: { yaml: botYaml('  balances:', '  balnces:') },
    exitCode: 2,
    lines: [
      'bot.yaml:11:3 simulation.balnces: expected one of archive, from, to, balances, fees, spreadBps, slippage, participation, fillOnTouch, remainder, latencyMs, cancelLatencyMs, dataDelayMs, updatePollMs, stopPollMs, path, maxGap, closeAtEnd, seed, rules, futures, margin, received "balnces"; did you mean "balances"? (E_CONFIG_KEY)',
    ],
  },
  {
    what: 'a wrong type',
    bot: { yaml: botYaml('intervals: [1h]', 'intervals: 1h') },
    exitCode: 2,
    lines: [
      'bot.yaml:6:39 instruments.0.intervals: expected a list of intervals, received "1h" (E_CONFIG_TYPE)',
    ],
  },
  {
    what: 'an unquoted decimal that loses digits',
    bot: { yaml: botYaml('{ USDT: "10000" }', '{ USDT: 10000.00000000000000000001 }') },
    exitCode: 2,
    lines: [
      'bot.yaml:11:15 simulation.balances.USDT: expected a quoted decimal, received the number 10000.00000000000000000001 (E_CONFIG_TYPE)',
    ],
  },
  {
    what: 'a missing plugin',
    bot: { plugin: undefined },
    exitCode: 2,
    lines: [
      'bot.yaml:3:3 strategy.path: expected a plugin file (.ts, .mts, .js, .mjs), received sma.strategy.ts, which does not exist (E_PLUGIN_FILE)',
    ],
  },
  {
    what: 'a syntax error in the plugin',
    bot: { plugin: `${SMA_SOURCE}const = 3;\n` },
    exitCode: 2,
    lines: [
      'sma.strategy.ts:10:7: expected valid TypeScript or JavaScript, received Unexpected token (E_PLUGIN_SYNTAX)',
    ],
  },
  {
    what: 'a plugin without a strategy',
    bot: { plugin: 'export const nothing = 0;\n' },
    exitCode: 2,
    lines: [
      'bot.yaml:3:3 strategy.path: expected a plugin that exports a class made with Strategy or CandleStrategy, received no such export (E_PLUGIN_EXPORT)',
    ],
  },
  {
    what: 'a plugin with two strategies',
    bot: { plugin: `${SMA_SOURCE}export class Other extends Sma {}\n` },
    exitCode: 2,
    lines: [
      'bot.yaml:3:3 strategy.path: expected one exported strategy, or strategy.export to name one, received Other, Sma (E_PLUGIN_EXPORT)',
    ],
  },
  {
    what: 'parameters that are out of range or unknown, all of them',
    bot: { yaml: botYaml('{ fast: 10, slow: 30 }', '{ fast: 1, slwo: 30, slow: "30" }') },
    exitCode: 2,
    lines: [
      'bot.yaml:4:17 strategy.parameters.fast: expected a whole number from 2 to 200, received 1 (E_CONFIG_PARAMETER)',
      'bot.yaml:4:26 strategy.parameters.slwo: expected one of the parameters fast, slow, received "slwo"; did you mean "slow"? (E_CONFIG_PARAMETER)',
      'bot.yaml:4:36 strategy.parameters.slow: expected a whole number from 3 to 400, received "30" (E_CONFIG_PARAMETER)',
    ],
  },
  {
    what: 'a parameter out of range on the command line',
    argv: ['--set', 'strategy.parameters.fast=1'],
    exitCode: 2,
    lines: [
      '--set strategy.parameters.fast: expected a whole number from 2 to 200, received 1 (E_CONFIG_PARAMETER)',
    ],
  },
  {
    what: 'fewer intervals than the strategy needs',
    bot: { plugin: SMA_SOURCE.replace('400, 30) })', '400, 30) }, { intervals: 2 })') },
    exitCode: 2,
    lines: [
      'bot.yaml:6:39 instruments.0.intervals: expected at least 2, as Sma needs, received 1 (E_CONFIG_REQUIREMENTS)',
    ],
  },
  {
    what: 'an instrument without rules',
    bot: {
      yaml: botYaml(
        '    BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }',
        '    {}',
      ),
    },
    exitCode: 2,
    lines: [
      `bot.yaml:15:3 simulation.rules.BTCUSDT: expected the venue's rules of BTCUSDT, received nothing; add for example BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" } (E_CONFIG_RULES)`,
    ],
  },
  {
    what: 'a bot without a simulation block',
    bot: { yaml: botYaml('simulation:', 'venue: {}\n#').split('\n#')[0] ?? '' },
    exitCode: 2,
    lines: [
      'bot.yaml:1:1 simulation: expected a mapping that says what to replay, received nothing (E_CONFIG_MISSING)',
    ],
  },
  {
    what: 'an instrument without data',
    bot: {
      yaml: botYaml(
        'symbol: BTCUSDT, intervals: [1h]',
        'symbol: ETHUSDT, intervals: [1h, 1day]',
      ).replace('    BTCUSDT: {', '    ETHUSDT: {'),
    },
    exitCode: 2,
    lines: [
      'bot.yaml:6:51 instruments.0.intervals.0: expected stored candles of spot:ETHUSDT 1h, received none; the archive holds spot:BTCUSDT 1h (E_DATA_MISSING)',
      'bot.yaml:6:55 instruments.0.intervals.1: expected stored candles of spot:ETHUSDT 1day, received none; the archive holds spot:BTCUSDT 1h (E_DATA_MISSING)',
    ],
  },
  {
    what: 'a range before the data',
    argv: ['--from', '2024-01-01', '--to', '2024-02-01'],
    exitCode: 2,
    lines: [
      '--to simulation.to: expected a range with stored candles of spot:BTCUSDT 1h, which go from 2025-01-01T00:00:00Z to 2025-02-01T00:00:00Z, received "2024-02-01" (E_DATA_RANGE)',
    ],
  },
  {
    what: 'a range behind the data',
    bot: {
      yaml: botYaml('  from: 2025-01-01\n  to: 2025-02-01', '  from: 2025-03-01'),
    },
    exitCode: 2,
    lines: [
      'bot.yaml:9:3 simulation.from: expected a range with stored candles of spot:BTCUSDT 1h, which go from 2025-01-01T00:00:00Z to 2025-02-01T00:00:00Z, received "2025-03-01" (E_DATA_RANGE)',
    ],
  },
  {
    what: 'an empty archive',
    bot: { candles: 'none' },
    exitCode: 2,
    lines: [
      'bot.yaml:6:51 instruments.0.intervals.0: expected stored candles of spot:BTCUSDT 1h, received none; the archive is empty (E_DATA_MISSING)',
    ],
  },
  {
    what: 'a missing archive',
    bot: { yaml: botYaml('archive: data', 'archive: dta') },
    exitCode: 2,
    lines: [
      'bot.yaml:8:3 simulation.archive: expected a folder of stored candles, received <folder>/dta; there is no such folder: "data import" or "data synth" fill one, and --set simulation.archive=DIR names another (E_DATA_ARCHIVE)',
    ],
  },
  ...[
    { meant: '1min', written: '1m' },
    { meant: '1h', written: '60min' },
    { meant: '1month', written: '1M' },
    { meant: '1week', written: '1wek' },
  ].map(({ meant, written }) => ({
    what: `the interval ${written}`,
    bot: { yaml: botYaml('[1h]', `[${written}]`) },
    exitCode: 2,
    lines: [
      `bot.yaml:6:51 instruments.0.intervals.0: expected one of 1min, 3min, 5min, 15min, 30min, 1h, 2h, 4h, 6h, 8h, 12h, 1day, 1week, 1month, received "${written}"; did you mean "${meant}"? (E_CONFIG_VALUE)`,
    ],
  })),
  ...['BTCUSTD', 'btcusdt'].map((written) => ({
    what: `the symbol ${written}`,
    bot: { yaml: botYaml('symbol: BTCUSDT', `symbol: ${written}`) },
    exitCode: 2,
    lines: [
      `bot.yaml:6:22 instruments.0.symbol: expected a symbol that names its base and quote, received "${written}"; did you mean "BTCUSDT"? Otherwise add the keys base and quote (E_CONFIG_PAIR)`,
    ],
  })),
  {
    what: 'a symbol that is like one that is stored',
    bot: {
      yaml: botYaml('symbol: BTCUSDT', 'symbol: BTCUSDC').replaceAll('BTCUSDT:', 'BTCUSDC:'),
    },
    exitCode: 2,
    lines: [
      'bot.yaml:6:51 instruments.0.intervals.0: expected stored candles of spot:BTCUSDC 1h, received none; the archive holds spot:BTCUSDT 1h; did you mean spot:BTCUSDT? (E_DATA_MISSING)',
    ],
  },
  {
    what: 'a misspelled product',
    bot: { yaml: botYaml('product: spot', 'product: spto') },
    exitCode: 2,
    lines: [
      'bot.yaml:6:7 instruments.0.product: expected one of spot, margin, futures, received "spto"; did you mean "spot"? (E_CONFIG_VALUE)',
    ],
  },
  {
    what: 'leverage on spot',
    bot: { yaml: botYaml('intervals: [1h] }', 'intervals: [1h], leverage: 3 }') },
    exitCode: 2,
    lines: [
      'bot.yaml:6:56 instruments.0.leverage: expected one of product, symbol, intervals, base, quote, readOnly, received "leverage"; "leverage" goes with product: margin or futures only (E_CONFIG_KEY)',
    ],
  },
  {
    what: 'a gap longer than asked',
    bot: {
      yaml: botYaml('  archive: data', '  archive: data\n  maxGap: 2h'),
      candles: withoutRows(januaryCandles(), 100, 103),
    },
    exitCode: 2,
    lines: [
      // Rows 1 to 100 are stored; hour 100 is 2025-01-05T04:00.
      'bot.yaml:9:3 simulation.maxGap: expected data without longer gaps, received spot:BTCUSDT 1h, row 100: expected no gap longer than 7200000 ms (simulation.maxGap), received 10800000 ms from 2025-01-05T04:00:00Z to 2025-01-05T07:00:00Z (E_DATA_GAP)',
    ],
  },
  {
    what: 'a candle that was altered',
    spoil: (folder) => spoilCandle(path.join(folder, STORED), 42),
    exitCode: 1,
    lines: [
      expect.stringMatching(
        /^<folder>\/data\/spot\/BTCUSDT\/1h\.arrow is damaged: .*SHA-256.*\(E_DATA_CORRUPT\)$/,
      ) as string,
    ],
  },
  {
    what: 'a candle with a defect, by its row',
    spoil: async (folder) => {
      await spoilCandle(path.join(folder, STORED), 42);
      await touchMetadata(path.join(folder, STORED));
    },
    exitCode: 1,
    lines: [
      expect.stringMatching(
        /^<folder>\/data\/spot\/BTCUSDT\/1h\.arrow row 42: .*\(E_DATA_DEFECT\)$/,
      ) as string,
    ],
  },
  {
    what: 'a truncated Arrow file',
    spoil: async (folder) => {
      const file = path.join(folder, STORED);
      await writeFile(file, (await readFile(file)).subarray(0, 20_000));
    },
    exitCode: 1,
    lines: [
      expect.stringMatching(
        /^<folder>\/data\/spot\/BTCUSDT\/1h\.arrow is .*\(E_DATA_(CORRUPT|TORN)\)$/,
      ) as string,
    ],
  },
  {
    what: 'an Arrow file that is none',
    spoil: (folder) => writeFile(path.join(folder, STORED), 'time,open\n'),
    exitCode: 1,
    lines: [
      expect.stringMatching(
        /^<folder>\/data\/spot\/BTCUSDT\/1h\.arrow is .*\(E_DATA_(CORRUPT|TORN)\)$/,
      ) as string,
    ],
  },
  {
    what: 'a strategy that throws, with the event',
    bot: {
      plugin: SMA_SOURCE.replace(
        'if (crossedAbove',
        "if (this.now > 1736000000000) throw new RangeError('too late');\n    if (crossedAbove",
      ),
    },
    exitCode: 1,
    lines: [
      // The first close after 1736000000000, which is 2025-01-04T14:13:20Z.
      'sma.strategy.ts:6:41: Sma: too late (while processing candles spot:BTCUSDT 1h at 2025-01-04T15:00:00Z) (E_STRATEGY_FAILED)',
    ],
  },
  {
    what: 'a balance that no instrument values',
    bot: { yaml: botYaml('{ USDT: "10000" }', '{ USDT: "10000", ETH: "1" }') },
    exitCode: 2,
    lines: [
      'bot.yaml:11:30 simulation.balances.ETH: expected an asset that an instrument values in USDT, received ETH; add an instrument that trades ETH for USDT, or leave ETH out (E_EQUITY_CURRENCY)',
    ],
  },
  {
    what: 'an asset that comes in by trading and that no instrument values',
    bot: { yaml: `${botYaml('{ USDT:', '{ EUR:')}equityCurrency: EUR\n` },
    exitCode: 2,
    lines: [
      'bot.yaml:17:1 equityCurrency: expected a currency in which an instrument values BTC, received EUR; add an instrument that trades BTC for EUR (E_EQUITY_CURRENCY)',
    ],
  },
  {
    what: 'a config that is missing',
    spoil: async (folder) => {
      const { rm } = await import('node:fs/promises');
      await rm(path.join(folder, 'bot.yaml'));
    },
    exitCode: 2,
    lines: ['bot.yaml: expected a readable YAML file, received no such file (E_CONFIG_FILE)'],
  },
];

/** Puts the low of one row above its high, in the file's bytes. */
async function spoilCandle(file: string, row: number): Promise<void> {
  const { low } = januaryCandles();
  const bytes = await readFile(file);
  const needle = Buffer.alloc(16);
  // Two neighboring lows together occur only once in the file.
  needle.writeDoubleLE(present(low[row - 1], 'low'), 0);
  needle.writeDoubleLE(present(low[row], 'next low'), 8);
  const offset = bytes.indexOf(needle);
  expect(offset).toBeGreaterThan(0);
  bytes.writeDoubleLE(1e9, offset);
  await writeFile(file, bytes);
}

async function listFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).sort();
}

describe('bad input of backtest', () => {
  it.each(BAD_INPUTS)('names $what', async ({ bot, argv = [], spoil, exitCode, lines }) => {
    const folder = await botFolder(bot);
    await spoil?.(folder);
    const before = await listFiles(folder);

    const run = await runCommand(folder, ['backtest', 'bot.yaml', '--json', 'out.json', ...argv]);

    const found = run.stderr
      .replaceAll(folder, '<folder>')
      .split('\n')
      .filter((line) => line !== '');
    expect(found).toEqual(lines);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stdout).toBe('');
    expect(await listFiles(folder)).toEqual(before);
  });

  it.each(BAD_INPUTS)(
    'is also reported by check: $what',
    async ({ bot, argv = [], spoil, lines }) => {
      const folder = await botFolder(bot);
      await spoil?.(folder);

      const run = await runCommand(folder, ['check', 'bot.yaml', ...argv]);

      const codes = lines.map((line) => /E_[A-Z_]+/.exec(line)?.[0] ?? '');
      expect(run.exitCode).not.toBe(0);
      for (const code of codes) expect(`${run.stdout}${run.stderr}`).toContain(code);
    },
  );

  it.each([
    {
      what: 'a kind that is unknown',
      argv: ['data', 'import', 'x.csv', '--kind', 'trades', ...BTC_SERIES],
      line: "error: option '--kind <kind>' argument 'trades' is invalid. Allowed choices are candles, mark, funding, rules, tiers.",
    },
    {
      what: 'candles without an interval',
      argv: ['data', 'import', 'x.csv', '--kind', 'mark', ...BTC_SERIES],
      line: '--kind mark needs --interval (E_USAGE)',
    },
    {
      what: 'an option of another kind',
      argv: ['data', 'import', 'x.csv', '--kind', 'funding', '--interval', '1h', ...BTC_SERIES],
      line: '--interval goes with --kind candles or mark only, not with --kind funding (E_USAGE)',
    },
    {
      what: 'an interval that is no multiple',
      argv: ['data', 'resample', '--interval', '1h', '--to', '15min', ...BTC_SERIES],
      line: expect.stringContaining('(E_RESAMPLE_INTERVAL)') as string,
    },
  ])('names $what of the data commands', async ({ argv, line }) => {
    const folder = await botFolder();
    const before = await listFiles(folder);

    const run = await runCommand(folder, argv);

    expect(run.stderr.split('\n')).toContainEqual(line);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await listFiles(folder)).toEqual(before);
  });

  it('shows a stack trace only with --debug', async () => {
    const folder = await botFolder({ candles: 'none' });

    const plain = await runCommand(folder, ['backtest', 'bot.yaml']);
    const debug = await runCommand(folder, ['--debug', 'backtest', 'bot.yaml']);

    expect(plain.stderr).not.toContain('    at ');
    expect(debug.stderr).toContain('    at ');
    expect(debug.stderr.endsWith(plain.stderr)).toBe(true);
  });
});
