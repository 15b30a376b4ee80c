import { describe, expect, it } from 'vitest';
import { CandleStrategy, exit, type Fill } from '../../../src/index.js';
import {
  closes,
  flat,
  neverNaked,
  startStrategy,
  type TestedClass,
} from '../../../src/testing/index.js';
import type { StrategyInstance } from '../../../src/strategy/index.js';

/** Buys with its first candle, and calls `then` with its second. */
const buys = (
  quantity: string,
  then: (strategy: { exit: (terms: { limitPrice: string }) => unknown }) => void = () => undefined,
): TestedClass<StrategyInstance> =>
  class Buys extends CandleStrategy({}) {
    #candles = 0;

    override onCandle(): void {
      this.#candles += 1;
      if (this.#candles === 1) this.enterLong({ quantity });
      if (this.#candles === 2) then(this);
    }
  };

/** Whether the law is broken after each of four candles. The law is called like in `checkLaws`. */
async function askedOf(strategy: TestedClass<StrategyInstance>): Promise<readonly boolean[]> {
  const test = await startStrategy(strategy);
  return [1, 2, 3, 4].map(() => typeof neverNaked(test.play(flat(1, 100)), false) === 'string');
}

describe('neverNaked', () => {
  it('allows a new position one candle without a guard, and ignores dust', async () => {
    expect(await askedOf(buys('2'))).toEqual([false, false, true, true]);
    expect(await askedOf(buys('0.09'))).toEqual([false, false, false, false]);
  });

  it('accepts a resting exit as a guard', async () => {
    const strategy = buys('2', (one) => one.exit({ limitPrice: '200' }));

    expect(await askedOf(strategy)).toEqual([false, false, false, false]);
  });

  it('accepts an exit that waits for the end of entries as a guard', async () => {
    class Leaves extends CandleStrategy({}) {
      #candles = 0;

      override onCandle(): void {
        this.#candles += 1;
        const protection = { stopLoss: { ratio: '0.05' } };
        if (this.#candles === 1) this.enterLong({ quantity: '2' }, { protection });
        if (this.#candles === 2) this.enterLong({ quantity: '1' }, { add: true, limitPrice: '90' });
        if (this.#candles === 3) this.exit({ cancelEntries: true });
      }
    }
    const test = (await startStrategy(Leaves)).play(flat(2, 100));
    neverNaked(test, false);

    test.play(flat(1, 100));

    expect(test.stops).toEqual([]);
    expect(test.waitingExits).toMatchObject([{ instrumentId: 'spot:BTCUSDT', direction: 'long' }]);
    expect(neverNaked(test, false)).toBeUndefined();
    test.play(flat(1, 100));
    expect(test.positions).toEqual([]);
  });

  it('allows another candle for a position that was closed and bought again within a candle', async () => {
    class BuysAgain extends CandleStrategy({}) {
      #isBegun = false;

      override onCandle(): void {
        if (this.#isBegun) return;
        this.#isBegun = true;
        this.enterLong({ quantity: '2' }, { protection: { takeProfit: { ratio: '0.03' } } });
      }

      override onFill({ action }: Fill): void {
        if (action === 'close') this.enterLong({ quantity: '2' });
      }
    }
    const test = await startStrategy(BuysAgain);

    test.play(flat(2, 100));
    const guarded = neverNaked(test, false);
    test.play([{ close: 103, high: 104 }]);
    const anew = neverNaked(test, false);
    test.play(closes(103));

    expect(test.fills.map(({ side }) => side)).toEqual(['buy', 'sell', 'buy']);
    expect([guarded, anew, typeof neverNaked(test, true)]).toEqual([
      undefined,
      undefined,
      'string',
    ]);
  });
});

describe('a strategy under test', () => {
  it('raises intents of the test, and shows its positions and stops', async () => {
    class Guards extends CandleStrategy({}) {
      override onCandle(): void {
        this.enterLong({ quantity: '2' }, { protection: { stopLoss: { ratio: '0.05' } } });
      }
    }
    const test = (await startStrategy(Guards)).play(flat(2, 100));

    const held = test.positions.map(({ quantity }) => quantity.toString());
    const stops = test.stops.map(({ price }) => price);
    test.want(exit()).tick(100);

    expect([held, stops]).toEqual([['2'], ['95']]);
    expect([test.positions, test.stops]).toEqual([[], []]);
  });
});
