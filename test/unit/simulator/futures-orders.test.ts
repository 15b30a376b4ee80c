import { describe, expect, it } from 'vitest';

import { MINUTE_MS, parseFixed } from '../../../src/domain/index.js';
import {
  aContract,
  aContractLimit,
  aContractMarket,
  aFuturesVenue,
  aTier,
  BTC_INVERSE,
  BTC_PERPETUAL,
  reportFutures,
} from '../../support/futures-venue.js';
import { feesOf, play, START, type VenueCandle } from '../../support/spot-venue.js';

const STILL: VenueCandle = { path: [100, 100, 100, 100] };
const buy = aContractMarket({ id: 'buy', quantity: '10' });

describe('futures orders', () => {
  it('open by MARKET for a value, rounded down to whole contracts', () => {
    // 0.01 BTC at 100 are 1 USDT each.
    expect(reportFutures({}, [{ at: 0, submit: aContractMarket({ quantity: '10.99' }) }])).toEqual([
      '+0 fill order-1 10 @ 100 taker, done [open]',
    ]);
    expect(reportFutures({}, [{ at: 0, submit: aContractMarket({ quantity: '0.99' }) }])).toEqual([
      '+0 ended order-1 rejected -1136',
    ]);
  });

  it('pay fees in the margin asset when they open and when they close', () => {
    const observed = aFuturesVenue({ fees: feesOf('0.0002', '0.001', 'received') });
    const close = aContractMarket({ id: 'close', side: 'sell', action: 'close' });

    play(
      observed,
      [
        { at: 0, submit: buy },
        { at: 0, submit: close },
      ],
      0,
    );

    // 10 USDT × 0.001, twice.
    expect(observed.venue.accounts.futures?.totals().get('USDT')).toBe(parseFixed('999.98'));
  });

  it('can hold long and short at once, and never flip a position by closing', () => {
    expect(
      reportFutures({}, [
        { at: 0, submit: buy },
        { at: 0, submit: aContractMarket({ id: 'sell', side: 'sell', quantity: '4' }) },
        {
          at: 0,
          submit: aContractMarket({ id: 'a', side: 'sell', action: 'close', quantity: '11' }),
        },
        {
          at: 0,
          submit: aContractMarket({ id: 'b', side: 'buy', action: 'close', quantity: '4' }),
        },
      ]),
    ).toEqual([
      '+0 fill buy 10 @ 100 taker, done [open]',
      '+0 fill sell 4 @ 100 taker, done [open]',
      '+0 ended a rejected -1156',
      '+0 fill b 4 @ 100 taker, done [close]',
    ]);
  });

  it('cannot close a quantity that working orders close already', () => {
    const rest = { side: 'sell', action: 'close', limitPrice: '110' } as const;

    expect(
      reportFutures({}, [
        { at: 0, submit: buy },
        { at: 0, submit: aContractLimit({ id: 'a', ...rest, quantity: '7' }) },
        { at: 0, submit: aContractLimit({ id: 'b', ...rest, quantity: '4' }) },
      ]).slice(1),
    ).toEqual(['+0 accepted a', '+0 ended b rejected 10015']);
  });

  it('flip in one-way mode: close first, then open, and cancel an order that would close too much', () => {
    const rest = { side: 'sell', action: 'close', limitPrice: '110' } as const;

    expect(
      reportFutures({ positionMode: 'oneWay' }, [
        { at: 0, submit: buy },
        { at: 0, submit: aContractLimit({ id: 'profit', ...rest, quantity: '7' }) },
        { at: 0, submit: aContractMarket({ id: 'flip', side: 'sell', quantity: '15' }) },
      ]).slice(2),
    ).toEqual([
      '+0 fill flip 10 @ 100 taker [close]',
      '+0 fill flip 5 @ 100 taker, done [open]',
      '+0 ended profit canceled -1156',
    ]);
  });

  it('open a position in one-way mode if nothing is left to close and the margin suffices', () => {
    const candles: VenueCandle[] = [{ path: [100, 102, 100, 102] }];
    const sell = (id: string): { at: number; submit: ReturnType<typeof aContractLimit> } => ({
      at: 0,
      submit: aContractLimit({ id, side: 'sell', limitPrice: '101' }),
    });

    // 1.5 and the profit of 0.1 of the first sale: the second sale takes 1.01 as margin, and the rest is too little for the third.
    expect(
      reportFutures(
        {
          contracts: [{ instrument: BTC_PERPETUAL, candles }],
          positionMode: 'oneWay',
          balances: { USDT: '1.5' },
        },
        [{ at: 0, submit: buy }, sell('a'), sell('b'), sell('c')],
      ).slice(4),
    ).toEqual([
      '+30100 fill a 10 @ 101 maker, done [close]',
      '+30100 fill b 10 @ 101 maker, done [open]',
      '+30100 ended c canceled -2017',
    ]);
  });

  it('reserve the higher fee if the maker rate is above the taker rate', () => {
    const fees = feesOf('0.01', '0.001', 'quote');
    const rest = aContractLimit({ limitPrice: '99' });
    const report = (money: string): readonly string[] =>
      reportFutures({ fees, balances: { USDT: money } }, [{ at: 0, submit: rest }]);

    // 9.9 ÷ 10 + 9.9 × 0.01.
    expect(report('1.089')).toEqual(['+0 accepted order-1']);
    expect(report('1.0889')).toEqual(['+0 ended order-1 rejected -2017']);
  });

  it.each([
    ['an inverse contract by MARKET', aContractMarket({ instrument: BTC_INVERSE }), '-1147'],
    ['in base', { ...aContractLimit(), unit: 'base' as const }, '-1014'],
    ['in another margin mode', { ...aContractLimit(), marginMode: 'cross' as const }, '-1165'],
    ['with more than there is', aContractMarket({ quantity: '10001' }), '-2017'],
    ['for nothing', aContractLimit({ quantity: '0' }), '-1136'],
    ['for parts of contracts', aContractLimit({ quantity: '1.5' }), '-1111'],
    ['at no price', aContractLimit({ limitPrice: '0' }), '-1111'],
    ['off the tick', aContractLimit({ limitPrice: '100.001' }), '-1111'],
  ])('are rejected when they open %s', (_what, submit, code) => {
    const contracts = [BTC_PERPETUAL, BTC_INVERSE].map((instrument) => ({
      instrument,
      candles: [STILL],
    }));

    expect(reportFutures({ contracts }, [{ at: 0, submit }])).toEqual([
      `+0 ended order-1 rejected ${code}`,
    ]);
  });

  it('are rejected above the maximum leverage of the tier that their position would reach', () => {
    const contracts = [
      {
        instrument: BTC_PERPETUAL,
        candles: [STILL],
        tiers: [aTier('0.005', '10', '50'), aTier('0.01', '5')],
      },
    ];
    const order = (id: string, quantity: string): ReturnType<typeof aContractMarket> =>
      aContractMarket({ id, quantity });

    expect(
      reportFutures({ contracts }, [
        { at: 0, submit: order('a', '50') },
        { at: 0, submit: order('b', '1') },
      ]),
    ).toEqual(['+0 fill a 50 @ 100 taker, done [open]', '+0 ended b rejected -1153']);
  });
});

describe('mark prices', () => {
  const FALLS: VenueCandle = { path: [100, 100, 80, 100] };

  it('liquidate a position although last does not move', () => {
    const contracts = [{ instrument: BTC_PERPETUAL, candles: [STILL], mark: { candles: [FALLS] } }];

    // 1 + 0.1 × (p − 100) = 0 at 90, half-way to the low, which is first; last is at 100.
    expect(reportFutures({ contracts }, [{ at: 0, submit: buy }]).at(-1)).toBe(
      '+10000 forced-fill liquidation sell 10 @ 100 fee 0',
    );
  });

  it('protect a position that last would have liquidated', () => {
    const contracts = [{ instrument: BTC_PERPETUAL, candles: [FALLS], mark: { candles: [STILL] } }];

    expect(reportFutures({ contracts }, [{ at: 0, submit: buy }])).toHaveLength(1);
  });

  it('are replaced by last if they are coarser than 1h, and the venue reports it', () => {
    const mark = { candles: [STILL], interval: '4h' } as const;
    const contracts = [{ instrument: BTC_PERPETUAL, candles: [FALLS], mark }];
    const observed = aFuturesVenue({ contracts });

    play(observed, [{ at: 0, submit: buy }], MINUTE_MS);

    expect(observed.updates.map(({ kind }) => kind)).toEqual(['fill', 'forced-fill']);
    expect(observed.venue.markUses().get(BTC_PERPETUAL.id)).toEqual({
      source: 'last',
      isTooCoarse: true,
      hasGaps: false,
    });
  });

  it('are replaced by last if they are missing, and the venue reports it', () => {
    const mark = { candles: [STILL] };
    const contracts = [{ instrument: BTC_PERPETUAL, candles: [STILL, FALLS], mark }];
    const observed = aFuturesVenue({ contracts });

    play(observed, [{ at: 0, submit: buy }], 2 * MINUTE_MS);

    expect(observed.updates.at(-1)?.kind).toBe('forced-fill');
    expect(observed.venue.markUses().get(BTC_PERPETUAL.id)?.hasGaps).toBe(true);
  });
});

describe('liquidation', () => {
  it('nets both sides on a spike and closes the rest, and the venue pays the missing margin', () => {
    const crash: VenueCandle = { path: [100, 1_000, 1, 100] };
    const sell = aContractMarket({ id: 'sell', side: 'sell', quantity: '10' });
    const lines = reportFutures(
      {
        contracts: [{ instrument: BTC_PERPETUAL, candles: [STILL, crash] }],
        order: 'high-first',
        slippage: { ratio: () => parseFixed('0.05') },
      },
      [
        { at: 0, submit: buy },
        { at: 0, submit: sell },
      ],
    );

    // 9 long at 105 and 10 short at 95: the spike nets 9 of each, and the venue buys back the last short contract.
    expect(lines.slice(2).map((line) => line.split(' ').slice(1, 3).join(' '))).toEqual([
      'forced-fill netting',
      'forced-fill netting',
      'forced-fill liquidation',
    ]);
    expect(lines.at(-1)).toContain('insured');
  });

  it('spares cross positions while their common equity covers the requirement', () => {
    const eth = aContract('linear', { multiplier: '0.01', base: 'ETH', marginMode: 'cross' });
    const btc = aContract('linear', { multiplier: '0.01', marginMode: 'cross' });
    const falls = (to: number): VenueCandle => ({ path: [100, 100, to, to] });
    const observed = aFuturesVenue({
      contracts: [
        { instrument: btc, candles: [falls(98)] },
        { instrument: eth, candles: [falls(90)] },
      ],
      balances: { USDT: '25' },
    });

    play(
      observed,
      [
        { at: 0, submit: aContractMarket({ id: 'b', instrument: btc, quantity: '100' }) },
        { at: 0, submit: aContractMarket({ id: 'e', instrument: eth, quantity: '100' }) },
      ],
      MINUTE_MS,
    );

    // 25 − 100 × 0.02 − 100 × 0.1 stays above 0. Both positions share this money, so none is liquidated.
    expect(observed.updates.map(({ kind }) => kind)).toEqual(['fill', 'fill']);
  });
});

describe('funding', () => {
  it('is paid by a long at stored times if the rate is positive, and received if it is negative', () => {
    const funding = {
      stored: {
        time: Float64Array.of(START + MINUTE_MS, START + 2 * MINUTE_MS),
        rate: Float64Array.of(0.0001, -0.0002),
      },
    };
    const contracts = [{ instrument: BTC_PERPETUAL, candles: [STILL, STILL, STILL], funding }];

    // 10 USDT × rate.
    expect(reportFutures({ contracts }, [{ at: 0, submit: buy }]).slice(1)).toEqual([
      '+60000 funding long -0.001 USDT at 100',
      '+120000 funding long 0.002 USDT at 100',
    ]);
  });

  it('can cause a liquidation', () => {
    const funding = {
      stored: { time: Float64Array.of(START + MINUTE_MS), rate: Float64Array.of(0.1) },
    };
    const contracts = [{ instrument: BTC_PERPETUAL, candles: [STILL, STILL], funding }];

    // The margin is 1 USDT, and the funding payment is 1 USDT.
    expect(reportFutures({ contracts }, [{ at: 0, submit: buy }]).slice(1)).toEqual([
      '+60000 funding long -1 USDT at 100',
      '+60000 forced-fill liquidation sell 10 @ 100 fee 0',
    ]);
  });
});
