import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  FIXED_ONE,
  formatFixed,
  isFinalStatus,
  multiplyFixed,
  parseVenueOrderId,
} from '../../src/domain/index.js';
import {
  accepted,
  aLimit,
  aMarket,
  collect,
  filledBy,
  freshId,
  NEVER,
  type CreateHarness,
  type VenueHarness,
} from './venue-harness.js';

const OPTIONS = { signal: NEVER };
/** A well-formed id that no venue has given. */
const EXTERNAL = parseVenueOrderId('3221406049627000001');

/** Registers the tests that every {@link ExecutionAdapter} must pass, checked through the account of the same venue. */
export function describeExecutionAdapter(name: string, create: CreateHarness): void {
  describe(`ExecutionAdapter of ${name}`, () => {
    let venue: VenueHarness;

    beforeEach(async () => {
      venue = await create();
    });

    afterEach(async () => {
      await venue.close();
    });

    it.each(['spot', 'margin', 'futures'] as const)(
      'EX-01 keeps a LIMIT order away from the market working (%s)',
      async (product) => {
        const order = aLimit(venue[product]);

        const venueOrderId = await accepted(venue, order);

        const working = await venue.account.openOrders(venue[product].id, OPTIONS);
        expect(working).toMatchObject([
          {
            venueOrderId,
            instrumentId: order.instrumentId,
            side: 'buy',
            type: 'limit',
            status: 'open',
            limitPrice: venue[product].restingBid,
            quantity: order.quantity,
            filledQuantity: 0n,
          },
        ]);
      },
    );

    it.each(['spot', 'margin', 'futures'] as const)(
      'EX-02 cancels a resting order permanently (%s)',
      async (product) => {
        const { id } = venue[product];
        const venueOrderId = await accepted(venue, aLimit(venue[product]));

        const outcome = await venue.execution.cancel({ instrumentId: id, venueOrderId }, OPTIONS);
        await venue.settle();

        expect(outcome.kind).toBe('requested');
        expect(await venue.account.openOrders(id, OPTIONS)).toEqual([]);
        const order = await venue.account.order({ instrumentId: id, venueOrderId }, OPTIONS);
        expect(order).toMatchObject({ status: 'canceled', filledQuantity: 0n });
      },
    );

    it.each(['spot', 'margin', 'futures'] as const)(
      'EX-03 fills a LIMIT order at the market, never worse than its limit (%s)',
      async (product) => {
        const { id, fillingBid, quantity } = venue[product];

        const venueOrderId = await accepted(
          venue,
          aLimit(venue[product], { limitPrice: fillingBid }),
        );

        const order = await venue.account.order({ instrumentId: id, venueOrderId }, OPTIONS);
        const trades = await collect(venue.account.trades(id, OPTIONS));
        expect(order).toMatchObject({ status: 'filled', filledQuantity: quantity });
        expect(filledBy(trades, venueOrderId).quantity).toBe(formatFixed(quantity));
        expect(trades.every(({ price }) => price <= fillingBid)).toBe(true);
      },
    );

    it('EX-04 spends at most the money of a spot MARKET buy', async () => {
      const { id, fillingBid, quantity } = venue.spot;
      const money = multiplyFixed(fillingBid, quantity);
      const terms = { side: 'buy', action: 'open', quantity: money, unit: 'quote' } as const;

      const venueOrderId = await accepted(venue, aMarket(venue.spot, terms));

      const trades = await collect(venue.account.trades(id, OPTIONS));
      const spent = trades
        .filter((trade) => trade.venueOrderId === venueOrderId)
        .reduce((sum, trade) => sum + multiplyFixed(trade.price, trade.quantity), 0n);
      const order = await venue.account.order({ instrumentId: id, venueOrderId }, OPTIONS);
      expect(spent > 0n && spent <= money).toBe(true);
      expect(order).toMatchObject({ side: 'buy', type: 'market' });
      expect(order?.filledQuantity).toBe(trades.reduce((sum, trade) => sum + trade.quantity, 0n));
    });

    it('EX-05 sells the base of a spot MARKET sell', async () => {
      const { id, quantity } = venue.spot;
      const terms = { side: 'sell', action: 'close', quantity, unit: 'base' } as const;

      const venueOrderId = await accepted(venue, aMarket(venue.spot, terms));

      const order = await venue.account.order({ instrumentId: id, venueOrderId }, OPTIONS);
      expect(order).toMatchObject({ side: 'sell', status: 'filled', filledQuantity: quantity });
    });

    it('EX-06 opens a futures position and closes it again', async () => {
      const { id, fillingBid, quantity } = venue.futures;
      await accepted(venue, aLimit(venue.futures, { limitPrice: fillingBid }));
      const held = await quantityHeld();

      const terms = { side: 'sell', action: 'close', quantity, unit: 'contracts' } as const;
      await accepted(venue, aMarket(venue.futures, terms));

      expect(held).toBe(formatFixed(quantity));
      expect(await quantityHeld()).toBe('0');

      async function quantityHeld(): Promise<string> {
        const account = await venue.account.account('futures', OPTIONS);
        const positions = account.kind === 'futures' ? account.accounts : [];
        const own = positions.flatMap((entry) =>
          entry.positions.filter((p) => p.instrumentId === id),
        );
        return formatFixed(own.reduce((sum, position) => sum + position.quantity, 0n));
      }
    });

    it('EX-07 reports a refusal with its reason, and leaves no working order', async () => {
      // A millionth of a quadrillionth: below every step and every minimum.
      const order = aLimit(venue.spot, { quantity: 1n });

      const outcome = await venue.execution.submit(order, OPTIONS);

      if (outcome.kind !== 'rejected') throw new Error('expected a rejection');
      expect(outcome.reason.code).not.toBe('');
      expect(await venue.account.openOrders(venue.spot.id, OPTIONS)).toEqual([]);
    });

    it('EX-08 rejects an order that the account cannot pay', async () => {
      const order = aLimit(venue.spot, { quantity: venue.spot.quantity * 1_000_000n });

      const outcome = await venue.execution.submit(order, OPTIONS);

      expect(outcome).toMatchObject({ kind: 'rejected', reason: { code: '-2017' } });
      expect(await venue.account.openOrders(venue.spot.id, OPTIONS)).toEqual([]);
    });

    it.each(['spot', 'margin', 'futures'] as const)(
      'EX-09 refuses to cancel an unknown order (%s)',
      async (product) => {
        const target = { instrumentId: venue[product].id, venueOrderId: EXTERNAL };

        const outcome = await venue.execution.cancel(target, OPTIONS);

        expect(outcome.kind).toBe('refused');
      },
    );

    it('EX-10 leaves a filled order filled after a late cancel', async () => {
      const { id, fillingBid } = venue.spot;
      const venueOrderId = await accepted(venue, aLimit(venue.spot, { limitPrice: fillingBid }));

      await venue.execution.cancel({ instrumentId: id, venueOrderId }, OPTIONS);
      await venue.settle();

      const order = await venue.account.order({ instrumentId: id, venueOrderId }, OPTIONS);
      expect(order?.status).toBe('filled');
    });

    it('EX-11 places a batch, and returns the outcomes in the same order', async () => {
      const { id, restingBid, restingAsk } = venue.spot;
      const orders = [
        aLimit(venue.spot, { limitPrice: restingBid }),
        aLimit(venue.spot, { side: 'sell', action: 'close', limitPrice: restingAsk }),
      ];

      const outcomes = await venue.execution.submitBatch(orders, OPTIONS);
      await venue.settle();

      const working = await venue.account.openOrders(id, OPTIONS);
      const sides = outcomes.map((outcome) => {
        const venueOrderId = outcome.kind === 'accepted' ? outcome.venueOrderId : undefined;
        return working.find((order) => order.venueOrderId === venueOrderId)?.side;
      });
      expect(sides).toEqual(['buy', 'sell']);
    });

    it('EX-12 refuses a batch that is empty, too large, mixed or not of spot, and places no order of it', async () => {
      const eleven = Array.from({ length: 11 }, () => aLimit(venue.spot));
      const elsewhere = aLimit({ ...venue.spot, id: venue.unlistedSpot });

      const codes = await Promise.all(
        [[], eleven, [aLimit(venue.spot), elsewhere], [aLimit(venue.futures)]].map((orders) =>
          venue.execution.submitBatch(orders, OPTIONS).then(
            () => 'none',
            (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
          ),
        ),
      );

      expect(codes).toEqual(['E_BATCH', 'E_BATCH', 'E_BATCH', 'E_INSTRUMENT']);
      expect(await venue.account.openOrders(venue.spot.id, OPTIONS)).toEqual([]);
    });

    it('EX-13 cancels a batch, and returns the outcomes in the same order', async () => {
      const { id } = venue.spot;
      const resting = await accepted(venue, aLimit(venue.spot));

      const outcomes = await venue.execution.cancelBatch(id, [EXTERNAL, resting], OPTIONS);
      await venue.settle();

      expect(outcomes.map((outcome) => outcome?.kind)).toEqual(['refused', 'requested']);
      expect(await venue.account.openOrders(id, OPTIONS)).toEqual([]);
    });

    it('EX-14 checks an order without placing it', async () => {
      const good = await venue.execution.test(aLimit(venue.spot), OPTIONS);
      const bad = await venue.execution.test(aLimit(venue.spot, { quantity: 1n }), OPTIONS);

      expect([good, bad?.kind]).toEqual([undefined, 'rejected']);
      expect(await venue.account.openOrders(venue.spot.id, OPTIONS)).toEqual([]);
    });

    it('EX-15 never fills a POST_ONLY order that would cross', async () => {
      const { id, fillingBid: limitPrice } = venue.futures;
      const order = aLimit(venue.futures, { limitPrice, timeInForce: 'POST_ONLY' });

      const outcome = await venue.execution.submit(order, OPTIONS);
      await venue.settle();

      expect(await collect(venue.account.trades(id, OPTIONS))).toEqual([]);
      expect(await venue.account.openOrders(id, OPTIONS)).toEqual([]);
      if (outcome.kind === 'accepted') {
        const { venueOrderId } = outcome;
        const ended = await venue.account.order({ instrumentId: id, venueOrderId }, OPTIONS);
        expect(ended?.status).toMatch(/^(?:canceled|rejected|expired)$/);
      }
    });

    it('EX-16 ends an IOC order at once, with its filled quantity', async () => {
      const { id, fillingBid, quantity } = venue.futures;
      const filling = aLimit(venue.futures, { limitPrice: fillingBid, timeInForce: 'IOC' });
      const missing = aLimit(venue.futures, { timeInForce: 'IOC' });

      const ids = [await accepted(venue, filling), await accepted(venue, missing)];

      const orders = await Promise.all(
        ids.map((venueOrderId) => venue.account.order({ instrumentId: id, venueOrderId }, OPTIONS)),
      );
      expect(orders.every((order) => order !== undefined && isFinalStatus(order.status))).toBe(
        true,
      );
      expect(orders.map((order) => order?.filledQuantity)).toEqual([quantity, 0n]);
    });

    it('EX-17 sends nothing once the signal is aborted', async () => {
      const signal = AbortSignal.abort(new Error('stopped'));

      await expect(venue.execution.submit(aLimit(venue.spot), { signal })).rejects.toThrow(
        'stopped',
      );

      expect(await venue.account.openOrders(venue.spot.id, OPTIONS)).toEqual([]);
    });

    it('EX-18 sends a conditional order, which places no order before its trigger', async () => {
      const { id, quantity, restingBid } = venue.futures;
      const order = aMarket(venue.futures, {
        side: 'sell',
        action: 'close',
        quantity,
        unit: 'contracts',
      });

      const outcome = await venue.execution.submitConditional(
        { order, trigger: 'stop-loss', triggerPrice: restingBid },
        OPTIONS,
      );

      if (outcome.kind !== 'accepted') throw new Error('expected acceptance');
      expect(outcome.triggerId).not.toBe('');
      expect(await venue.account.openOrders(id, OPTIONS)).toEqual([]);
    });

    it('EX-19 keeps every digit of an order id, and gives each order its own id', async () => {
      const ids = [
        await accepted(venue, aLimit(venue.spot)),
        await accepted(venue, aLimit(venue.spot)),
      ];

      const working = await venue.account.openOrders(venue.spot.id, OPTIONS);

      expect(new Set(ids).size).toBe(2);
      expect(working.map(({ venueOrderId }) => venueOrderId).sort()).toEqual(ids.toSorted());
    });

    it('EX-20 sends the client order id, and returns it with the order', async () => {
      const clientOrderId = freshId();
      await accepted(venue, aLimit(venue.spot, { clientOrderId }));

      const [order] = await venue.account.openOrders(venue.spot.id, OPTIONS);

      expect(order?.clientOrderId).toBe(clientOrderId);
    });

    it('EX-21 refuses calls for products that do not support them', async () => {
      const condition = {
        order: aLimit(venue.spot),
        trigger: 'chase-up',
        triggerPrice: FIXED_ONE,
      } as const;
      const refusal = { code: 'E_INSTRUMENT' };

      await expect(venue.execution.submitConditional(condition, OPTIONS)).rejects.toMatchObject(
        refusal,
      );
      await expect(venue.execution.test(aLimit(venue.futures), OPTIONS)).rejects.toMatchObject(
        refusal,
      );
    });
  });
}
