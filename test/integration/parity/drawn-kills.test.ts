import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { killParts, killsAt } from '../../support/parity/drawn-kills.js';
import { drawnRuns, parityOf, restlessRuns } from '../../support/parity/drawn-runs.js';
import { JournaledStarts } from '../../support/parity/journaled-starts.js';
import { parityEnds } from '../../support/runs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('a bot that is killed and started again', () => {
  it.each([
    ['whatever its strategy remembers', drawnRuns, parityEnds()],
    ['if it moves its orders with every event', restlessRuns, Math.ceil(parityEnds() / 2)],
  ])(
    'trades as in its backtest, %s',
    async (what, anyRuns, numRuns) => {
      const found = { runs: 0, kills: 0, fills: 0 };

      await fc.assert(
        fc.asyncProperty(anyRuns, killParts, async (drawn, at) => {
          const { config } = drawn.replay.run;
          const starts = new JournaledStarts(await temporaryFolder(), config.name);
          try {
            const interruptions = killsAt(drawn, starts, at);
            const outcome = await parityOf(drawn, { begin: starts.begin, interruptions });
            fc.pre(outcome !== undefined);

            expect(outcome.report.difference).toBeUndefined();
            expect(outcome.disagreements).toEqual([]);
            found.runs += 1;
            found.kills += starts.replays;
            found.fills += outcome.report.counts.fills;
          } finally {
            starts.close();
          }
        }),
        { numRuns, endOnFailure: true },
      );

      console.info(`parity over kills, ${what}: ${JSON.stringify(found)}`);
      expect(found.runs).toBe(numRuns);
      if (found.runs >= 20) expect(found.kills).toBeGreaterThan(0);
    },
    3_600_000,
  );
});
