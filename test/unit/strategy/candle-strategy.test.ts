import { describe, expect, it } from 'vitest';

import { HOUR_MS, type OrderIntent } from '../../../src/domain/index.js';
import { runBacktest } from '../../../src/run/index.js';
import { CandleStrategy, type OrderHandle } from '../../../src/strategy/index.js';

const SIZE = { quantity: '1' };
const ENTRY = { kind: 'enter', direction: 'long', size: SIZE } as const;
const SYMBOL = 'E-BTC-USDT';
const CANDLES = [0, 1, 2, 3, 4, 5, 6, 7].map((hour) => ({
  openTime: hour * HOUR_MS,
  ...{ open: 100, high: 100, low: 100, close: 100, volume: 1_000 },
}));

abstract class RequestMaker extends CandleStrategy({}) {}

type Say = (strategy: RequestMaker) => OrderHandle;

/** Repeats a call with each candle. Returns the intents that were made, and all numbers. Runs without a journal, which would need every intent. */
async function repeat(
  say: Say,
): Promise<{ readonly made: readonly OrderIntent[]; readonly numbers: readonly number[] }> {
  const made: OrderIntent[] = [];
  const numbers: number[] = [];
  class Repeats extends RequestMaker {
    override onCandle(): void {
      numbers.push(say(this).intentId);
    }

    protected override raise(intent: OrderIntent): number {
      made.push(intent);
      return super.raise(intent);
    }
  }
  await runBacktest({
    strategy: Repeats,
    candles: [{ instrument: `futures:${SYMBOL}`, interval: '1h', candles: CANDLES }],
    config: {
      name: 'repeats',
      instruments: [
        {
          product: 'futures',
          symbol: SYMBOL,
          intervals: ['1h'],
          leverage: 2,
          marginMode: 'cross',
          multiplier: '1',
        },
      ],
      simulation: {
        balances: { USDT: '10000' },
        fees: { maker: '0', taker: '0' },
        rules: { [SYMBOL]: { pricePrecision: 2, quantityPrecision: 0 } },
      },
    },
  });
  return { made, numbers };
}

describe('CandleStrategy', () => {
  it.each<readonly [string, Say, OrderIntent]>([
    ['long', (strategy) => strategy.enterLong(SIZE), { ...ENTRY, direction: 'long' }],
    ['short', (strategy) => strategy.enterShort(SIZE), { ...ENTRY, direction: 'short' }],
    ['exit', (strategy) => strategy.exit(), { kind: 'exit' }],
  ])(
    'does not raise a repeated "%s" intent that cannot change anything',
    async (_, say, intent) => {
      const { made, numbers } = await repeat(say);

      // Sometimes the intent is made all the same, to find out whether it changes something by now.
      expect(new Set(made.map((one) => JSON.stringify(one)))).toEqual(
        new Set([JSON.stringify(intent)]),
      );
      expect(made.length).toBeLessThan(CANDLES.length);
      expect(numbers).toEqual(CANDLES.map((__, index) => index + 1));
    },
  );

  it('raises an exit with a direction every time', async () => {
    const { made } = await repeat((strategy) => strategy.exit({ direction: 'long' }));

    expect(made).toEqual(CANDLES.map(() => ({ kind: 'exit', direction: 'long' })));
  });
});
