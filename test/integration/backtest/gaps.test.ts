import { describe, expect, it } from 'vitest';
import { HOUR_MS, parseFixed, type Candle } from '../../../src/domain/index.js';
import { buildResult } from '../../../src/report/index.js';
import { CandleStrategy, type CandleDrivenStrategy } from '../../../src/strategy/index.js';
import {
  aContract,
  aMarginPair,
  aSpotPair,
  runHours,
  type Hours,
  type HourlyRun,
} from '../../support/hourly-run.js';

const BTC = aSpotPair('BTC', 'USDT');

type Trader = CandleDrivenStrategy<unknown>;

/** Runs the action of an hour at its close, counted from the first candle, on candles of the BTC instrument. */
function doing(actions: Readonly<Record<number, (trader: Trader) => void>>) {
  return class Doing extends CandleStrategy({}) {
    override onCandle({ closeTime, instrumentId }: Candle): void {
      if (instrumentId.includes('BTC')) actions[closeTime / HOUR_MS]?.(this);
    }
  };
}

async function gapsOf(options: HourlyRun) {
  return buildResult(await runHours(options)).gaps;
}

/** Candles of hours 0 to 2 and 5 to 6: the gap is from 3:00 to 5:00, when the price has gone from 100 to 111. */
const HOURS: Hours = { 0: 100, 1: 100, 2: 100, 5: 111, 6: 111 };

describe('the gaps of a run', () => {
  it('are those after its start, and none of its warm-up', async () => {
    const strategy = class Waits extends CandleStrategy({}) {
      override readonly warmup = 4;

      override onCandle(): void {
        // Nothing: this test only counts gaps.
      }
    };
    // The warm-up has the hours 0 to 2 and 5, and the run begins at 6:00.
    const hours: Hours = { ...HOURS, 9: 111, 10: 111 };

    const { run, gaps } = await runHours({ strategy, series: [[BTC, hours]] });

    expect(run.from).toBe(6 * HOUR_MS);
    expect(gaps).toMatchObject({ count: 1, missing: 2, starts: [{ time: 7 * HOUR_MS }] });
  });
});

describe('the money held across a gap', () => {
  it('is the value at the start of the gap, although the position is sold at its end', async () => {
    const strategy = doing({
      1: (trader) => {
        trader.enterLong({ quantity: '5' });
      },
      // Waits for the open at 5:00.
      3: (trader) => {
        trader.exit();
      },
    });

    expect(await gapsOf({ strategy, series: [[BTC, HOURS]] })).toEqual({
      count: 1,
      missing: 2,
      moneyHeld: '500',
    });
  });

  it('is zero without a position at the start of the gap, although an entry fills at its end', async () => {
    const strategy = doing({
      3: (trader) => {
        trader.enterLong({ notional: '555' });
      },
    });

    expect(await gapsOf({ strategy, series: [[BTC, HOURS]] })).toMatchObject({ moneyHeld: '0' });
  });

  it.each([
    ['that the bot learns of after it began', { updatePollMs: HOUR_MS / 2 + 1 }],
    ['where candles are told after it has ended', { dataDelayMs: 2.5 * HOUR_MS }],
  ])('counts fills %s', async (_what, simulation) => {
    const strategy = doing({
      1: (trader) => {
        trader.enterLong({ quantity: '5' }, { limitPrice: '95' });
      },
      5: (trader) => {
        trader.enterLong({ notional: '555' }, { add: true });
      },
    });
    const hours: Hours = {
      0: 100,
      1: 100,
      2: 100,
      3: 100,
      4: [100, 100, 90, 92],
      7: 111,
      8: 111,
      9: 111,
    };

    // Bought at 95 within the last candle, valued at its close.
    expect(await gapsOf({ strategy, simulation, series: [[BTC, hours]] })).toMatchObject({
      moneyHeld: '460',
    });
  });

  it('counts only the instrument that has the gap', async () => {
    const strategy = doing({
      1: (trader) => {
        trader.enterLong({ quantity: '5' }, { instrument: 'BTCUSDT' });
        trader.enterLong({ quantity: '7' }, { instrument: 'ETHUSDT' });
      },
    });
    const eth: Hours = { 0: 10, 1: 10, 2: 11, 3: 12, 4: 13, 5: 14, 6: 14 };

    expect(
      await gapsOf({
        strategy,
        series: [
          [BTC, HOURS],
          [aSpotPair('ETH', 'USDT'), eth],
        ],
      }),
    ).toEqual({ count: 1, missing: 2, moneyHeld: '500' });
  });

  it.each([
    // 50 contracts of 0.1 at 100.
    ['a linear contract', 'linear', 'USDT', '500'],
    // 50 contracts of 10 quote are 5 coins at 100.
    ['an inverse contract', 'inverse', 'BTC', '5'],
  ] as const)(
    'is the notional of a long or short in %s',
    async (_what, contract, equityCurrency, held) => {
      const instrument = aContract('BTC', 'USDT', contract);
      const enter = {
        1: (trader: Trader) => {
          trader.enterLong({ quantity: '50' });
        },
      };
      const enterShort = {
        1: (trader: Trader) => {
          trader.enterShort({ quantity: '50' });
        },
      };

      for (const actions of [enter, enterShort]) {
        const strategy = doing(actions);
        expect(
          await gapsOf({ strategy, equityCurrency, series: [[instrument, HOURS]] }),
        ).toMatchObject({ moneyHeld: held });
      }
    },
  );

  it('is the debt of a short on margin', async () => {
    const strategy = doing({
      1: (trader) => {
        trader.enterShort({ quantity: '5' });
      },
    });
    const simulation = { margin: { hourlyRate: parseFixed('0') } };

    expect(
      await gapsOf({ strategy, simulation, series: [[aMarginPair('BTC', 'USDT'), HOURS]] }),
    ).toMatchObject({ moneyHeld: '500' });
  });

  it('is valued in the equity currency at the close before the gap', async () => {
    const strategy = doing({
      1: (trader) => {
        trader.enterLong({ quantity: '5' }, { instrument: 'BTCUSDT' });
      },
    });
    // A dollar is worth 2 when the gap begins.
    const dollar: Hours = { 0: 1, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5 };

    expect(
      await gapsOf({
        strategy,
        equityCurrency: 'EUR',
        simulation: {
          balances: {
            spot: new Map([
              ['USDT', parseFixed('10000')],
              ['EUR', parseFixed('1')],
            ]),
          },
        },
        series: [
          [BTC, HOURS],
          [aSpotPair('BTC', 'EUR'), { ...HOURS, 3: 200, 4: 200 }],
          [aSpotPair('USDT', 'EUR'), dollar],
        ],
      }),
    ).toMatchObject({ moneyHeld: '1000' });
  });
});

describe('candles that begin late or end early', () => {
  const ETH = aSpotPair('ETH', 'USDT');
  const WHOLE: Hours = { 0: 10, 1: 10, 2: 10, 3: 10, 4: 10, 5: 10 };
  const both = doing({
    2: (trader) => {
      trader.enterLong({ quantity: '5' }, { instrument: 'BTCUSDT' });
    },
  });

  async function warningsOf(
    btc: Hours,
    simulation: HourlyRun['simulation'] = {},
    strategy: HourlyRun['strategy'] = both,
  ): Promise<readonly string[]> {
    const series = [
      [BTC, btc],
      [ETH, WHOLE],
    ] as const;
    const { warnings } = await runHours({ strategy, simulation, series });
    return warnings.filter((text) => text.includes('no candles'));
  }

  it('are reported with the position held, also with closeAtEnd', async () => {
    const early: Hours = { 0: 100, 1: 100, 2: 100, 3: 102 };
    const expected = [
      'spot:BTCUSDT 1h: no candles from 1970-01-01T04:00:00Z to 1970-01-01T06:00:00Z, the end of the range; 5 were held of it, worth 510 USDT at the last close',
    ];

    expect(await warningsOf(early)).toEqual(expected);
    expect(await warningsOf(early, { closeAtEnd: true })).toEqual(expected);
    expect(await warningsOf({ 0: 100 })).toEqual([
      'spot:BTCUSDT 1h: no candles from 1970-01-01T01:00:00Z to 1970-01-01T06:00:00Z, the end of the range; nothing was held of it',
    ]);
  });

  it('are reported if only the last candle is missing', async () => {
    expect(await warningsOf({ 0: 100, 1: 100, 2: 100, 3: 100, 4: 100 })).toEqual([
      'spot:BTCUSDT 1h: no candles from 1970-01-01T05:00:00Z to 1970-01-01T06:00:00Z, the end of the range; 5 were held of it, worth 500 USDT at the last close',
    ]);
  });

  it('are reported if they begin late', async () => {
    expect(await warningsOf({ 3: 100, 4: 100, 5: 100 }, {}, doing({}))).toEqual([
      'spot:BTCUSDT 1h: no candles from 1970-01-01T00:00:00Z to 1970-01-01T03:00:00Z',
    ]);
  });

  it('are reported if a gap extends beyond the end', async () => {
    const gap: Hours = { 0: 100, 1: 100, 2: 100, 5: 100 };

    expect(await warningsOf(gap, { to: 4.5 * HOUR_MS })).toEqual([
      'spot:BTCUSDT 1h: no candles from 1970-01-01T03:00:00Z to 1970-01-01T04:30:00Z, the end of the range; 5 were held of it, worth 500 USDT at the last close',
    ]);
  });

  it('are not reported if no candle is missing, whatever the grid of the run', async () => {
    expect(await warningsOf(WHOLE)).toEqual([]);
    expect(await warningsOf(WHOLE, { from: HOUR_MS / 2, to: 5.5 * HOUR_MS })).toEqual([]);
    expect(await warningsOf(WHOLE, { dataDelayMs: 90_000 })).toEqual([]);
  });

  it('are reported for every instrument if they end before the requested end', async () => {
    expect(await warningsOf(WHOLE, { to: 9 * HOUR_MS })).toHaveLength(2);
  });
});
