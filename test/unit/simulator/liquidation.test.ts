import { describe, expect, it } from 'vitest';

import {
  aContractLimit,
  aContractMarket,
  aTier,
  BTC_PERPETUAL,
  reportFutures,
} from '../../support/futures-venue.js';

const FALL = { path: [100, 100, 80, 80] } as const;

describe('liquidation', () => {
  it('cancels the orders of the contract, then closes where the mark has used up the margin', () => {
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
});
