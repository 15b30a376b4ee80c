import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../../src/domain/index.js';
import type { WatchedStop } from '../../../src/simulator/index.js';
import {
  aContract,
  aContractLimit,
  aContractMarket,
  reportFutures,
} from '../../support/futures-venue.js';
import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import {
  report,
  type ScriptStep,
  type VenueCandle,
  type VenueSetup,
} from '../../support/spot-venue.js';

/** Nearest the open is the low; a sale at 102 and a stop at 98 lie on either side. */
const CANDLE: VenueCandle = { path: [100, 103, 97.5, 101] };
const TAKE_PROFIT: ScriptStep = {
  at: 0,
  submit: aLimitRequest({ side: 'sell', limitPrice: '102' }),
};
const STOP: WatchedStop = { direction: 'long', level: parseFixed('98'), quantity: parseFixed('1') };

/** Which way a greedy mode goes, seen by when it reaches the sale at 102: 13400 ms up first, 33… s down first. */
function chosen(
  preference: 'less' | 'more',
  options: { readonly stops?: readonly WatchedStop[]; readonly setup?: VenueSetup } = {},
): 'high-first' | 'low-first' {
  const lines = report(
    {
      candles: [CANDLE],
      balances: { USDT: '0', BTC: '1' },
      ...options.setup,
      order: (shape, venue, tape) =>
        venue.greedyOrder(shape, tape, { preference, stops: options.stops ?? [] }),
    },
    [TAKE_PROFIT],
  );
  return lines[1]?.startsWith('+13400 ') === true ? 'high-first' : 'low-first';
}

describe('a greedy mode', () => {
  it('takes the worse, or the better, of stop first and profit first', () => {
    expect(chosen('less', { stops: [STOP] })).toBe('low-first');
    expect(chosen('more', { stops: [STOP] })).toBe('high-first');
  });

  it('takes the nearest extreme first when both ways end alike', () => {
    expect(chosen('less')).toBe('low-first');
    expect(chosen('more')).toBe('low-first');
  });

  it('chooses after what arrives at the open, and not again inside', () => {
    const lines = report(
      {
        candles: [{ path: [100, 103, 97, 100], volume: 1 }],
        balances: { USDT: '1000', BTC: '1' },
        participation: '1',
        order: (shape, venue, tape) =>
          venue.greedyOrder(shape, tape, { preference: 'more', stops: [] }),
      },
      [
        // One of them gets the volume. At the close of 100 the purchase at 97.5 gains 2.5, the sale at 102 gains 2.
        { at: 0, submit: aLimitRequest({ id: 'sale', side: 'sell', limitPrice: '102' }) },
        { at: 0, submit: aLimitRequest({ id: 'purchase', limitPrice: '97.5' }) },
        { at: 30_000, submit: aMarketRequest({ id: 'late', side: 'buy', quantity: '5' }) },
      ],
    );

    expect(lines[2]).toContain('fill purchase 1 @ 97.5 maker');
    expect(lines).toHaveLength(4);
  });

  it.each(['isolated', 'cross'] as const)(
    'knows where a position that stands alone is liquidated (%s)',
    (marginMode) => {
      const lines = (preference: 'less' | 'more'): readonly string[] =>
        reportFutures(
          {
            contracts: [
              {
                instrument: aContract('linear', {
                  multiplier: '0.01',
                  leverage: '100',
                  marginMode,
                }),
                candles: [CANDLE],
              },
            ],
            // The margin of 100 contracts, and nothing else: gone at 99.
            balances: { USDT: '1' },
            order: (shape, venue, tape) =>
              venue.greedyOrder(shape, tape, { preference, stops: [] }),
          },
          [
            { at: 0, submit: aContractMarket({ quantity: '100' }) },
            {
              at: 0,
              submit: aContractLimit({
                id: 'profit',
                side: 'sell',
                action: 'close',
                quantity: '100',
                limitPrice: '102',
              }),
            },
          ],
        );

      expect(lines('less').at(-1)).toContain('forced-fill liquidation sell 100 @ 99');
      expect(lines('more').at(-1)).toContain('fill profit 100 @ 102 maker');
    },
  );

  it('asks once per candle', () => {
    const asked: number[] = [];

    report(
      {
        candles: [CANDLE, CANDLE],
        order: (shape) => {
          asked.push(shape.openTime);
          return 'high-first';
        },
      },
      [TAKE_PROFIT, { at: 70_000, submit: aMarketRequest({ id: 'later' }) }],
    );

    expect(new Set(asked).size).toBe(asked.length);
    expect(asked).toHaveLength(2);
  });
});
