import { describe, expect, it } from 'vitest';

import { HOUR_MS, parseFixed, type Candle } from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { columnsFrom } from '../../support/candle-columns.js';
import { BTC, ETH, replay, replaySeries } from '../../support/replay.js';

function idsOf({ orders }: RunRecord): readonly string[] {
  return Array.from(orders, ({ request }) => request.clientOrderId);
}

describe('client order ids', () => {
  it('differ between the instruments of one flatten', async () => {
    class Flattens extends CandleStrategy({}) {
      #step = 0;

      override onCandle({ instrumentId }: Candle): void {
        if (instrumentId !== BTC) return;
        this.#step += 1;
        if (this.#step === 1)
          for (const instrument of [BTC, ETH]) this.enterLong({ notional: '1000' }, { instrument });
        if (this.#step === 2) this.flatten();
      }
    }

    const record = await replaySeries(
      Flattens,
      [BTC, ETH].map((instrumentId) => ({
        instrumentId,
        interval: '1h',
        columns: columnsFrom(0, 4, HOUR_MS),
      })),
    );

    expect([...record.orders].map(({ request }) => request.side)).toEqual([
      'buy',
      'buy',
      'sell',
      'sell',
    ]);
    expect(new Set(idsOf(record)).size).toBe(4);
  });

  it('differ between the orders of one replacement', async () => {
    class Replaces extends CandleStrategy({}) {
      #step = 0;

      override onCandle({ close }: Candle): void {
        this.#step += 1;
        const terms = { limitPrice: (close * 0.5).toFixed(2), add: true, label: 'deep' };
        if (this.#step === 1)
          for (const quantity of ['1', '2']) this.enterLong({ quantity }, terms);
        if (this.#step === 2) this.replace({ label: 'deep' }, { limitPrice: '30' });
      }
    }

    const record = await replay(Replaces, columnsFrom(0, 4, HOUR_MS));

    const prices = [...record.orders].map(
      ({ request }) => request.type === 'limit' && request.limitPrice,
    );
    expect(prices).toEqual(['50.5', '50.5', '30', '30'].map(parseFixed));
    expect(new Set(idsOf(record)).size).toBe(4);
  });

  it('differ between an order and its remainder that is sent again', async () => {
    class BuysMuch extends CandleStrategy({}) {
      override onCandle(): void {
        this.enterLong({ notional: '1000' });
      }
    }

    const record = await replay(BuysMuch, columnsFrom(0, 6, HOUR_MS), {
      participation: parseFixed('1'),
      remainder: 'resend',
    });

    expect(record.orders.length).toBeGreaterThan(3);
    expect(new Set(idsOf(record)).size).toBe(record.orders.length);
  });
});
