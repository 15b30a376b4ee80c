import { describe, expect, it } from 'vitest';
import { runBacktest, type RunBacktestOptions } from '../../../src/run/index.js';
import { Crossing, DESCRIPTION, hourlyCandles } from '../../support/run/hourly-description.js';

const { simulation } = DESCRIPTION;
const SERIES = { instrument: 'spot:BTCUSDT', interval: '1h' } as const;
const HOURS = hourlyCandles(50);

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
      'config: expected a mapping, received nothing (E_CONFIG_MISSING)',
    ],
    ['a list', { config: [] }, 'config: expected a mapping, received a list (E_CONFIG_TYPE)'],
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
      'a series twice',
      { candles: [1, 2].map(() => ({ ...SERIES, candles: HOURS })) },
      'candles of spot:BTCUSDT 1h: given twice',
    ],
  ])('are refused: %s', async (_what, changed, message) => {
    expect(await messageOf(changed)).toBe(message);
  });
});
