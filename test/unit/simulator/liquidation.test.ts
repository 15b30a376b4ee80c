import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../../src/domain/index.js';
import {
  aContract,
  aContractLimit,
  aContractMarket,
  aTier,
  BTC_PERPETUAL,
  reportFutures,
} from '../../support/futures-venue.js';

const FALL = { path: [100, 100, 80, 80] } as const;

describe('liquidation', () => {
  it('cancels the orders of the contract, then closes when the mark has used up the margin', () => {
    const lines = reportFutures(
      {
        contracts: [{ instrument: BTC_PERPETUAL, candles: [FALL], tiers: [aTier('0.005', '100')] }],
        maxFeeRate: '0.0006',
      },
      [
        { at: 0, submit: aContractMarket({ quantity: '1000' }) },
        { at: 0, submit: aContractLimit({ id: 'two', limitPrice: '70' }) },
      ],
    );
    // 100 + 10 × (p − 100) ≤ 10 × p × 0.0056 at p ≤ 900 ÷ 9.944 = 90.5068…; the path is there 9,494 ms into its way from 100 to 80.
    expect(lines).toEqual([
      '+0 fill order-1 1000 @ 100 taker, done [open]',
      '+0 accepted two',
      '+29494 ended two canceled -1157',
      '+29494 forced-fill liquidation sell 1000 @ 90.5 fee 0.543',
    ]);
  });

  it('ends the orders of the contract for good: a later price at their limit fills none', () => {
    const later = { path: [80, 80, 60, 60] } as const;
    const contract = { instrument: BTC_PERPETUAL, tiers: [aTier('0.005', '100')] };
    const lines = reportFutures(
      { contracts: [{ ...contract, candles: [FALL, later] }], maxFeeRate: '0.0006' },
      [
        { at: 0, submit: aContractMarket({ quantity: '1000' }) },
        { at: 0, submit: aContractLimit({ id: 'two', limitPrice: '70' }) },
      ],
      120_000,
    );

    expect(lines.slice(2)).toEqual([
      '+29494 ended two canceled -1157',
      '+29494 forced-fill liquidation sell 1000 @ 90.5 fee 0.543',
    ]);
  });

  it('uses the mark of the closed candle for a position opened at its close, not the next mark', () => {
    const perpetual = aContract('linear', { multiplier: '0.01', leverage: '1000' });
    const lines = reportFutures(
      {
        contracts: [
          {
            instrument: perpetual,
            // Its last move touches 99 at the close, where the trigger sells.
            candles: [{ path: [99, 99.01, 99, 99] }, { path: [99, 99, 99, 99] }],
            mark: {
              candles: [{ path: [99.04, 99.05, 99.04, 99.04] }, { path: [99, 99, 99, 99] }],
            },
          },
        ],
        maxFeeRate: '0.0006',
        order: 'low-first',
      },
      [
        {
          at: 40_000,
          condition: {
            trigger: 'chase-down',
            triggerPrice: parseFixed('99'),
            order: aContractLimit({
              instrument: perpetual,
              side: 'sell',
              quantity: '1',
              limitPrice: '99',
            }),
          },
        },
      ],
      60_000,
    );

    // Margin 0.00099 − loss 0.0004 = 0.00059 ≤ 0.9904 × 0.0006 at a mark of 99.04; at 99 there would be no loss.
    expect(lines).toEqual([
      '+40000 accepted order-1',
      '+60000 fill order-1 1 @ 99 taker, done [open]',
      '+60000 forced-fill liquidation buy 1 @ 99 fee 0.000594',
    ]);
  });

  it('follows at once a fill without enough margin, before the next command arrives', () => {
    const lines = reportFutures(
      {
        contracts: [
          {
            instrument: BTC_PERPETUAL,
            candles: [{ path: [100, 100, 100, 100] }],
            mark: { candles: [{ path: [90, 90, 90, 90] }] },
            tiers: [aTier('0.005', '100')],
          },
        ],
      },
      [
        { at: 20_000, submit: aContractLimit({ id: 'one' }) },
        {
          at: 20_000,
          submit: aContractMarket({ id: 'two', side: 'sell', action: 'close', quantity: '10' }),
        },
      ],
    );

    expect(lines).toEqual([
      '+20000 fill one 10 @ 100 taker, done [open]',
      '+20000 forced-fill liquidation sell 10 @ 100 fee 0',
      '+20000 ended two rejected -1156',
    ]);
  });

  it.each([
    // At 90 a long at 10x has lost its whole margin. The path is there 11,764.7 ms into its way to 83.
    ['long', 'buy', { path: [100, 100, 83, 83] }, '+31765 forced-fill liquidation sell 1000 @ 90'],
    [
      'short',
      'sell',
      { path: [100, 117, 100, 117] },
      '+31765 forced-fill liquidation buy 1000 @ 110',
    ],
  ] as const)(
    'closes a %s at the liquidation price itself if it lies on the tick',
    (_, side, candle, line) => {
      const lines = reportFutures(
        {
          contracts: [{ instrument: BTC_PERPETUAL, candles: [candle], tiers: [aTier('0', '100')] }],
          order: side === 'buy' ? 'high-first' : 'low-first',
        },
        [{ at: 0, submit: aContractLimit({ side, quantity: '1000' }) }],
      );

      expect(lines.at(-1)).toBe(`${line} fee 0`);
    },
  );

  it('closes several positions within one millisecond, each at its own price', () => {
    const other = aContract('linear', { multiplier: '0.01', base: 'ETH', leverage: '10' });
    const candles = [{ path: [100, 100, 83, 83] }] as const;
    const lines = reportFutures(
      {
        contracts: [
          { instrument: BTC_PERPETUAL, candles, tiers: [aTier('0', '100')] },
          // Liquidated at 90 ÷ 0.999996 = 90.00036, which the path reaches less than half a millisecond before 90.
          { instrument: other, candles, tiers: [aTier('0.000004', '100')] },
        ],
        rules: { pricePrecision: 4 },
        order: 'high-first',
      },
      [
        { at: 0, submit: aContractLimit({ quantity: '1000' }) },
        { at: 0, submit: aContractLimit({ id: 'two', instrument: other, quantity: '1000' }) },
      ],
    );

    expect(lines.slice(-2)).toEqual([
      '+31765 forced-fill liquidation sell 1000 @ 90.0003 fee 0',
      '+31765 forced-fill liquidation sell 1000 @ 90 fee 0',
    ]);
  });
});
