import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { drawnRuns, parityOf, restlessRuns } from '../../support/parity/drawn-runs.js';
import { parityEnds } from '../../support/runs.js';

describe('parity', () => {
  it.each([
    ['holds to the last instant, wherever a run begins and ends', drawnRuns, parityEnds()],
    [
      'holds for strategies that move their orders with every event or by timers',
      restlessRuns,
      Math.ceil(parityEnds() / 2),
    ],
  ])(
    '%s',
    async (what, runs, numRuns) => {
      // Counts what the runs contained. Without such cases the laws would be untested.
      const found = { runs: 0, offGrid: 0, coarse: 0, orders: 0, cancels: 0, fills: 0, atEnd: 0 };

      await fc.assert(
        fc.asyncProperty(runs, async (drawn) => {
          const outcome = await parityOf(drawn);
          fc.pre(outcome !== undefined);

          const { report, to, lastOrder, disagreements } = outcome;
          expect(report.difference).toBeUndefined();
          expect(disagreements).toEqual([]);
          // A run without orders says little.
          fc.pre(report.counts.orders > 0);
          found.runs += 1;
          found.orders += report.counts.orders;
          found.cancels += report.counts.cancels;
          found.fills += report.counts.fills;
          if (to % 60_000 !== 0) found.offGrid += 1;
          if (drawn.replay.run.config.instruments.some(({ intervals }) => intervals.length > 1))
            found.coarse += 1;
          if (lastOrder === to) found.atEnd += 1;
        }),
        { numRuns, endOnFailure: true },
      );

      console.info(`parity, ${what}: ${JSON.stringify(found)}`);
      expect(found.runs).toBe(numRuns);
      if (found.runs >= 60) for (const met of Object.values(found)) expect(met).toBeGreaterThan(0);
    },
    3_600_000,
  );
});
