import { describe, expect, it } from 'vitest';

import { MINUTE_MS } from '../../../src/domain/index.js';
import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import {
  aVenue,
  ETH_USDT,
  linesOf,
  play,
  report,
  START,
  type VenueCandle,
} from '../../support/spot-venue.js';

/** The second and third minute have no stored candle. */
const GAP: readonly VenueCandle[] = [
  { minute: 0, path: [100, 100, 100, 100] },
  { minute: 3, path: [95, 95, 95, 95] },
];

describe('a gap in the candles', () => {
  it('delays arriving orders to the next open, in order, before orders that arrive there', () => {
    const lines = report({ candles: GAP }, [
      { at: 60_000, submit: aMarketRequest({ id: 'a' }) },
      { at: 90_000, submit: aLimitRequest({ id: 'b', limitPrice: '96' }) },
      { at: 180_000, submit: aMarketRequest({ id: 'c' }) },
    ]);

    expect(lines).toEqual([
      '+180000 fill a 1 @ 95 taker, done',
      '+180000 fill b 1 @ 95 taker, done',
      '+180000 fill c 1 @ 95 taker, done',
    ]);
  });

  it('does not delay cancels of waiting and resting orders', () => {
    const lines = report({ candles: GAP }, [
      { at: 0, submit: aLimitRequest({ id: 'resting', limitPrice: '99' }) },
      { at: 70_000, submit: aMarketRequest({ id: 'waiting' }) },
      { at: 80_000, cancel: 'waiting' },
      { at: 90_000, cancel: 'resting' },
    ]);

    expect(lines).toEqual([
      '+0 accepted resting',
      '+80000 accepted waiting',
      '+80000 ended waiting canceled on-request',
      '+90000 ended resting canceled on-request',
    ]);
  });

  it('fills an order with a limit inside the jump at the next open, at its limit', () => {
    const lines = report({ candles: GAP }, [
      { at: 0, submit: aLimitRequest({ limitPrice: '98' }) },
    ]);

    expect(lines[1]).toBe('+180000 fill order-1 1 @ 98 maker, done');
  });

  it('shows the last close as last', () => {
    const { venue, ...observed } = aVenue({
      candles: [{ path: [100, 101, 99, 100.5] }, ...GAP.slice(1)],
    });
    play({ venue, ...observed }, [], 100_000);

    expect(venue.market(aMarketRequest().instrumentId).isOpen).toBe(false);
    expect(venue.last(aMarketRequest().instrumentId, START + 100_000)).toBe(
      100_500_000_000_000_000_000n,
    );
  });

  it('also delays orders before the first candle and after the last', () => {
    const lines = report({ candles: [{ minute: 1, path: [100, 100, 100, 100] }] }, [
      { at: 0, submit: aMarketRequest({ id: 'early' }) },
      { at: 120_000, submit: aMarketRequest({ id: 'late' }) },
    ]);

    expect(lines).toEqual(['+60000 fill early 1 @ 100 taker, done']);
  });

  it('does not delay orders of another instrument', () => {
    const lines = report({ candles: GAP, ethCandles: [{ minute: 1, path: [50, 50, 50, 50] }] }, [
      { at: 60_000, submit: aMarketRequest({ id: 'btc' }) },
      {
        at: 60_000,
        submit: { ...aMarketRequest({ id: 'eth' }), instrumentId: ETH_USDT.id },
      },
    ]);

    expect(lines).toEqual([
      '+60000 fill eth 1 @ 50 taker, done',
      '+180000 fill btc 1 @ 95 taker, done',
    ]);
  });
});

describe('skipTo', () => {
  const candles: readonly VenueCandle[] = [
    { minute: 0, path: [100, 100, 100, 100] },
    { minute: 1, path: [101, 101, 101, 101] },
    { minute: 4, path: [104, 106, 104, 106] },
  ];

  it.each([
    [0, '100'],
    [30_000, '100'],
    [MINUTE_MS, '101'],
    [90_000, '101'],
    [4 * MINUTE_MS, '104'],
    // 104 + 2 × 10000 / 20000 in the second third of a candle that rises from its low
    [4 * MINUTE_MS + 30_000, '105'],
  ])('continues at +%s ms as if every time before had been visited', (ms, price) => {
    const observed = aVenue({ candles });
    const { venue } = observed;
    const time = START + ms;

    venue.skipTo(time);
    venue.completeUntil(time);
    venue.openAt(time);
    venue.submit(aMarketRequest(), time);

    expect(linesOf(observed)).toEqual([`+${String(ms)} fill order-1 1 @ ${price} taker, done`]);
  });

  it('keeps the volume already taken from the current candle', () => {
    const observed = aVenue({
      candles: [{ path: [100, 100, 100, 100], volume: 3 }],
      participation: '1',
    });
    const { venue } = observed;

    for (const ms of [10, 20]) {
      venue.skipTo(START + ms);
      venue.completeUntil(START + ms);
      venue.openAt(START + ms);
      venue.submit(aMarketRequest({ quantity: '2' }), START + ms);
    }

    expect(linesOf(observed)).toEqual([
      '+10 fill order-1 2 @ 100 taker, done',
      '+20 fill order-1 1 @ 100 taker',
      '+20 ended order-1 canceled not-at-once',
    ]);
  });

  it.each([
    ['waits for a candle', 70_000, aMarketRequest()],
    ['rests', 30_000, aLimitRequest({ limitPrice: '90' })],
  ])('leaves the venue idle only while no order %s', (_, ms, request) => {
    const { venue } = aVenue({ candles: GAP });
    const time = START + ms;
    venue.skipTo(time);

    expect(venue.isIdleUntil(Infinity)).toBe(true);
    venue.submit(request, time);
    expect(venue.isIdleUntil(Infinity)).toBe(false);
    venue.cancel(request.clientOrderId, time);
    expect(venue.isIdleUntil(Infinity)).toBe(true);
  });
});

describe('after the end of the data', () => {
  it('an order trades at the last close with taker costs and without a volume limit', () => {
    const observed = aVenue({
      candles: [{ path: [100, 100, 90, 90], volume: 1 }],
      participation: '0.1',
      halfSpread: '0.001',
    });
    const { venue } = observed;
    play(observed, [], MINUTE_MS);

    venue.reopenAtLastClose(START + MINUTE_MS);
    venue.submit(aMarketRequest({ quantity: '5' }), START + MINUTE_MS);

    // 90 × 0.999
    expect(linesOf(observed)).toEqual(['+60000 fill order-1 5 @ 89.91 taker, done']);
    expect(venue.undecided().count).toBe(0);
  });
});
