import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { FaultRule } from '../../../src/local-exchange/index.js';
import { killParts, killsAt } from '../../support/parity/drawn-kills.js';
import { drawnRunsOf, parityOf } from '../../support/parity/drawn-runs.js';
import { JournaledStarts } from '../../support/parity/journaled-starts.js';
import { sequenceReplays } from '../../support/order-sequences/sequence-runs.js';
import { parityEnds } from '../../support/runs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Faults of commands whose answers cannot be read, and of readings, which a start needs. */
const faults: fc.Arbitrary<readonly FaultRule[]> = fc
  .record({
    probability: fc.constantFrom(0.5, 1),
    // Few enough for the comparison at the end of the run, which tries eight times.
    count: fc.integer({ min: 5, max: 12 }),
    endpoints: fc.constantFrom(
      ['spot.order', 'spot.cancel', 'spot.batchCancel', 'futures.order', 'futures.cancel'],
      ['spot.openOrders', 'spot.queryOrder', 'futures.openOrders', 'futures.queryOrder'],
      ['spot.cancel', 'spot.batchCancel', 'futures.cancel', 'spot.myTrades', 'futures.myTrades'],
    ),
  })
  .map(({ endpoints, ...when }) => [
    { fault: 'html', status: 502, endpoints: [...endpoints], ...when },
  ]);

describe('a bot that is killed and started again while answers cannot be read', () => {
  it('ends each stop, tries each start until the venue answers, and agrees with its venue in the end', async () => {
    const found = { runs: 0, kills: 0, fills: 0 };
    const drawnRuns = drawnRunsOf(sequenceReplays({ minLength: 20, maxLength: 60 }));

    await fc.assert(
      fc.asyncProperty(drawnRuns, killParts, faults, async (drawn, at, rules) => {
        const starts = new JournaledStarts(await temporaryFolder(), drawn.replay.run.config.name);
        try {
          const interruptions = killsAt(drawn, starts, at);
          const options = { begin: starts.begin, interruptions, faults: rules };
          const outcome = await parityOf(drawn, options);
          fc.pre(outcome !== undefined);

          expect(outcome.disagreements).toEqual([]);
          found.runs += 1;
          found.kills += starts.replays;
          found.fills += outcome.report.counts.fills;
        } finally {
          starts.close();
        }
      }),
      { numRuns: parityEnds(), endOnFailure: true },
    );

    console.info(`parity over kills in outages: ${JSON.stringify(found)}`);
    expect(found.runs).toBe(parityEnds());
  }, 3_600_000);
});
