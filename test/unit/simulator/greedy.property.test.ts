import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MINUTE_MS, parseFixed, type Fixed } from '../../../src/domain/index.js';
import type { ExtremeOrder, SimulatedVenueOptions } from '../../../src/simulator/index.js';
import { venueCandles, venueScripts } from '../../support/arbitraries/venue-scripts.js';
import { lawRuns } from '../../support/runs.js';
import {
  aVenue,
  equityAt,
  feesOf,
  play,
  type ScriptStep,
  type VenueCandle,
  type VenueSetup,
} from '../../support/spot-venue.js';

const greedy =
  (preference: 'less' | 'more'): SimulatedVenueOptions['chooseOrder'] =>
  (shape, venue, tape) =>
    venue.greedyOrder(shape, tape, { preference, stops: [] });

type Mode = ExtremeOrder | 'nearest' | 'greedy-low' | 'greedy-high';

function equityOf(
  candle: VenueCandle,
  script: readonly ScriptStep[],
  mode: Mode,
  setup: VenueSetup,
): Fixed {
  const order =
    mode === 'greedy-low'
      ? greedy('less')
      : mode === 'greedy-high'
        ? greedy('more')
        : mode === 'nearest'
          ? undefined
          : mode;
  const observed = aVenue({ ...setup, candles: [candle], ...(order !== undefined && { order }) });
  play(observed, script, MINUTE_MS);
  return equityAt(observed, parseFixed(String(candle.path[3])));
}

const setups = fc.record({
  fees: fc.constantFrom(
    feesOf('0', '0', 'quote'),
    feesOf('0.001', '0.002', 'received'),
    feesOf('0.001', '0.002', 'quote'),
  ),
  halfSpread: fc.constantFrom('0', '0.0003'),
  participation: fc.constantFrom('0.1', '0.5', '1'),
  fillOnTouch: fc.boolean(),
});
const oneCandle = venueCandles({ minLength: 1, maxLength: 1 }).map(([candle]): VenueCandle => ({
  ...(candle ?? { path: [1, 1, 1, 1] }),
  minute: 0,
}));
/** Everything arrives at the open: what is decided inside a candle cannot choose its path. */
const atOpen = venueScripts(1, { minLength: 1, maxLength: 8 }).map((script) =>
  script.map((step): ScriptStep => ({ ...step, at: 0 })),
);

describe('on one candle', () => {
  it('greedy-low leaves the least equity at the close and greedy-high the most, of all modes', () => {
    fc.assert(
      fc.property(oneCandle, atOpen, setups, (candle, script, setup) => {
        const equity = (mode: Mode): Fixed => equityOf(candle, script, mode, setup);
        const fixed = [equity('high-first'), equity('low-first')];
        const [least, most] = [...fixed].sort((a, b) => (a < b ? -1 : 1));

        expect(equity('greedy-low')).toBe(least);
        expect(equity('greedy-high')).toBe(most);
        expect(fixed).toContain(equity('nearest'));
      }),
      { numRuns: lawRuns() },
    );
  });
});
