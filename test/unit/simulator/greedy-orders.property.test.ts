import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MINUTE_MS, parseFixed, present, type Fixed } from '../../../src/domain/index.js';
import type { SimulatedVenueOptions } from '../../../src/simulator/index.js';
import { venueWishes } from '../../support/arbitraries/venue-wishes.js';
import { venueCandles } from '../../support/arbitraries/venue-scripts.js';
import { anyTerms, LAW_PRODUCTS, playOn, type Played } from '../../support/law-venues.js';
import { lawRuns } from '../../support/runs.js';
import { equityAt, type VenueCandle, type VenueSetup } from '../../support/spot-venue.js';

const greedy =
  (preference: 'less' | 'more'): SimulatedVenueOptions['chooseOrder'] =>
  (shape, venue, tape) =>
    venue.greedyOrder(shape, tape, { preference, stops: [] });

/** What everything is worth at the close of the candle. */
function equityOf({ venue, instrument }: Played, { path }: VenueCandle): Fixed {
  const close = parseFixed(path[3].toFixed(2));
  const { futures, margin } = venue.accounts;
  if (instrument.kind === 'spot') return equityAt({ venue }, close);
  if (instrument.kind === 'margin') return margin?.ledger.equity(() => close) ?? 0n;
  futures?.ledger.setMark(instrument.id, close);
  return futures?.ledger.equity(instrument.marginAsset) ?? 0n;
}

/** So little is borrowed that nothing is taken over. */
const terms = anyTerms.map((drawn) => ({ ...drawn, leverage: '3', markShift: undefined }));
const oneCandle = venueCandles({ minLength: 1, maxLength: 1 }).map(([candle]) => ({
  ...present(candle, 'a candle'),
  minute: 0,
}));
const oneOrder = venueWishes(1, { minLength: 1, maxLength: 1 }).map((wishes) =>
  wishes.map((wish) => ({ ...wish, at: 0, kind: 'order' as const, action: 'open' as const })),
);

describe.each(LAW_PRODUCTS)('greedy paths on %s', (product) => {
  it('end no better, and no worse, than any other on one candle with one order', () => {
    fc.assert(
      fc.property(oneCandle, oneOrder, terms, (candle, wishes, drawn) => {
        const equity = (order: VenueSetup['order']): Fixed => {
          const given = { candles: [candle], wishes, until: MINUTE_MS };
          return equityOf(playOn(product, { ...drawn, order }, given), candle);
        };
        const low = equity(greedy('less'));
        const high = equity(greedy('more'));

        for (const mode of ['high-first', 'low-first', undefined] as const) {
          const other = equity(mode);
          expect(other >= low && other <= high).toBe(true);
        }
      }),
      { numRuns: lawRuns() / LAW_PRODUCTS.length },
    );
  });
});
