import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MINUTE_MS, parseFixed, type Fixed } from '../../../src/domain/index.js';
import type { SimulatedVenueOptions } from '../../../src/simulator/index.js';
import { venueCandles } from '../../support/arbitraries/venue-scripts.js';
import { aContract, aContractLimit, aFuturesVenue } from '../../support/futures-venue.js';
import { feesOf, play, type VenueCandle } from '../../support/spot-venue.js';

const wish = fc.record({
  isInverse: fc.boolean(),
  side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
  limit: fc.integer({ min: 9_895, max: 9_930 }).map((ticks) => (ticks / 100).toFixed(2)),
  contracts: fc.integer({ min: 1, max: 50 }).map(String),
});

type Order = NonNullable<Parameters<typeof aFuturesVenue>[0]>['order'];

/** Equity at the close of one candle, with one resting order that opens. */
function equityOf(
  candle: VenueCandle,
  { isInverse, side, limit, contracts }: typeof wish extends fc.Arbitrary<infer W> ? W : never,
  order: Order,
): Fixed {
  const instrument = aContract(isInverse ? 'inverse' : 'linear', {
    multiplier: isInverse ? '100' : '0.01',
    leverage: '1',
  });
  const observed = aFuturesVenue({
    contracts: [{ instrument, candles: [{ path: candle.path }] }],
    balances: { [instrument.marginAsset]: '100000' },
    fees: feesOf('0.0002', '0.0006', 'quote'),
    ...(order !== undefined && { order }),
  });
  const quantity = contracts;
  const submit = aContractLimit({ instrument, side, quantity, limitPrice: limit });
  play(observed, [{ at: 0, submit }], MINUTE_MS);
  const ledger = observed.venue.accounts.futures?.ledger;
  ledger?.setMark(instrument.id, parseFixed(candle.path[3].toFixed(2)));
  return ledger?.equity(instrument.marginAsset) ?? 0n;
}

const greedy =
  (preference: 'less' | 'more'): SimulatedVenueOptions['chooseOrder'] =>
  (shape, venue, tape) =>
    venue.greedyOrder(shape, tape, { preference, stops: [] });

describe('greedy paths of a contract', () => {
  it('end no better, and no worse, than any other on one candle with one order', () => {
    fc.assert(
      fc.property(venueCandles({ minLength: 1, maxLength: 1 }), wish, ([candle], order) => {
        if (candle === undefined) throw new Error('expected a candle');
        const low = equityOf(candle, order, greedy('less'));
        const high = equityOf(candle, order, greedy('more'));

        for (const mode of ['high-first', 'low-first', undefined] as const) {
          const equity = equityOf(candle, order, mode);
          expect(equity >= low && equity <= high).toBe(true);
        }
      }),
    );
  });
});
