import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed } from '../../../src/domain/index.js';
import { createFixedSlippage, createSquareRootSlippage } from '../../../src/simulator/index.js';
import { aMarketRequest } from '../../support/order-requests.js';
import { aVenue, linesOf, play, report, type VenueCandle } from '../../support/spot-venue.js';

/** Rises from 100 to 103, falls to 94, and ends at 97: a third of the minute each. */
const MOVING: VenueCandle = { path: [100, 103, 94, 97] };

const buy = (money: string): ReturnType<typeof aMarketRequest> =>
  aMarketRequest({ side: 'buy', quantity: money });
const sell = (quantity: string): ReturnType<typeof aMarketRequest> =>
  aMarketRequest({ side: 'sell', quantity });

describe('a MARKET order', () => {
  it('trades at the open when it arrives there', () => {
    const lines = report({ candles: [MOVING] }, [{ at: 0, submit: sell('1') }]);

    expect(lines).toEqual(['+0 fill order-1 1 @ 100 taker, done']);
  });

  it('trades at the path price when it arrives inside a candle, rounded against it to the tick', () => {
    // 100 + 3 × 3333 / 20000 = 100.49995
    const late = { candles: [MOVING] };

    expect(report(late, [{ at: 3_333, submit: sell('1') }])).toEqual([
      '+3333 fill order-1 1 @ 100.49 taker, done',
    ]);
    expect(report(late, [{ at: 3_333, submit: buy('100.5') }])).toEqual([
      '+3333 fill order-1 1 @ 100.5 taker, done',
    ]);
  });

  it('pays half the spread and the slippage, rounded once against it', () => {
    const costly = {
      candles: [{ path: [100, 100, 100, 100] }],
      halfSpread: '0.0005',
      slippage: createFixedSlippage(parseFixed('0.00012')),
    } as const;

    // 100 × 1.00062 = 100.062 up to 100.07; 100 × 0.99938 = 99.938 down to 99.93
    expect(report(costly, [{ at: 0, submit: buy('200.14') }])).toEqual([
      '+0 fill order-1 2 @ 100.07 taker, done',
    ]);
    expect(report(costly, [{ at: 0, submit: sell('2') }])).toEqual([
      '+0 fill order-1 2 @ 99.93 taker, done',
    ]);
  });

  it('buys for a quote amount, rounded down to the step, and leaves the rest in quote', () => {
    const observed = aVenue({
      candles: [{ path: [100.01, 100.01, 100.01, 100.01] }],
      balances: { USDT: '60' },
    });
    play(observed, [{ at: 0, submit: buy('50') }], 0);

    // 50 / 100.01 = 0.49995…
    expect(linesOf(observed)).toEqual(['+0 fill order-1 0.499 @ 100.01 taker, done']);
    // 60 − 0.499 × 100.01, and nothing is locked any more.
    const { spot } = observed.venue.accounts;
    expect(formatFixed(spot.totals().get('USDT') ?? 0n)).toBe('10.09501');
    expect(spot.locked('USDT')).toBe(0n);
  });

  it('is rejected when the amount does not buy one step', () => {
    expect(report({}, [{ at: 0, submit: buy('0.0999') }])).toEqual([
      '+0 ended order-1 rejected -1136',
    ]);
    expect(report({}, [{ at: 0, submit: buy('0.1') }])).toEqual([
      '+0 fill order-1 0.001 @ 100 taker, done',
    ]);
  });

  it('never sells below one tick', () => {
    const worthless = {
      candles: [{ path: [0.01, 0.01, 0.01, 0.01] }],
      slippage: createFixedSlippage(parseFixed('0.5')),
    } as const;

    expect(report(worthless, [{ at: 0, submit: sell('10') }])).toEqual([
      '+0 fill order-1 10 @ 0.01 taker, done',
    ]);
  });

  it('pays slippage by the square root of its share of the candle volume', () => {
    // 0.01 × √(4 / 100) = 0.002
    const impact = {
      candles: [{ path: [100, 100, 100, 100], volume: 100 }],
      slippage: createSquareRootSlippage(parseFixed('0.01')),
    } as const;

    expect(report(impact, [{ at: 0, submit: sell('4') }])).toEqual([
      '+0 fill order-1 4 @ 99.8 taker, done',
    ]);
    // 401 buys 4.01 at the path: 0.01 × √(4.01 / 100) = 0.0020025 → 100.20025 → 100.21; 401 / 100.21 = 4.0015…
    expect(report(impact, [{ at: 0, submit: buy('401') }])).toEqual([
      '+0 fill order-1 4.001 @ 100.21 taker, done',
    ]);
  });

  it('pays slippage for the quantity that the volume allows, not for the requested quantity', () => {
    // The pool holds 4 of 100: the impact is that of 4, 0.002.
    const lines = report(
      {
        candles: [{ path: [100, 100, 100, 100], volume: 100 }],
        slippage: createSquareRootSlippage(parseFixed('0.01')),
        participation: '0.04',
      },
      [{ at: 0, submit: sell('9') }],
    );

    expect(lines).toEqual([
      '+0 fill order-1 4 @ 99.8 taker',
      '+0 ended order-1 canceled not-at-once',
    ]);
  });
});
