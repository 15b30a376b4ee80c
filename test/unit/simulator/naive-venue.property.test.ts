import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MINUTE_MS } from '../../../src/domain/index.js';
import { venueCandles, venueScripts } from '../../support/arbitraries/venue-scripts.js';
import { createSpotTwins, pairTerms } from '../../support/venue-laws/pair-twins.js';
import { linesOf, play, spotLine } from '../../support/spot-venue.js';

const MINUTES = 7;
const UNTIL = MINUTES * MINUTE_MS;

describe('the simulated venue', () => {
  it('gives the same updates and balances as a naive venue that visits every millisecond', () => {
    fc.assert(
      fc.property(venueCandles(), venueScripts(4), pairTerms, (candles, script, setup) => {
        const { observed, naive, purse } = createSpotTwins(candles, setup);
        naive.play(script, UNTIL);
        play(observed, script, UNTIL);

        expect(linesOf(observed)).toEqual(naive.lines);
        for (const asset of ['USDT', 'BTC'] as const)
          expect(spotLine(observed, asset)).toBe(purse.line(asset));
      }),
    );
  });
});
