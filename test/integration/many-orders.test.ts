import { describe, expect, it } from 'vitest';

import { decimal, decimalFromFixed, formatFixed } from '../../src/domain/index.js';
import type { RunRecord } from '../../src/report/index.js';
import { CandleStrategy, type OrderHandle } from '../../src/strategy/index.js';
import { aSpotPair, runHours, type Hours } from '../support/hourly-run.js';

const PER_CANDLE = 1_000;
const COUNT = 4_000;
const QUANTITY = '0.001';
/** Of the first; each is a tick above the one before. */
const LOWEST = '50';

const limitOf = (place: number): string =>
  decimal(LOWEST).add(decimal('0.01').mul(place)).toFixed();

/** Places thousands of bids far below the market, moves some of them, and cancels those that are left: half by their labels, half one by one. */
class ManyBids extends CandleStrategy({}) {
  readonly #bids: OrderHandle[] = [];
  #candles = 0;

  override onCandle(): void {
    this.#candles += 1;
    if (this.#candles <= COUNT / PER_CANDLE) this.#place();
    else if (this.#candles === 6) this.#move();
    else if (this.#candles === 10) this.cancel({ label: 'even' });
    else if (this.#candles >= 12 && this.#candles < 16) this.#cancelOneByOne();
  }

  #place(): void {
    for (let order = 0; order < PER_CANDLE; order += 1) {
      const place = this.#bids.length;
      const label = place % 2 === 0 ? 'even' : 'odd';
      const terms = { add: true, limitPrice: limitOf(place), label };
      this.#bids.push(this.enterLong({ quantity: QUANTITY }, terms));
    }
  }

  #move(): void {
    for (const bid of this.#bids.slice(0, 100)) bid.replace({ limitPrice: '40' });
  }

  #cancelOneByOne(): void {
    const from = (this.#candles - 12) * PER_CANDLE;
    for (const bid of this.#bids.slice(from, from + PER_CANDLE))
      if (bid.orders.length > 0) bid.cancel();
  }
}

/** In the ninth hour the price falls to 80: what is a tick above that fills. */
const HOURS: Hours = Object.fromEntries(
  Array.from({ length: 24 }, (_, hour) => [hour, hour === 8 ? [100, 100, 80, 100] : 100]),
);

function count({ orders }: RunRecord): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of orders) counts[state.status] = (counts[state.status] ?? 0) + 1;
  return counts;
}

describe('thousands of orders at once', () => {
  it('each end once: those that the price comes to are filled at their limits, the others canceled', async () => {
    const record = await runHours({
      strategy: ManyBids,
      series: [[aSpotPair('BTC', 'USDT'), HOURS]],
    });

    const reached = Array.from({ length: COUNT }, (_, place) => limitOf(place)).filter((limit) =>
      decimal(limit).gte('80.01'),
    );
    expect(reached).toHaveLength(999);
    const prices = Array.from(record.fills, ({ record: { price } }) => formatFixed(price));
    expect(prices.toSorted()).toEqual(reached.toSorted());
    // 100 of them were canceled once to be moved.
    expect(count(record)).toEqual({ filled: 999, canceled: COUNT - 999 + 100 });
    expect(record.refusals).toEqual([]);
    expect(record.residual).toBe(0n);
    const paid = reached.reduce(
      (sum, limit) => sum.add(decimal(limit).mul(QUANTITY)),
      decimal('0'),
    );
    const balances = new Map(record.finalBalances.spot);
    expect(decimalFromFixed(balances.get('USDT') ?? 0n).toFixed()).toBe(
      decimal('10000').sub(paid).toFixed(),
    );
    expect(formatFixed(balances.get('BTC') ?? 0n)).toBe('0.999');
  });
});
