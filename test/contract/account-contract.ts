import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { parseVenueOrderId } from '../../src/domain/index.js';
import type { VenueInstrument } from '../../src/testing/index.js';
import {
  accepted,
  aLimit,
  collect,
  NEVER,
  type CreateHarness,
  type VenueHarness,
} from './venue-harness.js';

const OPTIONS = { signal: NEVER };

/** Registers the tests that every {@link AccountSource} must pass. */
export function describeAccountSource(name: string, create: CreateHarness): void {
  describe(`AccountSource of ${name}`, () => {
    let venue: VenueHarness;

    beforeEach(async () => {
      venue = await create();
    });

    afterEach(async () => {
      await venue.close();
    });

    /** Buys five times, each time filled at once. */
    async function buyFiveTimes(instrument: VenueInstrument): Promise<string[]> {
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        ids.push(await accepted(venue, aLimit(instrument, { limitPrice: instrument.fillingBid })));
      }
      return ids;
    }

    it('AC-01 returns the balances of spot', async () => {
      const account = await venue.account.account('spot', OPTIONS);

      if (account.kind !== 'spot') throw new Error('expected a spot account');
      expect(account.balances.length).toBeGreaterThan(0);
      expect(account.balances.some(({ exact }) => exact.free > 0n)).toBe(true);
      expect(account.balances.every(({ exact }) => exact.free >= 0n && exact.locked >= 0n)).toBe(
        true,
      );
    });

    it('AC-02 locks the money of a resting order, and frees it when the order ends', async () => {
      const before = await lockedIn();
      const venueOrderId = await accepted(venue, aLimit(venue.spot));

      const during = await lockedIn();
      await venue.execution.cancel({ instrumentId: venue.spot.id, venueOrderId }, OPTIONS);
      await venue.settle();

      expect(during > before).toBe(true);
      expect(await lockedIn()).toBe(before);

      async function lockedIn(): Promise<bigint> {
        const account = await venue.account.account('spot', OPTIONS);
        const balances = account.kind === 'spot' ? account.balances : [];
        return balances.reduce((sum, { exact }) => sum + exact.locked, 0n);
      }
    });

    it('AC-03 returns the margin accounts of futures, with the opened position', async () => {
      const { id, fillingBid, quantity } = venue.futures;
      await accepted(venue, aLimit(venue.futures, { limitPrice: fillingBid }));

      const account = await venue.account.account('futures', OPTIONS);

      if (account.kind !== 'futures') throw new Error('expected a futures account');
      const positions = account.accounts.flatMap((entry) => entry.positions);
      expect(positions).toMatchObject([
        { instrumentId: id, direction: 'long', marginMode: 'isolated', quantity },
      ]);
    });

    it.each(['spot', 'margin', 'futures'] as const)(
      'AC-04 lists no orders if no order works (%s)',
      async (product) => {
        expect(await venue.account.openOrders(venue[product].id, OPTIONS)).toEqual([]);
      },
    );

    it.each(['spot', 'margin', 'futures'] as const)(
      'AC-05 returns no order for an unknown id (%s)',
      async (product) => {
        const venueOrderId = parseVenueOrderId('3221406049627000001');

        const order = await venue.account.order(
          { instrumentId: venue[product].id, venueOrderId },
          OPTIONS,
        );

        expect(order).toBeUndefined();
      },
    );

    it.each(['spot', 'margin', 'futures'] as const)(
      'AC-06 lists own trades over several pages, each once (%s)',
      async (product) => {
        const orders = await buyFiveTimes(venue[product]);

        const trades = await collect(
          venue.account.trades(venue[product].id, { signal: NEVER, pageSize: 2 }),
        );

        const ids = trades.map(({ venueTradeId }) => venueTradeId);
        expect(new Set(ids).size).toBe(ids.length);
        expect(new Set(trades.map(({ venueOrderId }) => venueOrderId))).toEqual(new Set(orders));
        expect(trades.every(({ side }) => side === 'buy')).toBe(true);
      },
    );

    it('AC-07 starts with the given trade id, including that trade', async () => {
      await buyFiveTimes(venue.spot);
      const all = await collect(venue.account.trades(venue.spot.id, OPTIONS));
      const rising = all.toSorted((a, b) => Number(a.venueTradeId) - Number(b.venueTradeId));

      const later = await collect(
        venue.account.trades(venue.spot.id, {
          signal: NEVER,
          fromId: rising[2]?.venueTradeId ?? '',
        }),
      );

      expect(later.map(({ venueTradeId }) => venueTradeId).sort()).toEqual(
        rising.slice(2).map(({ venueTradeId }) => venueTradeId),
      );
    });

    it('AC-08 lists ended and working futures orders over several pages, each once', async () => {
      const filled = await buyFiveTimes(venue.futures);
      const resting = await accepted(venue, aLimit(venue.futures));

      const history = await collect(
        venue.account.orderHistory(venue.futures.id, { signal: NEVER, pageSize: 2 }),
      );

      const ids = history.map(({ venueOrderId }) => venueOrderId);
      expect(ids.toSorted()).toEqual([...filled, resting].sort());
      expect(history.filter(({ status }) => status === 'filled')).toHaveLength(5);
    });

    it('AC-09 lists the results of closed positions', async () => {
      const { id, quantity, fillingBid, fillingAsk } = venue.futures;
      await accepted(venue, aLimit(venue.futures, { limitPrice: fillingBid }));
      const close = { side: 'sell', action: 'close', limitPrice: fillingAsk } as const;
      await accepted(venue, aLimit(venue.futures, close));

      const profits = await collect(venue.account.profits(id, OPTIONS));

      expect(profits).toMatchObject([{ quantity }]);
      for (const { totalProfit, closeProfit, tradeFee, fundingFee } of profits) {
        expect(totalProfit).toBe(closeProfit + tradeFee + fundingFee);
      }
    });

    it('AC-10 refuses order and profit histories of products other than futures', () => {
      const refusal = expect.objectContaining({ code: 'E_INSTRUMENT' }) as Error;

      expect(() => venue.account.orderHistory(venue.spot.id, OPTIONS)).toThrow(refusal);
      expect(() => venue.account.profits(venue.margin.id, OPTIONS)).toThrow(refusal);
    });

    it("AC-11 ends with the signal's reason when it is aborted", async () => {
      const signal = AbortSignal.abort(new Error('stopped'));

      await expect(venue.account.account('spot', { signal })).rejects.toThrow('stopped');
      await expect(collect(venue.account.trades(venue.spot.id, { signal }))).rejects.toThrow(
        'stopped',
      );
    });
  });
}
