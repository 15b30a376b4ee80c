import {
  CandleStrategy,
  ema,
  Indicator,
  macd,
  rsi,
  sma,
  type Candle,
  type IndicatorOptions,
} from 'evenkeel';
import { describe, expect, it } from 'vitest';

import { HOUR_MS, type CandleColumns } from '../../../src/domain/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import { columnsOf } from '../../support/candle-columns.js';
import { candlesOfCloses } from '../../support/candles.js';
import { rejectionOf } from '../../support/failure.js';
import { replay } from '../../support/replay.js';

const CLOSES = Array.from({ length: 200 }, (_, row) => 100 + ((row * 37) % 23) + (row % 7));
const COLUMNS: CandleColumns = columnsOf(
  CLOSES.map((close, hour) => ({
    time: hour * HOUR_MS,
    open: close,
    high: close + 1,
    low: close - 1,
    close,
  })),
);

/** The indicator of docs/strategies.md. */
class Momentum extends Indicator {
  readonly lookback = 10;
  readonly #closes: number[] = [];

  protected override next({ close }: Candle): number {
    this.#closes.push(close);
    return this.#closes.length > this.lookback ? close - (this.#closes.shift() ?? NaN) : NaN;
  }
}

/** Runs a strategy that notes a value with each candle. */
async function noted(
  create: (note: (value: unknown) => void) => StrategyClass,
): Promise<readonly unknown[]> {
  const notes: unknown[] = [];
  await replay(
    create((value) => notes.push(value)),
    COLUMNS,
  );
  return notes;
}

describe('the last values of an indicator', () => {
  it('are available once the strategy is warm, as many as are kept', async () => {
    const notes = await noted(
      (note) =>
        class extends CandleStrategy({}) {
          readonly slow = this.indicator(sma(10), { keep: 5 });

          override onCandle(): void {
            note([0, -1, -2, -3, -4].map((offset) => this.slow.at(offset)));
          }
        },
    );

    const mean = (row: number): number =>
      CLOSES.slice(row - 9, row + 1).reduce((sum, close) => sum + close) / 10;
    // The average has its first value with row 9, and the fifth with row 13.
    expect(notes).toHaveLength(200 - 13);
    expect(notes[0]).toEqual([13, 12, 11, 10, 9].map(mean));
    expect(notes.at(-1)).toEqual([199, 198, 197, 196, 195].map(mean));
  });

  it('are the same in a run that computes ahead and in one that steps', async () => {
    const of = (feeds: 'stream' | 'indicator'): Promise<readonly unknown[]> =>
      noted(
        (note) =>
          class extends CandleStrategy({}) {
            override readonly warmup = 40;
            readonly close = this.indicator(sma(1));
            readonly slow = this.indicator(
              sma(10),
              feeds === 'stream' ? { keep: 20 } : { keep: 20, of: this.close },
            );

            override onCandle(): void {
              note([this.slow.at(0), this.slow.at(-1), this.slow.at(-19), this.slow.previous]);
            }
          },
      );

    expect(await of('indicator')).toEqual(await of('stream'));
  });

  it('are kept for each line', async () => {
    const notes = await noted(
      (note) =>
        class extends CandleStrategy({}) {
          readonly macd = this.indicator(macd(), { keep: 3 });
          readonly #seen: number[] = [];

          override onCandle(): void {
            this.#seen.push(this.macd.histogram.value);
            note(this.macd.histogram.at(-2) === this.#seen.at(-3) || this.#seen.length < 3);
          }
        },
    );

    expect(new Set(notes)).toEqual(new Set([true]));
  });

  it.each<[string, number, IndicatorOptions, string]>([
    [
      'nothing said',
      -2,
      {},
      'than the 2 values that are kept: write this.indicator(…, { keep: 3 })',
    ],
    [
      'too few',
      -5,
      { keep: 5 },
      'than the 5 values that are kept: write this.indicator(…, { keep: 6 })',
    ],
    [
      'the future',
      1,
      { keep: 5 },
      'expected at(0) for the newest, at(-1) for the one before it and so on, received at(1)',
    ],
    ['a part', -2.5, { keep: 5 }, 'received at(-2.5)'],
    [
      'none kept',
      0,
      { keep: 0 },
      'expected keep to be a whole number from 1 to 1000000, received 0',
    ],
  ])('are refused beyond the kept ones: %s', async (_, offset, options, problem) => {
    class Reader extends CandleStrategy({}) {
      readonly slow = this.indicator(sma(10), options);

      override onCandle(): void {
        this.slow.at(offset);
      }
    }

    const failure = await rejectionOf(replay(Reader, COLUMNS));

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_INDICATOR_HISTORY' });
    expect(failure.message).toContain(problem);
  });
});

describe('the last candles of a stream', () => {
  it('are available once the strategy is warm, newest last', async () => {
    const notes = await noted(
      (note) =>
        class extends CandleStrategy({}) {
          readonly recent = this.candles(7);

          override onCandle(candle: Candle): void {
            const { recent } = this;
            note([
              recent.list.map(({ close }) => close),
              recent.at(0) === candle,
              recent.at(-1).close,
              recent.at(-6).close,
              recent.length,
            ]);
          }
        },
    );

    expect(notes).toHaveLength(200 - 6);
    notes.forEach((note, index) => {
      const last = CLOSES.slice(index, index + 7);
      expect(note).toEqual([last, true, last[5], last[0], 7]);
    });
  });

  it.each([
    ['farther back', 3, -3, 'than the 3 candles that are kept: write this.candles(4)'],
    ['the future', 3, 1, 'received at(1)'],
    ['none', 0, 0, 'expected the number of candles to be a whole number'],
  ])('are refused beyond the kept ones: %s', async (_, count, offset, problem) => {
    class Reader extends CandleStrategy({}) {
      readonly recent = this.candles(count);

      override onCandle(): void {
        this.recent.at(offset);
      }
    }

    const failure = await rejectionOf(replay(Reader, COLUMNS));

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_INDICATOR_HISTORY' });
    expect(failure.message).toContain(problem);
  });

  it('are refused with their number before there are enough', async () => {
    const failure = await rejectionOf(
      noted(
        (note) =>
          class extends CandleStrategy({}) {
            readonly recent = this.candles(3);
            readonly subscription = this.market.candles$().subscribe(() => {
              note(this.recent.at(-1));
            });

            override onCandle(): void {
              // Nothing: the subscription reads the candles before this call.
            }
          },
      ),
    );

    expect(failure.message).toContain('there is 1 candle yet');
  });
});

describe('an indicator of an indicator', () => {
  it('is computed from its values, and is warm when both are', async () => {
    const notes = await noted(
      (note) =>
        class extends CandleStrategy({}) {
          readonly rsi = this.indicator(rsi(14));
          readonly smooth = this.indicator(ema(5), { of: this.rsi, keep: 2 });

          override onCandle(): void {
            note(this.smooth.value);
          }
        },
    );

    const [strength, smooth] = [rsi(14), ema(5)];
    const expected = candlesOfCloses(CLOSES).map((candle) => {
      strength.update(candle);
      const [close] = candlesOfCloses([strength.value]);
      if (strength.isReady && close !== undefined) smooth.update(close);
      return smooth.value;
    });
    expect(notes).toEqual(expected.slice(14 + 4 + 1));
  });

  it('can use a line, a derived indicator or an own indicator as its source', async () => {
    const notes = await noted(
      (note) =>
        class extends CandleStrategy({}) {
          readonly macd = this.indicator(macd());
          readonly line = this.indicator(sma(1), { of: this.macd.signal });
          readonly second = this.indicator(sma(1), { of: this.line });
          readonly own = this.indicator(new Momentum(), { keep: 12 });
          readonly ownOfLine = this.indicator(new Momentum(), { of: this.second });

          override onCandle(candle: Candle): void {
            note([
              this.second.value === this.macd.signal.value,
              this.own.at(-11) < 1_000,
              Number.isFinite(this.ownOfLine.value),
              candle.close,
            ]);
          }
        },
    );

    // Lookbacks: 33 for the three averages of MACD, 10 for the momentum.
    expect(notes).toEqual(CLOSES.slice(43).map((close) => [true, true, true, close]));
  });

  it.each<[string, (own: Sources) => IndicatorOptions, string]>([
    ['that was not made before', () => ({ of: sma(3) }), 'that this.indicator(…) has made before'],
    [
      'of another stream',
      ({ fast }) => ({ of: fast, interval: '1h' }),
      'without instrument and interval',
    ],
    ['without a line', ({ macd: lines }) => ({ of: lines as never }), 'a line of one such as'],
  ])('is refused: %s', async (_, options, problem) => {
    class Reader extends CandleStrategy({}) {
      readonly fast = this.indicator(sma(3));
      readonly macd = this.indicator(macd());
      readonly derived = this.indicator(sma(3), options(this));

      override onCandle(): void {
        // Not called: the constructor fails.
      }
    }

    const failure = await rejectionOf(replay(Reader, COLUMNS));

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_INDICATOR_SOURCE' });
    expect(failure.message).toContain(problem);
  });
});

interface Sources {
  readonly fast: Indicator;
  readonly macd: ReturnType<typeof macd>;
}
