import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { closeTimeOf, floorToInterval, VENUE_INTERVALS } from '../../src/domain/index.js';
import type { PolledCandle } from '../../src/venue/index.js';
import { NEVER, type CreateHarness, type VenueHarness } from './venue-harness.js';

/** Registers the tests that every {@link MarketDataSource} must pass. */
export function describeMarketDataSource(name: string, create: CreateHarness): void {
  describe(`MarketDataSource of ${name}`, () => {
    let venue: VenueHarness;

    beforeEach(async () => {
      venue = await create();
    });

    afterEach(async () => {
      await venue.close();
    });

    it.each(['spot', 'margin', 'futures'] as const)(
      'MD-01 answers a ping for %s',
      async (product) => {
        await expect(venue.marketData.ping(product, { signal: NEVER })).resolves.toBeUndefined();
      },
    );

    it.each(['spot', 'margin', 'futures'] as const)(
      "MD-02 returns the venue's time for %s",
      async (product) => {
        const before = venue.now();

        const time = await venue.marketData.serverTime(product, { signal: NEVER });

        expect(time).toBeGreaterThanOrEqual(before);
        expect(time).toBeLessThanOrEqual(venue.now());
      },
    );

    it('MD-03 lists the instruments with their rules, for margin the same as for spot', async () => {
      const spot = await venue.marketData.listings('spot', { signal: NEVER });
      const margin = await venue.marketData.listings('margin', { signal: NEVER });
      const futures = await venue.marketData.listings('futures', { signal: NEVER });

      const own = spot.listings.find(({ instrumentId }) => instrumentId === venue.spot.id);
      const contract = futures.listings.find(
        ({ instrumentId }) => instrumentId === venue.futures.id,
      );
      expect(own).toMatchObject({ kind: 'spot', rules: { tradable: true } });
      expect(contract).toMatchObject({
        kind: 'futures',
        rules: { tradable: true, quantityPrecision: 0 },
      });
      expect(margin).toEqual(spot);
    });

    it.each(VENUE_INTERVALS)(
      'MD-04 serves candles of %s in rising order, once each, on their grid',
      async (interval) => {
        for (const { id } of [venue.spot, venue.margin, venue.futures]) {
          const candles = await venue.marketData.candles(id, interval, {
            signal: NEVER,
            limit: 10,
          });

          const opens = candles.map(({ openTime }) => openTime);
          expect(opens.length).toBeGreaterThan(0);
          expect(opens.length).toBeLessThanOrEqual(10);
          expect(opens).toEqual([...new Set(opens)].sort((a, b) => a - b));
          expect(opens).toEqual(opens.map((openTime) => floorToInterval(openTime, interval)));
          expect(candles.every((candle) => isSound(candle, id))).toBe(true);
        }
      },
    );

    it('MD-05 marks at most the newest candle as open, and only while it runs', async () => {
      const candles = await venue.marketData.candles(venue.spot.id, '1min', { signal: NEVER });

      const newest = candles.at(-1);
      expect(candles.slice(0, -1).every(({ closed }) => closed)).toBe(true);
      if (newest?.closed === false) {
        expect(newest.openTime).toBeLessThanOrEqual(venue.now());
        expect(newest.closeTime).toBeGreaterThan(newest.openTime);
      } else {
        expect(newest?.closeTime).toBeLessThanOrEqual(venue.now());
      }
    });

    it('MD-06 returns a ticker with last within its range', async () => {
      for (const { id } of [venue.spot, venue.margin, venue.futures]) {
        const ticker = await venue.marketData.ticker(id, { signal: NEVER });

        expect(ticker.instrumentId).toBe(id);
        expect(ticker.last >= ticker.low && ticker.last <= ticker.high).toBe(true);
        expect(ticker.last > 0n).toBe(true);
      }
    });

    it('MD-07 returns an uncrossed book, best price first, not deeper than requested', async () => {
      for (const { id } of [venue.spot, venue.margin, venue.futures]) {
        const { bids, asks } = await venue.marketData.depth(id, { signal: NEVER, limit: 3 });

        expect(bids.length).toBeLessThanOrEqual(3);
        expect(asks.length).toBeLessThanOrEqual(3);
        expect(isFalling(bids.map(({ price }) => price))).toBe(true);
        expect(isFalling(asks.map(({ price }) => -price))).toBe(true);
        const [bid, ask] = [bids[0]?.price, asks[0]?.price];
        expect(bid !== undefined && ask !== undefined && bid < ask).toBe(true);
      }
    });

    it('MD-08 lists public trades of spot and margin in rising time', async () => {
      for (const { id } of [venue.spot, venue.margin]) {
        const trades = await venue.marketData.trades(id, { signal: NEVER, limit: 5 });

        const times = trades.map(({ time }) => time);
        expect(times.length).toBeGreaterThan(0);
        expect(times.length).toBeLessThanOrEqual(5);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }
    });

    it('MD-09 returns the mark price and the index price of a contract', async () => {
      const mark = await venue.marketData.markPrice(venue.futures.id, { signal: NEVER });

      expect(mark.instrumentId).toBe(venue.futures.id);
      expect(mark.markPrice > 0n && mark.indexPrice > 0n).toBe(true);
    });

    it('MD-10 refuses calls that a product does not have', async () => {
      const refusal = { code: 'E_INSTRUMENT' };

      await expect(
        venue.marketData.markPrice(venue.spot.id, { signal: NEVER }),
      ).rejects.toMatchObject(refusal);
      await expect(
        venue.marketData.trades(venue.futures.id, { signal: NEVER }),
      ).rejects.toMatchObject(refusal);
    });

    it('MD-11 rejects an instrument that the venue does not list', async () => {
      await expect(
        venue.marketData.ticker(venue.unlistedSpot, { signal: NEVER }),
      ).rejects.toMatchObject({ code: 'E_VENUE_REFUSED' });
    });

    it("MD-12 ends with the signal's reason when it is aborted", async () => {
      const signal = AbortSignal.abort(new Error('stopped'));

      await expect(venue.marketData.ticker(venue.spot.id, { signal })).rejects.toThrow('stopped');
    });
  });
}

function isSound(candle: PolledCandle, id: string): boolean {
  const { open, high, low, close, volume, openTime, closeTime, interval } = candle;
  const isOrdered = low <= Math.min(open, close) && high >= Math.max(open, close) && low > 0;
  return (
    candle.instrumentId === id &&
    isOrdered &&
    volume >= 0 &&
    closeTime === closeTimeOf(openTime, interval)
  );
}

function isFalling(values: readonly bigint[]): boolean {
  return values.every((value, index) => {
    const before = values[index - 1];
    return before === undefined || before > value;
  });
}
