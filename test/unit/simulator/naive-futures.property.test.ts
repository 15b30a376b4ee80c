import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatFixed, MINUTE_MS } from '../../../src/domain/index.js';
import { scriptOn, venueRequests } from '../../support/arbitraries/venue-requests.js';
import { venueCandles } from '../../support/arbitraries/venue-scripts.js';
import { createContractTwins, contractTerms } from '../../support/venue-laws/contract-twins.js';
import { describeAny } from '../../support/futures-venue.js';
import { play } from '../../support/spot-venue.js';

const UNTIL = 5 * MINUTE_MS;

describe('the simulated futures venue', () => {
  it('gives the same updates and the same balance as a naive venue that visits every millisecond', () => {
    fc.assert(
      fc.property(venueCandles(), venueRequests(4), contractTerms, (candles, intents, setup) => {
        const { instrument, observed, naive } = createContractTwins(candles, setup);
        const script = scriptOn(instrument, intents);
        naive.play(script, UNTIL);
        play(observed, script, UNTIL);

        expect(observed.updates.map(describeAny)).toEqual(naive.lines);
        const { futures } = observed.venue.accounts.balances();
        expect(formatFixed(futures?.get(instrument.marginAsset) ?? 0n)).toBe(
          naive.book.balance.toFixed(),
        );
      }),
    );
  });
});
