import assert from 'node:assert/strict';
import { map, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  CandleStrategy,
  crossedAbove,
  crossedBelow,
  enterLong,
  sma,
  Strategy,
  type Candle,
  type OrderIntent,
} from '../../../src/index.js';
import {
  checkLaws,
  exitAlwaysPasses,
  flat,
  neverNaked,
  nothingBeforeWarm,
  startStrategy,
  type Law,
} from '../../../src/testing/index.js';

/** Trades crossings, and guards its position. */
class Guarded extends CandleStrategy({}) {
  readonly fast = this.indicator(sma(2));
  readonly slow = this.indicator(sma(4));

  override onCandle(): void {
    const protection = { stopLoss: { ratio: '0.05' } };
    if (crossedAbove(this.fast, this.slow)) this.enterLong({ equity: '0.5' }, { protection });
    else if (crossedBelow(this.fast, this.slow)) this.exit();
  }
}

/** Buys on a rise, and holds the position without a stop. */
class Naked extends CandleStrategy({}) {
  override onCandle({ open, close }: Candle): void {
    if (close > open) this.enterLong({ equity: '0.5' });
    else if (close < open) this.exit();
  }
}

/** Places so many resting orders beside its position that the venue accepts no more. */
class Crowded extends CandleStrategy({}) {
  override onCandle({ open, close }: Candle): void {
    if (close > open) this.enterLong({ equity: '0.3' });
    this.enterLong({ equity: '0.1' }, { add: true, limitPrice: '40', label: 'deep' });
  }
}

/** Does not wait for its average. */
class Hasty extends Strategy({}) {
  readonly average = this.indicator(sma(10));

  override intents(): Observable<OrderIntent> {
    return this.market.candles$().pipe(map(() => enterLong({ equity: '0.5' })));
  }
}

class Fails extends CandleStrategy({}) {
  override onCandle({ open, close }: Candle): void {
    if (close < open) throw new Error('falls are not expected');
    this.enterLong({ equity: '0.5' });
  }
}

const neverHolds: Law = () => {
  assert.fail('cannot hold');
};

const FEW = { runs: 12, candles: 8 };
/** Rules of a venue that allows two working orders at once. */
const NARROW = { BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, maxWorkingOrders: 2 } };

describe('checkLaws', () => {
  it('passes for a strategy that keeps the ready-made laws', async () => {
    const laws = [neverNaked, exitAlwaysPasses, nothingBeforeWarm];

    await expect(checkLaws(Guarded, { laws, runs: 15, candles: 20 })).resolves.toBeUndefined();
  });

  it.each([
    ['exitAlwaysPasses', Crowded, exitAlwaysPasses, 'was refused by max-working-orders'],
    ['nothingBeforeWarm', Hasty, nothingBeforeWarm, '1 intent dropped by 2025-01-01T01:00:00Z'],
    ['neverHolds', Naked, neverHolds, 'cannot hold'],
    ['no failure', Fails, nothingBeforeWarm, 'falls are not expected'],
  ] as const)('reports a broken law: %s', async (name, strategy, law, said) => {
    const checked = checkLaws(strategy, { laws: [law], simulation: { rules: NARROW }, ...FEW });

    await expect(checked).rejects.toThrow(
      expect.objectContaining({
        code: 'E_TEST_LAW',
        message: expect.stringMatching(
          new RegExp(`^${name} is violated in market \\d+ of seed 1, .*${said}`),
        ) as string,
      }) as Error,
    );
  });

  it('ends its error with the smallest market that breaks the law, as code for a test', async () => {
    const checked = checkLaws(Naked, { laws: [neverNaked], runs: 10, candles: 15 });

    await expect(checked).rejects.toThrow(
      'neverNaked is violated in market 8 of seed 1, and in 23 smaller ones: 49.995 of spot:BTCUSDT long were held for a candle without a stop or an exit, at 2025-01-01T03:00:00Z\nThe smallest:\ntest.play([{ open: 100, close: 100.01 }, ...flat(2, 100.01)]);',
    );
    const test = await startStrategy(Naked);
    test.play([{ open: 100, close: 100.01 }, ...flat(1, 100.01)]);
    const before = neverNaked(test, false);
    test.play(flat(1, 100.01));
    expect([before, typeof neverNaked(test, true)]).toEqual([undefined, 'string']);
  });

  it('refuses a law that returns a promise, and a strategy that sends nothing', async () => {
    class Idle extends CandleStrategy({}) {
      override onCandle(): void {
        // Raises no intents.
      }
    }

    await expect(
      checkLaws(Guarded, { laws: [() => Promise.resolve('broken')], ...FEW }),
    ).rejects.toThrow(
      'expected a law that returns a text, or nothing if it holds, received a promise',
    );
    await expect(checkLaws(Idle, { laws: [neverNaked], ...FEW })).rejects.toMatchObject({
      code: 'E_TEST_QUIET',
    });
  });
});
