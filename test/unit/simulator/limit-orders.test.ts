import { describe, expect, it } from 'vitest';

import { parseFixed, type Side, type TimeInForce } from '../../../src/domain/index.js';
import { createFixedSlippage } from '../../../src/simulator/index.js';
import { aLimitRequest } from '../../support/order-requests.js';
import { report, type ScriptStep, type VenueCandle } from '../../support/spot-venue.js';

const STILL: VenueCandle = { path: [100, 100, 100, 100] };
/** Rises from 100 to 103 in 20 s, falls to 94 in 20 s, and rises to 97 in 20 s. */
const MOVING: VenueCandle = { path: [100, 103, 94, 97] };

function limit(
  side: Side,
  limitPrice: string,
  at = 0,
  timeInForce: TimeInForce = 'GTC',
): ScriptStep {
  return { at, submit: aLimitRequest({ side, limitPrice, timeInForce }) };
}

describe('a LIMIT order that is marketable on arrival', () => {
  const spread = { candles: [STILL], halfSpread: '0.001' } as const;

  it('takes at the path price if its limit is there or better', () => {
    expect(report({ candles: [STILL] }, [limit('buy', '100')])).toEqual([
      '+0 fill order-1 1 @ 100 taker, done',
    ]);
    expect(report({ candles: [STILL] }, [limit('sell', '95')])).toEqual([
      '+0 fill order-1 1 @ 100 taker, done',
    ]);
  });

  it('has to cross the spread: 100.1 is the ask, 99.9 the bid', () => {
    expect(report(spread, [limit('buy', '100.1')])).toEqual([
      '+0 fill order-1 1 @ 100.1 taker, done',
    ]);
    expect(report(spread, [limit('sell', '99.9')])).toEqual([
      '+0 fill order-1 1 @ 99.9 taker, done',
    ]);
    expect(report(spread, [limit('buy', '100.09')])[0]).toBe('+0 accepted order-1');
    expect(report(spread, [limit('sell', '99.91')])[0]).toBe('+0 accepted order-1');
  });

  it('is never filled worse than its limit, for any slippage', () => {
    const slipping = { ...spread, slippage: createFixedSlippage(parseFixed('0.01')) };

    // 100 × 1.011 = 101.1 and 100 × 0.989 = 98.9 without limits
    expect(report(slipping, [limit('buy', '100.5')])).toEqual([
      '+0 fill order-1 1 @ 100.5 taker, done',
    ]);
    expect(report(slipping, [limit('buy', '102')])).toEqual([
      '+0 fill order-1 1 @ 101.1 taker, done',
    ]);
    expect(report(slipping, [limit('sell', '99.5')])).toEqual([
      '+0 fill order-1 1 @ 99.5 taker, done',
    ]);
    expect(report(slipping, [limit('sell', '98')])).toEqual([
      '+0 fill order-1 1 @ 98.9 taker, done',
    ]);
  });
});

describe('a LIMIT order that rests', () => {
  it('fills at a stored price that is a tick beyond to 18 decimals, whatever digits follow', () => {
    const rules = { pricePrecision: 8 };
    const falls: VenueCandle = { path: [0.0000534, 0.0000534, 0.000052780000000000006, 0.0000534] };
    const rises: VenueCandle = { path: [0.0000528, 0.00005285999999999999, 0.0000528, 0.0000528] };

    expect(report({ candles: [falls], rules }, [limit('buy', '0.00005279')])).toEqual([
      '+0 accepted order-1',
      '+40000 fill order-1 1 @ 0.00005279 maker, done',
    ]);
    expect(report({ candles: [rises], rules }, [limit('sell', '0.00005285')])).toEqual([
      '+0 accepted order-1',
      '+40000 fill order-1 1 @ 0.00005285 maker, done',
    ]);
  });

  it('fills at its limit as a maker once the path is a tick beyond, at the first whole millisecond', () => {
    // Falling 9 in 20000 ms from 103 at +20000: 98.99 after 4.01 / 9 × 20000 = 8911.1… ms
    expect(report({ candles: [MOVING] }, [limit('buy', '99')])).toEqual([
      '+0 accepted order-1',
      '+28912 fill order-1 1 @ 99 maker, done',
    ]);
    // Rising 3 in 20000 ms: 102.01 after 13400 ms
    expect(report({ candles: [MOVING] }, [limit('sell', '102')])).toEqual([
      '+0 accepted order-1',
      '+13400 fill order-1 1 @ 102 maker, done',
    ]);
  });

  it('does not fill when the path only touches its limit, unless fillOnTouch is set', () => {
    const touched = { candles: [MOVING] };

    expect(report(touched, [limit('buy', '94')])).toEqual(['+0 accepted order-1']);
    expect(report({ ...touched, fillOnTouch: true }, [limit('buy', '94')])).toEqual([
      '+0 accepted order-1',
      '+40000 fill order-1 1 @ 94 maker, done',
    ]);
    expect(report(touched, [limit('sell', '103')])).toEqual(['+0 accepted order-1']);
    expect(report({ ...touched, fillOnTouch: true }, [limit('sell', '103')])).toEqual([
      '+0 accepted order-1',
      '+20000 fill order-1 1 @ 103 maker, done',
    ]);
  });

  it('fills at its limit, not better, when the next candle opens beyond it', () => {
    const jump = { candles: [STILL, { path: [90, 91, 89, 90] }] } as const;

    expect(report(jump, [limit('buy', '99')])).toEqual([
      '+0 accepted order-1',
      '+60000 fill order-1 1 @ 99 maker, done',
    ]);
  });

  it('ignores the path before its arrival', () => {
    // The path was at 102.01 at 13400 ms; at 15000 ms it is at 102.25, so a sale at 102.5 waits for 102.51.
    expect(report({ candles: [MOVING] }, [limit('sell', '102.5', 15_000)])).toEqual([
      '+15000 accepted order-1',
      '+16734 fill order-1 1 @ 102.5 maker, done',
    ]);
    expect(report({ candles: [MOVING] }, [limit('sell', '102.5', 30_000)])).toEqual([
      '+30000 accepted order-1',
    ]);
  });

  it('fills on arrival as a maker if the path is beyond its limit but the spread prevents taking', () => {
    // The ask is 100.1; the bid of 100.05 is above the path of 100.
    expect(report({ candles: [STILL], halfSpread: '0.001' }, [limit('buy', '100.05')])).toEqual([
      '+0 accepted order-1',
      '+0 fill order-1 1 @ 100.05 maker, done',
    ]);
    expect(
      report({ candles: [STILL], halfSpread: '0.001' }, [limit('buy', '100.05', 0, 'POST_ONLY')]),
    ).toEqual(['+0 accepted order-1', '+0 fill order-1 1 @ 100.05 maker, done']);
  });

  it('fills by price, then by age, if several limits are reached at once', () => {
    const orders = [
      { id: 'late-99', side: 'buy', limitPrice: '99' },
      { id: 'later-99', side: 'buy', limitPrice: '99' },
      { id: 'best-99.5', side: 'buy', limitPrice: '99.5' },
    ] as const;
    const jump = { candles: [STILL, { path: [90, 91, 89, 90] }] } as const;

    const lines = report(
      jump,
      orders.map((order) => ({ at: 0, submit: aLimitRequest(order) })),
    );

    expect(lines.slice(3)).toEqual([
      '+60000 fill best-99.5 1 @ 99.5 maker, done',
      '+60000 fill late-99 1 @ 99 maker, done',
      '+60000 fill later-99 1 @ 99 maker, done',
    ]);
  });
});

describe('a buy and a sale that are reached at the same time', () => {
  it('fill the sale first', () => {
    // Both orders cross and find no volume. They still cross when the next candle opens, with volume for one order.
    const candles: readonly VenueCandle[] = [
      { ...STILL, volume: 0 },
      { ...STILL, volume: 1 },
    ];

    const lines = report({ candles, participation: '1' }, [
      { at: 0, submit: aLimitRequest({ id: 'buy', side: 'buy', limitPrice: '101' }) },
      { at: 0, submit: aLimitRequest({ id: 'sale', side: 'sell', limitPrice: '99' }) },
    ]);

    expect(lines.slice(2)).toEqual(['+60000 fill sale 1 @ 100 taker, done']);
  });
});

describe('time in force', () => {
  const scarce = {
    candles: [{ path: [100, 100, 100, 100], volume: 0.4 }, MOVING],
    participation: '1',
  } as const;

  it('POST_ONLY is canceled without a fill when it would take, and rests otherwise', () => {
    expect(report({ candles: [MOVING] }, [limit('buy', '100', 0, 'POST_ONLY')])).toEqual([
      '+0 ended order-1 canceled would-take',
    ]);
    expect(report({ candles: [MOVING] }, [limit('buy', '99', 0, 'POST_ONLY')])).toEqual([
      '+0 accepted order-1',
      '+28912 fill order-1 1 @ 99 maker, done',
    ]);
  });

  it('IOC takes the available volume, and the rest is canceled', () => {
    expect(report(scarce, [limit('buy', '100', 0, 'IOC')])).toEqual([
      '+0 fill order-1 0.4 @ 100 taker',
      '+0 ended order-1 canceled not-at-once',
    ]);
    expect(report(scarce, [limit('buy', '99', 0, 'IOC')])).toEqual([
      '+0 ended order-1 canceled not-at-once',
    ]);
  });

  it('FOK fills completely or not at all', () => {
    const plenty = { candles: [STILL], participation: '1' } as const;

    expect(report(plenty, [limit('buy', '100', 0, 'FOK')])).toEqual([
      '+0 fill order-1 1 @ 100 taker, done',
    ]);
    expect(report(scarce, [limit('buy', '100', 0, 'FOK')])).toEqual([
      '+0 ended order-1 canceled not-at-once',
    ]);
    expect(report(plenty, [limit('buy', '99', 0, 'FOK')])).toEqual([
      '+0 ended order-1 canceled not-at-once',
    ]);
  });

  it('GTC takes the available volume, and the rest keeps working', () => {
    expect(report(scarce, [limit('sell', '100', 0)])).toEqual([
      '+0 accepted order-1',
      '+0 fill order-1 0.4 @ 100 taker',
      '+60000 fill order-1 0.6 @ 100 taker, done',
    ]);
  });
});
