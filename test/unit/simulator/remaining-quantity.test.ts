import { describe, expect, it } from 'vitest';

import { MINUTE_MS, parseFixed, type Side } from '../../../src/domain/index.js';
import { createFixedSlippage, createSquareRootSlippage } from '../../../src/simulator/index.js';
import {
  aContract,
  aContractLimit,
  aContractMarket,
  aFuturesVenue,
  describeAny,
  reportFutures,
} from '../../support/futures-venue.js';
import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import { aMarginPair, aMarginVenue } from '../../support/margin-venue.js';
import {
  aVenue,
  feesOf,
  play,
  report,
  type ScriptStep,
  type VenueCandle,
} from '../../support/spot-venue.js';

/** The pool of each candle is a tenth of its volume. */
const participation = '0.1';

function limit(
  side: Side,
  limitPrice: string,
  { quantity = '1', at = 0 }: { readonly quantity?: string; readonly at?: number } = {},
): ScriptStep {
  return { at, submit: aLimitRequest({ side, limitPrice, quantity }) };
}

describe('the rest of an order that was marketable on arrival but found too little volume', () => {
  it('takes at the path price of the next opens, far from its limit', () => {
    const candles: readonly VenueCandle[] = [
      { path: [67_886, 67_890, 67_880, 67_885], volume: 4 },
      { path: [67_850, 67_860, 67_840, 67_855], volume: 3.9 },
      { path: [67_851, 67_860, 67_840, 67_855], volume: 50 },
    ];
    const balances = { USDT: '100000', BTC: '0' };

    expect(report({ candles, participation, balances }, [limit('buy', '71277.53')])).toEqual([
      '+0 accepted order-1',
      '+0 fill order-1 0.4 @ 67886 taker',
      '+60000 fill order-1 0.39 @ 67850 taker',
      '+120000 fill order-1 0.21 @ 67851 taker, done',
    ]);
  });

  it('pays half the spread, slippage and the taker fee, and never more than its limit', () => {
    const costs = {
      halfSpread: '0.001',
      slippage: createFixedSlippage(parseFixed('0.01')),
      fees: feesOf('0.001', '0.002', 'quote'),
      participation,
    };
    const candles: readonly VenueCandle[] = [
      { path: [100, 100, 100, 100], volume: 0 },
      { path: [90, 90, 90, 90], volume: 4 },
      { path: [99, 99, 99, 99], volume: 6 },
    ];

    // 90 × 1.011 = 90.99; 99 × 1.011 = 100.089, and its limit is 100.1.
    expect(report({ candles, ...costs }, [limit('buy', '100.1')])).toEqual([
      '+0 accepted order-1',
      '+60000 fill order-1 0.4 @ 90.99 taker fee 0.072792 USDT',
      '+120000 fill order-1 0.6 @ 100.09 taker fee 0.120108 USDT, done',
    ]);
    expect(
      report({ candles: [...candles.slice(0, 1), { path: [100, 100, 100, 100] }], ...costs }, [
        limit('buy', '100.1'),
      ]).at(-1),
    ).toBe('+60000 fill order-1 1 @ 100.1 taker fee 0.2002 USDT, done');
  });

  it('does not fill in the candle of its arrival, whose volume is used up', () => {
    const candles: readonly VenueCandle[] = [{ path: [100, 101, 90, 95], volume: 4 }];

    expect(report({ candles, participation }, [limit('buy', '100')])).toEqual([
      '+0 accepted order-1',
      '+0 fill order-1 0.4 @ 100 taker',
    ]);
  });

  it('becomes a maker once the path makes it unmarketable, and then fills at its limit', () => {
    const left = { path: [100, 100.01, 99, 99], volume: 4 } as const;
    const stayed = { path: [100, 100, 99, 99], volume: 4 } as const;
    const next: VenueCandle = { path: [98, 98, 98, 98] };

    expect(report({ candles: [left, next], participation }, [limit('buy', '100')]).at(-1)).toBe(
      '+60000 fill order-1 0.6 @ 100 maker, done',
    );
    expect(report({ candles: [stayed, next], participation }, [limit('buy', '100')]).at(-1)).toBe(
      '+60000 fill order-1 0.6 @ 98 taker, done',
    );
  });

  it('is unmarketable once the path plus half the spread is beyond its limit', () => {
    const at = (high: number): readonly string[] =>
      report(
        {
          candles: [{ path: [100, high, 100, 100], volume: 0 }, { path: [98, 98, 98, 98] }],
          halfSpread: '0.001',
          participation,
        },
        [limit('buy', '100.2')],
      );

    // 100.1 × 1.001 = 100.2001 is above 100.2, 100.09 × 1.001 is not.
    expect(at(100.1).at(-1)).toBe('+60000 fill order-1 1 @ 100.2 maker, done');
    expect(at(100.09).at(-1)).toBe('+60000 fill order-1 1 @ 98.1 taker, done');
  });

  it('is not affected by the path before its arrival', () => {
    // Up to 103 at 20 s, down to 97 at 40 s, up to 98; at 30 s the path is at 100.
    const candles: readonly VenueCandle[] = [
      { path: [101, 103, 97, 98], volume: 0 },
      { path: [96, 96, 96, 96] },
    ];
    const setup = { candles, participation, order: 'high-first' } as const;

    expect(report(setup, [limit('buy', '100', { at: 30_000 })]).at(-1)).toBe(
      '+60000 fill order-1 1 @ 96 taker, done',
    );
    // At 10 s the path is at 102, and goes on up to 103.
    expect(report(setup, [limit('buy', '102.5', { at: 10_000 })]).at(-1)).toBe(
      '+60000 fill order-1 1 @ 102.5 maker, done',
    );
  });

  it('becomes a maker at an open beyond its limit, and waits there', () => {
    const candles: readonly VenueCandle[] = [
      { path: [100, 100, 100, 100], volume: 0 },
      { path: [102, 102, 99.98, 101] },
    ];

    // From 102 to 99.99 are 2.01 of 2.02 in 20,000 ms; the high is the open, so it comes first.
    expect(report({ candles, participation }, [limit('buy', '100')])).toEqual([
      '+0 accepted order-1',
      '+99901 fill order-1 1 @ 100 maker, done',
    ]);
  });

  it('fills at an open in the order of all resting orders: sales first, then better prices, then age', () => {
    const candles: readonly VenueCandle[] = [
      { path: [100, 100, 100, 100], volume: 0 },
      { path: [99, 99, 99, 99], volume: 20 },
    ];
    const named = (id: string, side: Side, limitPrice: string): ScriptStep => ({
      at: 0,
      submit: aLimitRequest({ id, side, limitPrice, quantity: '0.7' }),
    });

    expect(
      report({ candles, participation }, [
        named('low', 'buy', '100'),
        named('high', 'buy', '105'),
        named('sale', 'sell', '98'),
      ]).slice(3),
    ).toEqual([
      '+60000 fill sale 0.7 @ 99 taker, done',
      '+60000 fill high 0.7 @ 99 taker, done',
      '+60000 fill low 0.6 @ 99 taker',
    ]);
  });

  it('fills before an order that arrives at the same open', () => {
    const candles: readonly VenueCandle[] = [
      { path: [100, 100, 100, 100], volume: 0 },
      { path: [99, 99, 99, 99], volume: 12 },
    ];

    expect(
      report({ candles, participation }, [
        limit('buy', '105'),
        { at: 60_000, submit: aMarketRequest({ id: 'm', side: 'sell', quantity: '1' }) },
      ]),
    ).toEqual([
      '+0 accepted order-1',
      '+60000 fill order-1 1 @ 99 taker, done',
      '+60000 fill m 0.2 @ 99 taker',
      '+60000 ended m canceled not-at-once',
    ]);
  });

  it('waits through a gap for the next open', () => {
    const candles: readonly VenueCandle[] = [
      { path: [100, 100, 100, 100], volume: 0 },
      { minute: 5, path: [99, 99, 99, 99] },
    ];

    expect(report({ candles, participation }, [limit('buy', '105')]).at(-1)).toBe(
      '+300000 fill order-1 1 @ 99 taker, done',
    );
  });

  it('pays slippage for the filled quantity, not for the requested quantity', () => {
    const candles: readonly VenueCandle[] = [
      { path: [100, 100, 100, 100], volume: 0 },
      { path: [90, 90, 90, 90], volume: 4 },
    ];
    const slippage = createSquareRootSlippage(parseFixed('0.1'));

    // 0.4 of 4: 0.1 × √0.1 = 0.0316…; 90 × 1.0316… = 92.846…
    expect(report({ candles, participation, slippage }, [limit('buy', '110')]).at(-1)).toBe(
      '+60000 fill order-1 0.4 @ 92.85 taker',
    );
  });

  it('locks money until it fills, and a cancel frees it', () => {
    const candles: readonly VenueCandle[] = [
      { path: [100, 100, 100, 100], volume: 4 },
      { path: [90, 90, 90, 90] },
    ];
    const script = [
      limit('buy', '110'),
      { at: 59_999, cancel: 'order-1' },
      { at: 60_000, submit: aMarketRequest({ id: 'all', side: 'buy', quantity: '9960' }) },
    ];

    expect(report({ candles, participation, balances: { USDT: '10000' } }, script)).toEqual([
      '+0 accepted order-1',
      '+0 fill order-1 0.4 @ 100 taker',
      '+59999 ended order-1 canceled on-request',
      '+60000 fill all 100 @ 90 taker',
      '+60000 ended all canceled not-at-once',
    ]);
  });
});

it('the rest of a LIMIT order on margin borrows for its fill at the later path price', () => {
  const candles: readonly VenueCandle[] = [
    { path: [100, 100, 100, 100], volume: 0 },
    { path: [90, 90, 90, 90] },
  ];
  const setup = { candles, participation, leverage: '3', balances: { USDT: '50' } };
  const { venue, updates } = aMarginVenue(setup);
  const { id } = aMarginPair('3');

  play(
    { venue },
    [{ at: 0, submit: aLimitRequest({ instrumentId: id, limitPrice: '110' }) }],
    2 * MINUTE_MS,
  );

  expect(updates.map(describeAny).at(-1)).toBe('+60000 fill order-1 1 @ 90 taker, done [open]');
  expect(venue.accounts.margin?.ledger.debt('USDT').principal).toBe(parseFixed('40'));
});

describe('an undecided candle', () => {
  const undecided = (script: readonly ScriptStep[], order: 'high-first' | 'low-first'): number => {
    const candles = [{ path: [100, 103, 98, 101], volume: 0 }] as const;
    const observed = aVenue({ candles, participation, order });
    play(observed, script, MINUTE_MS);
    return observed.venue.undecided().count;
  };
  const other = { at: 0, submit: aLimitRequest({ id: 'other', limitPrice: '99' }) };

  it('is not caused by an order that waits for volume', () => {
    expect(undecided([limit('buy', '102'), other], 'high-first')).toBe(0);
    expect(undecided([limit('buy', '102', { at: 1 }), other], 'high-first')).toBe(1);
  });

  it('is not caused by a cancel of an order that waits for volume', () => {
    expect(undecided([limit('buy', '102'), { at: 9, cancel: 'order-1' }], 'low-first')).toBe(0);
  });

  it('is caused by a trigger inside it whose LIMIT order waits for volume', () => {
    const instrument = aContract('linear', { multiplier: '0.01', leverage: '3' });
    const candles: readonly VenueCandle[] = [
      { path: [100, 100, 100, 100] },
      { path: [100, 103, 98, 102.5], volume: 0 },
    ];
    const order = aContractLimit({
      ...{ id: 'out', side: 'sell', action: 'close', limitPrice: '101', quantity: '4' },
    });
    const observed = aFuturesVenue({ contracts: [{ instrument, candles }], participation });

    play(
      observed,
      [
        { at: 0, submit: aContractMarket({ id: 'in', quantity: '4' }) },
        { at: 1, condition: { order, trigger: 'take-profit', triggerPrice: parseFixed('102') } },
      ],
      2 * MINUTE_MS,
    );

    // The first candle is undecided because the condition arrived inside it.
    expect(observed.venue.undecided().count).toBe(2);
  });
});

describe('the rest of a LIMIT order on a contract', () => {
  const candles: readonly VenueCandle[] = [
    { path: [100, 100, 100, 100], volume: 40 },
    { path: [90, 90, 90, 90], volume: 1_000 },
  ];
  const instrument = aContract('linear', { multiplier: '0.01', leverage: '3' });
  const setup = { contracts: [{ instrument, candles }], participation } as const;

  it('opens at the path price of the next open', () => {
    expect(
      reportFutures(setup, [{ at: 0, submit: aContractLimit({ limitPrice: '110' }) }]),
    ).toEqual([
      '+0 accepted order-1',
      '+0 fill order-1 4 @ 100 taker [open]',
      '+60000 fill order-1 6 @ 90 taker, done [open]',
    ]);
  });

  it('closes at the path price of the next open', () => {
    const script: readonly ScriptStep[] = [
      { at: 0, submit: aContractMarket({ id: 'in', quantity: '4' }) },
      {
        at: 1,
        submit: aContractLimit({
          ...{ id: 'out', side: 'sell', action: 'close', quantity: '4', limitPrice: '80' },
        }),
      },
    ];

    expect(reportFutures(setup, script)).toEqual([
      '+0 fill in 4 @ 100 taker, done [open]',
      '+1 accepted out',
      '+60000 fill out 4 @ 90 taker, done [close]',
    ]);
  });

  it('takes at the path price of the next open after a trigger, too', () => {
    // Up to 110 in 20 s: at 105 after 10 s.
    const rising: readonly VenueCandle[] = [
      { path: [100, 110, 100, 105], volume: 0 },
      { path: [104, 104, 104, 104], volume: 1_000 },
    ];
    const order = aContractLimit({ id: 'entry', limitPrice: '130' });
    const script: readonly ScriptStep[] = [
      { at: 1, condition: { order, trigger: 'chase-up', triggerPrice: parseFixed('105') } },
    ];

    expect(
      reportFutures(
        { ...setup, contracts: [{ instrument, candles: rising }], order: 'high-first' },
        script,
      ),
    ).toEqual([
      '+1 accepted entry',
      '+10000 accepted entry',
      '+60000 fill entry 10 @ 104 taker, done [open]',
    ]);
  });
});
