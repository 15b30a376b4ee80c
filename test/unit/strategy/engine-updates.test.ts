import { describe, expect, it } from 'vitest';

import {
  atr,
  bollinger,
  CandleStrategy,
  ema,
  Indicator,
  sma,
  type AnyIndicator,
  type Candle,
} from '../../../src/index.js';
import { closes, startStrategy } from '../../../src/testing/index.js';

/** The close itself. */
class Close extends Indicator {
  readonly lookback = 0;

  protected override next({ close }: Candle): number {
    return close;
  }
}

const wrong = (value: unknown): AnyIndicator => value as AnyIndicator;

describe('update of an indicator that a strategy has attached', () => {
  it.each<readonly [string, () => AnyIndicator]>([
    ['an average', () => sma(2)],
    ['one made of others', () => bollinger(2)],
    ['one with a part', () => atr(2)],
    ['one of its own', () => new Close()],
  ])('is refused, for it would count a candle twice: %s', async (_, make) => {
    class Updates extends CandleStrategy() {
      readonly line = this.indicator(make());

      override onCandle(candle: Candle): void {
        this.line.update(candle);
      }
    }
    const test = await startStrategy(Updates);

    expect(() => test.play(closes(100, 101, 102, 103))).toThrow(
      expect.objectContaining({
        code: 'E_INDICATOR_UPDATE',
        message: expect.stringContaining(
          'update: this indicator belongs to this.indicator(…), which gives it each candle once; for candles of your own, make another one without this.indicator',
        ),
      }),
    );
  });

  it('is refused for one that reads another, and for kept candles', async () => {
    class Updates extends CandleStrategy() {
      readonly line = this.indicator(sma(2));
      readonly smooth = this.indicator(ema(2), { of: this.line });
      readonly recent = this.candles(2);
      readonly refused: unknown[] = [];

      override onCandle(candle: Candle): void {
        for (const one of [this.smooth, wrong(this.recent)])
          try {
            one.update(candle);
          } catch (error: unknown) {
            this.refused.push((error as { code?: string }).code);
          }
      }
    }
    const test = await startStrategy(Updates);

    test.play(closes(...Array.from({ length: 60 }, (_, index) => 100 + index)));

    expect(new Set(test.strategy.refused)).toEqual(new Set(['E_INDICATOR_UPDATE']));
  });

  it('stays free for one that the strategy feeds by itself', async () => {
    class Feeds extends CandleStrategy() {
      readonly attached = this.indicator(sma(2));
      readonly own = sma(2);

      override onCandle(candle: Candle): void {
        this.own.update(candle);
      }
    }
    const test = await startStrategy(Feeds);

    test.play(closes(100, 101, 102, 110));

    expect(test.strategy.own.value).toBe(106);
    expect(test.strategy.attached.value).toBe(106);
  });
});
