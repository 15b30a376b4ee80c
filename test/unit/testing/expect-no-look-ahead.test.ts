import { describe, expect, it } from 'vitest';
import {
  CandleStrategy,
  crossedAbove,
  crossedBelow,
  sma,
  type Candle,
} from '../../../src/index.js';
import { expectNoLookAhead, flat, walk, type TestedClass } from '../../../src/testing/index.js';
import type { StrategyInstance } from '../../../src/strategy/index.js';

const CANDLES = walk({ length: 100, seed: 5 });

class Crossing extends CandleStrategy({}) {
  readonly fast = this.indicator(sma(2));
  readonly slow = this.indicator(sma(5));

  override onCandle(): void {
    if (crossedAbove(this.fast, this.slow)) this.enterLong({ equity: '0.5' });
    else if (crossedBelow(this.fast, this.slow)) this.exit();
  }
}

type Signal = (closes: readonly number[], place: number) => number;

/** A strategy that is long while `signal` at the place of the candle is above 0. */
const signaled = (
  signal: Signal,
): ((candles: readonly Candle[]) => TestedClass<StrategyInstance>) => {
  return (candles) => {
    const closes = candles.map(({ close }) => close);
    const places = new Map(candles.map(({ openTime }, place) => [openTime, place]));
    return class Signaled extends CandleStrategy({}) {
      override onCandle({ openTime }: Candle): void {
        if (signal(closes, places.get(openTime) ?? 0) > 0) this.enterLong({ equity: '0.5' });
        else this.exit();
      }
    };
  };
};

const at = (closes: readonly number[], place: number): number =>
  closes[Math.max(0, Math.min(closes.length - 1, place))] ?? 0;

describe('expectNoLookAhead', () => {
  it.each([
    ['trades on indicators', Crossing],
    [
      'knows closes up to its candle',
      { madeFrom: signaled((closes, i) => at(closes, i) - at(closes, i - 3)) },
    ],
  ])('accepts a strategy that %s', async (_, strategy) => {
    await expect(
      expectNoLookAhead(strategy, { candles: CANDLES, instants: 3 }),
    ).resolves.toBeUndefined();
  });

  it('names the first difference, its time, and the change of the candles', async () => {
    const strategy = { madeFrom: signaled((closes, i) => at(closes, i + 1) - at(closes, i)) };

    await expect(expectNoLookAhead(strategy, { candles: CANDLES, instants: 2 })).rejects.toThrow(
      expect.objectContaining({
        code: 'E_TEST_LOOK_AHEAD',
        message:
          'a later candle changes what is done: 2025-01-02T21:00:00Z, with noise after it: at 2025-01-02T21:00:00Z: an order to sell spot:BTCUSDT as it was, enter with noise after it',
      }) as Error,
    );
  });

  it.each<readonly [string, Signal]>([
    [
      'a centered average',
      (closes, i) => at(closes, i - 1) + at(closes, i + 1) - 2 * at(closes, i),
    ],
    ['the highest close of all', (closes, i) => 0.98 * Math.max(...closes) - at(closes, i)],
  ])('rejects a strategy that knows %s', async (_, signal) => {
    const strategy = { madeFrom: signaled(signal) };

    await expect(
      expectNoLookAhead(strategy, { candles: CANDLES, instants: 2 }),
    ).rejects.toMatchObject({ code: 'E_TEST_LOOK_AHEAD' });
  });

  it('rejects a strategy that keeps values of a run for the next run', async () => {
    const seen: number[] = [];
    class Keeps extends CandleStrategy({}) {
      #place = 0;

      override onCandle({ close }: Candle): void {
        const next = seen[this.#place + 1] ?? close;
        seen[this.#place] = close;
        this.#place += 1;
        if (next > close) this.enterLong({ equity: '0.5' });
        else this.exit();
      }
    }

    await expect(expectNoLookAhead(Keeps, { candles: CANDLES })).rejects.toThrow(
      /^two runs on the same candles differ at 2025-01-01T/,
    );
  });

  it('throws E_TEST_QUIET if the strategy sends nothing', async () => {
    await expect(expectNoLookAhead(Crossing, { candles: flat(60, 100) })).rejects.toMatchObject({
      code: 'E_TEST_QUIET',
    });
  });
});
