import { describe, expect, it } from 'vitest';
import {
  formatResult,
  formatSweep,
  openArchive,
  readResult,
  runBacktest,
  runBot,
  runSweep,
  startBacktest,
  type RunBacktestOptions,
} from '../../../src/run/index.js';
import { Crossing, DESCRIPTION, hourlyCandles } from '../../support/run/hourly-description.js';

const { simulation } = DESCRIPTION;
const SERIES = { instrument: 'spot:BTCUSDT', interval: '1h' } as const;
const HOURS = hourlyCandles(50);

const prices = Float64Array.of(5, 5);
const COLUMNS = {
  openTime: Float64Array.of(0, 3_600_000),
  ...{ open: prices, high: prices, low: prices, close: prices, volume: prices },
};

/** The error message for changed options. Their types may be wrong, as in a JavaScript program. */
async function messageOf(changed: object): Promise<string> {
  const good: RunBacktestOptions = {
    config: DESCRIPTION,
    strategy: Crossing,
    candles: [{ ...SERIES, candles: HOURS }],
  };
  const failure: unknown = await runBacktest({ ...good, ...changed }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return failure instanceof Error ? failure.message : 'nothing was refused';
}

const withSimulation = (changed: object): object => ({
  config: { ...DESCRIPTION, simulation: { ...simulation, ...changed } },
});
const withCandles = (candles: unknown): object => ({ candles: [{ ...SERIES, candles }] });
const withRow = (row: number, changed: object): object =>
  withCandles(HOURS.map((hour, index) => (index === row ? { ...hour, ...changed } : hour)));

describe('an invalid configuration', () => {
  it.each<readonly [string, object, string]>([
    [
      'nothing',
      { config: undefined },
      'config: expected a mapping with name, strategy, instruments, received nothing (E_CONFIG_MISSING)',
    ],
    [
      'a list',
      { config: [] },
      'config: expected a mapping with name, strategy, instruments, received an empty list (E_CONFIG_TYPE)',
    ],
    [
      'an unknown key',
      withSimulation({ slipage: '1' }),
      'config simulation.slipage: expected one of archive, from, to, balances, fees, spreadBps, slippage, participation, fillOnTouch, remainder, latencyMs, cancelLatencyMs, dataDelayMs, updatePollMs, stopPollMs, path, maxGap, closeAtEnd, seed, rules, futures, margin, received "slipage"; did you mean "slippage"? (E_CONFIG_KEY)',
    ],
    [
      'a number where an amount is wanted',
      withSimulation({ fees: { maker: 0.001, taker: '0.001' } }),
      'config simulation.fees.maker: expected a quoted decimal, received the number 0.001 (E_CONFIG_TYPE)',
    ],
    [
      'no number',
      withSimulation({ seed: Number.NaN }),
      'config simulation.seed: expected a whole number from 0 to 9007199254740991, received the number NaN (E_CONFIG_TYPE)',
    ],
    [
      'a Date',
      withSimulation({ from: new Date(0) }),
      'config simulation.from: expected text, a number, true, false, a list or a plain object, received an instance of Date (E_CONFIG_TYPE)',
    ],
    [
      'a bigint',
      withSimulation({ seed: 1n }),
      'config simulation.seed: expected text, a number, true, false, a list or a plain object, received the bigint 1n (E_CONFIG_TYPE)',
    ],
    [
      'no simulation',
      { config: { ...DESCRIPTION, simulation: undefined }, candles: undefined },
      'config simulation: expected a mapping that says what to replay, received nothing (E_CONFIG_MISSING)',
    ],
    [
      'an unknown parameter',
      { config: { ...DESCRIPTION, strategy: { parameters: { fats: 3 } } } },
      'config strategy.parameters.fats: expected one of the parameters fast, slow, received "fats"; did you mean "fast"? (E_CONFIG_PARAMETER)',
    ],
    [
      'no rules',
      withSimulation({ rules: {} }),
      `config simulation.rules.BTCUSDT: expected the venue's rules of BTCUSDT, received nothing; add for example BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" } (E_CONFIG_RULES)`,
    ],
    [
      'no rules of a contract',
      {
        config: {
          ...DESCRIPTION,
          instruments: [
            {
              ...{ product: 'futures', symbol: 'E-BTC-USDT', intervals: ['1h'] },
              ...{ leverage: 2, marginMode: 'cross', multiplier: '0.001' },
            },
          ],
          simulation: { ...DESCRIPTION.simulation, rules: {} },
        },
      },
      `config simulation.rules.E-BTC-USDT: expected the venue's rules of E-BTC-USDT, received nothing; add for example E-BTC-USDT: { pricePrecision: 2, quantityPrecision: 0, minOrderQuantity: "1" } (E_CONFIG_RULES)`,
    ],
    [
      'two archives',
      withSimulation({ archive: 'data' }),
      'config simulation.archive: expected nothing beside candles, received "data" (E_CONFIG_DUPLICATE)',
    ],
    [
      'two strategies',
      { config: { ...DESCRIPTION, strategy: { path: 'a.ts' } } },
      'config strategy.path: expected nothing beside a class, received "a.ts" (E_CONFIG_DUPLICATE)',
    ],
    [
      'an interval without candles',
      {
        config: {
          ...DESCRIPTION,
          instruments: [{ ...DESCRIPTION.instruments[0], intervals: ['5min'] }],
        },
      },
      'config instruments.0.intervals.0: expected stored candles of spot:BTCUSDT 5min, received none; the archive holds spot:BTCUSDT 1h (E_DATA_MISSING)',
    ],
  ])('is refused for %s', async (_what, changed, message) => {
    expect(await messageOf(changed)).toBe(message);
  });

  it('is refused if it contains itself', async () => {
    const config: Record<string, unknown> = { ...DESCRIPTION };
    config['live'] = config;

    expect(await messageOf({ config })).toBe(
      'config live: expected text, a number, true, false, a list or a plain object, received a value that contains itself (E_CONFIG_TYPE)',
    );
  });
});

describe('an invalid strategy', () => {
  it.each<readonly [string, object, string]>([
    [
      'a function',
      { strategy: () => undefined },
      'strategy: expected a class made with Strategy or CandleStrategy, received another function (E_CONFIG_TYPE)',
    ],
    [
      'text',
      { strategy: 'Crossing' },
      'strategy: expected a class made with Strategy or CandleStrategy, received a string (E_CONFIG_TYPE)',
    ],
    [
      'an object',
      { strategy: {} },
      'strategy: expected a class made with Strategy or CandleStrategy, received an object (E_CONFIG_TYPE)',
    ],
    [
      'a file that is no text',
      { strategyFile: 5 },
      'strategyFile: expected the path of a file, as text or URL, received 5',
    ],
    [
      'a file that is not there',
      { strategyFile: '/nowhere/crossing.strategy.ts' },
      'strategyFile: expected the file of the class, received /nowhere/crossing.strategy.ts, which cannot be read (E_PLUGIN_FILE)',
    ],
  ])('is refused: %s', async (_what, changed, message) => {
    expect(await messageOf(changed)).toBe(message);
  });
});

describe('invalid candles', () => {
  it.each<readonly [string, object, string]>([
    ['none', withCandles([]), 'no candles of spot:BTCUSDT 1h'],
    [
      'a number as an interval',
      { candles: [{ ...SERIES, interval: 60, candles: HOURS }] },
      'candles.0.interval: expected a text, received 60',
    ],
    [
      'text for a price',
      withRow(3, { close: '100' }),
      'candles of spot:BTCUSDT 1h, row 4: expected a number as close, received "100"',
    ],
    [
      'no open time',
      withRow(0, { openTime: undefined }),
      'candles of spot:BTCUSDT 1h, row 1: expected a number as openTime, received undefined',
    ],
    [
      'a high below the low',
      withRow(4, { high: 1, low: 2 }),
      'candles of spot:BTCUSDT 1h, row 5: expected high ≥ low, received high 1 and low 2',
    ],
    [
      'a time that does not rise',
      withRow(1, { openTime: HOURS[0]?.openTime }),
      'candles of spot:BTCUSDT 1h, row 2: expected a time after 2025-03-03T00:00:00Z, received 2025-03-03T00:00:00Z',
    ],
    [
      'seconds',
      withCandles(HOURS.map((hour) => ({ ...hour, openTime: hour.openTime / 1_000 }))),
      'candles of spot:BTCUSDT 1h, row 1: expected the start of a candle of 1h in UTC milliseconds, received 1740960000',
    ],
    [
      'microseconds',
      withCandles(HOURS.map((hour) => ({ ...hour, openTime: hour.openTime * 1_000 }))),
      'candles of spot:BTCUSDT 1h, row 1: expected a time in UTC milliseconds before the year 10000, received 1740960000000000',
    ],
    [
      'an empty row',
      withCandles([HOURS[0], null]),
      'candles of spot:BTCUSDT 1h, row 2: expected { openTime, open, high, low, close, volume }, received null',
    ],
    [
      'columns of another kind',
      withCandles({ openTime: [1] }),
      'candles of spot:BTCUSDT 1h: expected a Float64Array as openTime, received something else',
    ],
    [
      'a missing column',
      withCandles({ openTime: Float64Array.of(0) }),
      'candles of spot:BTCUSDT 1h: expected a Float64Array as open, received nothing',
    ],
    [
      'columns of unequal lengths',
      withCandles({ ...COLUMNS, close: COLUMNS.close.subarray(1) }),
      'candles of spot:BTCUSDT 1h: expected columns of one length, received 2 of openTime, 2 of open, 2 of high, 2 of low, 1 of close, 2 of volume',
    ],
    [
      'no list',
      { candles: Promise.resolve([]) },
      'candles: expected an archive of openArchive, or a list of { instrument, interval, candles }',
    ],
    [
      'a source that is nothing',
      { candles: [null] },
      'candles.0: expected an object, received null',
    ],
    [
      'a source without candles',
      { candles: [SERIES] },
      'candles.0.candles: expected a list, an iterable or columns, awaited, received undefined',
    ],
    [
      'a promise of candles',
      withCandles(Promise.resolve(HOURS)),
      'candles.0.candles: expected a list, an iterable or columns, awaited, received a promise',
    ],
    [
      'an unknown key, which would leave the unit of the volumes at base',
      { candles: [{ ...SERIES, candles: HOURS, volumUnit: 'quote' }] },
      'candles.0.volumUnit: expected one of instrument, interval, candles, volumeUnit; did you mean "volumeUnit"?',
    ],
    [
      'an unknown unit of the volumes',
      { candles: [{ ...SERIES, candles: HOURS, volumeUnit: 'quot' }] },
      'candles.0.volumeUnit: expected one of base, quote, contracts, received "quot"',
    ],
    [
      'an instrument without its product',
      { candles: [{ ...SERIES, instrument: 'BTCUSDT', candles: HOURS }] },
      'candles.0.instrument: expected an instrument such as spot:BTCUSDT, received "BTCUSDT"',
    ],
    [
      'an interval that does not exist',
      { candles: [{ ...SERIES, interval: '1m', candles: HOURS }] },
      'candles.0.interval: expected one of 1min, 3min, 5min, 15min, 30min, 1h, 2h, 4h, 6h, 8h, 12h, 1day, 1week, 1month, received "1m"; did you mean "1min"?',
    ],
    [
      'marks of a pair, which would change nothing',
      { candles: [{ ...SERIES, marks: HOURS.map((hour) => ({ ...hour, volume: 0 })) }] },
      'candles.0.instrument: expected a contract, because pairs have no marks, received spot:BTCUSDT',
    ],
    [
      'funding of a pair, which nobody would pay',
      { candles: [{ instrument: 'spot:BTCUSDT', funding: [{ time: 0, rate: 0.0001 }] }] },
      'candles.0.instrument: expected a contract, because pairs have no funding, received spot:BTCUSDT',
    ],
    [
      'a series twice',
      { candles: [1, 2].map(() => ({ ...SERIES, candles: HOURS })) },
      'candles of spot:BTCUSDT 1h: given twice',
    ],
  ])('are refused: %s', async (_what, changed, message) => {
    expect(await messageOf(changed)).toBe(message);
  });
});

describe('invalid options', () => {
  const options = { config: DESCRIPTION, strategy: Crossing };

  it.each<readonly [string, object, string]>([
    [
      'a misspelled one, which would leave the candles to the configuration',
      { candels: [] },
      'candels: expected one of config, strategy, strategyFile, candles, models, directory, curve, benchmark, bounds, signal, onProgress; did you mean "candles"?',
    ],
    [
      'an unknown curve',
      { curve: 'hourly' },
      'curve: expected one of daily, candle, received "hourly"',
    ],
    [
      'text for a switch',
      { bounds: 'no' },
      'bounds: expected true, false or { runs }, received "no"',
    ],
    [
      'too few runs',
      { bounds: { runs: 3 } },
      'bounds.runs: expected a whole number from 4, received 3',
    ],
    [
      'a misspelled key of bounds',
      { bounds: { runs: 40, run: 40 } },
      'bounds.run: expected one of runs; did you mean "runs"?',
    ],
    ['another signal', { signal: {} }, 'signal: expected an AbortSignal, received an object'],
    ['text for a function', { onProgress: 'x' }, 'onProgress: expected a function, received "x"'],
  ])('are refused: %s', async (_what, changed, message) => {
    expect(await messageOf(changed)).toBe(message);
    expect(() => startBacktest({ ...options, ...changed })).toThrow(message);
  });

  it.each<readonly [object, string]>([
    [{ random: 1.5 }, 'random: expected a whole number from 1, received 1.5'],
    [{ objective: 'sharp' }, 'objective: expected one of sharpe, '],
    [{ minTrades: -1 }, 'minTrades: expected a whole number from 0, received -1'],
    [{ constraint: 'fast < slow' }, 'constraint: expected a list of texts, received "fast < slow"'],
    [{ grid: { fast: [1, 2] } }, 'grid: expected a text, received an object'],
    [{ objectiv: 'sharpe' }, '; did you mean "objective"?'],
  ])('of a sweep are refused: %j', async (changed, message) => {
    const candles = [{ ...SERIES, candles: HOURS }];
    await expect(runSweep({ ...options, candles, ...changed })).rejects.toThrow(message);
  });

  it('of a bot are refused', async () => {
    const refusal = async (changed: object): Promise<unknown> =>
      runBot({ ...options, ...changed } as never).catch(String);

    expect(await refusal({})).toContain('mode: expected one of paper, live, received undefined');
    expect(await refusal({ mode: 'Live' })).toContain(
      'mode: expected one of paper, live, received "Live"',
    );
    expect(await refusal({ mode: 'paper', journl: 'kept' })).toContain('did you mean "journal"?');
  });
});

describe('documents of a program', () => {
  it.each<readonly [unknown, string]>([
    [undefined, 'undefined'],
    ['{}', '"{}"'],
    [{}, 'an object'],
    [Promise.resolve({}), 'a promise'],
  ])('are not written of %o', (given, shown) => {
    expect(() => formatResult(given as never)).toThrow(
      `formatResult.result: expected a result of runBacktest, received ${shown}`,
    );
    expect(() => formatSweep(given as never)).toThrow(
      `formatSweep.sweep: expected a sweep of runSweep, received ${shown}`,
    );
  });

  it('are read from a path', async () => {
    await expect(readResult(undefined as never)).rejects.toThrow(
      'readResult.file: expected the path of a file, as text or URL, received undefined',
    );
    expect(() => openArchive(5 as never)).toThrow(
      'openArchive.directory: expected the path of a folder, received 5',
    );
  });
});
