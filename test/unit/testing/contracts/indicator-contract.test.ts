import { describe, expect, it } from 'vitest';
import {
  adx,
  atr,
  bollinger,
  cci,
  donchian,
  ema,
  highest,
  Indicator,
  kama,
  lowest,
  macd,
  mfi,
  obv,
  roc,
  rsi,
  sma,
  standardDeviation,
  stochastic,
  supertrend,
  trueRange,
  vwap,
  wma,
  type AnyIndicator,
  type Candle,
} from '../../../../src/index.js';
import { indicatorContract } from '../../../../src/testing/index.js';
import { brokenOf, passes } from './broken-of.js';

/** A correct average of closes. Subclasses contain the typical mistakes of authors. */
class Average extends Indicator {
  readonly lookback: number = 9;
  protected readonly closes: number[] = [];

  protected override next({ close }: Candle): number {
    this.closes.push(close);
    if (this.closes.length > 10) this.closes.shift();
    if (this.closes.length < 10) return Number.NaN;
    return this.closes.reduce((sum, value) => sum + value, 0) / 10;
  }
}

describe('the contract of an indicator', () => {
  passes(
    'one by hand',
    indicatorContract(() => new Average()),
  );
  for (const [name, create] of Object.entries({
    atr: () => atr(14),
    cci: () => cci(20),
    ema: () => ema(20),
    highest: () => highest(20),
    kama: () => kama(10),
    lowest: () => lowest(20),
    obv: () => obv(),
    roc: () => roc(10),
    rsi: () => rsi(14),
    sma: () => sma(30),
    standardDeviation: () => standardDeviation(20),
    trueRange: () => trueRange(),
    wma: () => wma(10),
  }))
    passes(name, indicatorContract<AnyIndicator>(create));
  passes(
    'adx',
    indicatorContract(() => adx(14)),
  );
  passes(
    'bollinger',
    indicatorContract(() => bollinger(20, 2)),
  );
  passes(
    'donchian',
    indicatorContract(() => donchian(20)),
  );
  passes(
    'macd',
    indicatorContract(() => macd()),
  );
  passes(
    'mfi',
    indicatorContract(() => mfi(14)),
  );
  passes(
    'stochastic',
    indicatorContract(() => stochastic()),
  );
  passes(
    'supertrend',
    indicatorContract(() => supertrend(10, 3)),
  );
  passes(
    'vwap',
    indicatorContract(() => vwap(20)),
  );

  const cases: readonly (readonly [string, () => Average, RegExp])[] = [
    [
      'a lookback that is too short',
      () =>
        new (class extends Average {
          override readonly lookback = 8;
        })(),
      /first values with candle 9, received values with candle 10/,
    ],
    [
      'a number that stands for none',
      () =>
        new (class extends Average {
          protected override next(candle: Candle): number {
            const value = super.next(candle);
            return Number.isNaN(value) ? 0 : value;
          }
        })(),
      /first values with candle 10, received values with candle 1 to 1/,
    ],
    [
      'an average that never forgets',
      () =>
        new (class extends Average {
          #sum = 0;
          #count = 0;
          protected override next({ close }: Candle): number {
            this.#sum += close;
            this.#count += 1;
            return this.#count < 10 ? Number.NaN : this.#sum / this.#count;
          }
        })(),
      /values that differ by/,
    ],
    [
      'a range that is divided by',
      () =>
        new (class extends Average {
          protected override next(candle: Candle): number {
            return super.next(candle) / (Math.max(...this.closes) - Math.min(...this.closes));
          }
        })(),
      /of a still market/,
    ],
    [
      'what it writes to a candle',
      () =>
        new (class extends Average {
          protected override next(candle: Candle): number {
            (candle as { close: number }).close = Math.round(candle.close);
            return super.next(candle);
          }
        })(),
      /does not change the candle/,
    ],
  ];
  it.each(cases)('catches %s', async (_, create, message) => {
    expect(await brokenOf(indicatorContract(create))).toMatch(message);
  });

  it('catches state that two instances share', async () => {
    const shared: number[] = [];
    class Shared extends Average {
      protected override readonly closes = shared;
    }

    expect(await brokenOf(indicatorContract(() => new Shared()))).toMatch(/as alone|first values/);
  });
});
