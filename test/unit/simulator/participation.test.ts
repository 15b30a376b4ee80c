import { describe, expect, it } from 'vitest';

import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import { ETH_USDT, report, type VenueCandle } from '../../support/spot-venue.js';

const sell = (id: string, quantity: string): ReturnType<typeof aMarketRequest> =>
  aMarketRequest({ id, side: 'sell', quantity });

function still(volume: number): VenueCandle {
  return { path: [100, 100, 100, 100], volume };
}

describe('the volume pool', () => {
  it('is a share of the candle volume, rounded down to the step, and shared by all orders', () => {
    // 0.1 × 12.349 = 1.2349 → 1.234
    const lines = report({ candles: [still(12.349)], participation: '0.1' }, [
      { at: 0, submit: sell('a', '1') },
      { at: 10, submit: sell('b', '1') },
      { at: 20, submit: sell('c', '1') },
    ]);

    expect(lines).toEqual([
      '+0 fill a 1 @ 100 taker, done',
      '+10 fill b 0.234 @ 100 taker',
      '+10 ended b canceled not-at-once',
      '+20 ended c canceled not-at-once',
    ]);
  });

  it('is not rounded up before it is floored', () => {
    // 0.333333333333333333 × 3.003 = 1.000999999999999999999 → 1, not 1.001
    const lines = report({ candles: [still(3.003)], participation: '0.333333333333333333' }, [
      { at: 0, submit: sell('a', '2') },
    ]);

    expect(lines).toEqual(['+0 fill a 1 @ 100 taker', '+0 ended a canceled not-at-once']);
  });

  it('is used in the order of the path, and is new with each candle', () => {
    // Down first: the buy is reached before the sale.
    const candles: readonly VenueCandle[] = [
      { path: [100, 102, 99, 100], volume: 1 },
      { path: [100, 102, 99, 100], volume: 5 },
    ];

    const lines = report({ candles, participation: '1', order: 'low-first' }, [
      { at: 0, submit: aLimitRequest({ id: 'sale', side: 'sell', limitPrice: '101' }) },
      { at: 0, submit: aLimitRequest({ id: 'buy', limitPrice: '99.5', quantity: '0.7' }) },
    ]);

    expect(lines.slice(2)).toEqual([
      // 99.49 after 0.51 of 1 down: 10200 ms; 101.01 after 2.01 of 3 up: 13400 ms
      '+10200 fill buy 0.7 @ 99.5 maker, done',
      '+33400 fill sale 0.3 @ 101 maker',
      '+93400 fill sale 0.7 @ 101 maker, done',
    ]);
  });

  it('fills nothing in a candle without volume', () => {
    const lines = report({ candles: [still(0)], participation: '0.5', fillOnTouch: true }, [
      { at: 0, submit: sell('a', '1') },
      { at: 0, submit: aLimitRequest({ id: 'b', limitPrice: '100' }) },
    ]);

    expect(lines).toEqual(['+0 ended a canceled not-at-once', '+0 accepted b']);
  });

  it('is unlimited when participation is off', () => {
    const lines = report({ candles: [still(0)] }, [{ at: 0, submit: sell('a', '10') }]);

    expect(lines).toEqual(['+0 fill a 10 @ 100 taker, done']);
  });

  it('converts a volume stored in quote at the close', () => {
    // 500 USDT / 125 = 4 BTC
    const candles: readonly VenueCandle[] = [{ path: [100, 125, 100, 125], volume: 500 }];

    const lines = report({ candles, participation: '1', volumeUnit: 'quote' }, [
      { at: 0, submit: sell('a', '10') },
    ]);

    expect(lines).toEqual(['+0 fill a 4 @ 100 taker', '+0 ended a canceled not-at-once']);
  });

  it('is separate for each instrument', () => {
    const lines = report({ candles: [still(1)], ethCandles: [still(2)], participation: '1' }, [
      { at: 0, submit: sell('btc', '5') },
      { at: 0, submit: { ...sell('eth', '5'), instrumentId: ETH_USDT.id } },
    ]);

    expect(lines.filter((line) => line.includes('fill'))).toEqual([
      '+0 fill btc 1 @ 100 taker',
      '+0 fill eth 2 @ 100 taker',
    ]);
  });
});
