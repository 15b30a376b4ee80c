import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { StrategyError } from '../../../src/domain/index.js';
import { buildResult, writeResult, type RunRecord } from '../../../src/report/index.js';
import { boldReplays } from '../../support/replays/bold-replays.js';
import { MemoryJournal } from '../../support/engine/memory-journal.js';
import { drawnRunsOf, parityOf, tellsForcedCloses } from '../../support/parity/drawn-runs.js';
import { playReplay, type RandomReplay } from '../../support/replays/random-replays.js';
import { boldRuns } from '../../support/runs.js';

const found = { runs: 0, fills: 0, liquidations: 0, liquidated: 0, marginCalls: 0, failed: 0 };
const overHttp = { runs: 0, fills: 0, liquidated: 0, mixed: 0 };

/** The result of a run, or the error of its strategy. Any other error is thrown. */
async function outcomeOf(
  replay: RandomReplay,
  options: Parameters<typeof playReplay>[1] = {},
): Promise<RunRecord | string> {
  try {
    return await playReplay(replay, options);
  } catch (error) {
    if (error instanceof StrategyError) return String(error);
    throw error;
  }
}

const textOf = (outcome: RunRecord | string): string =>
  typeof outcome === 'string' ? outcome : writeResult(buildResult(outcome));

describe('a strategy with too much risk', () => {
  it('trades the same with and without a journal, with a residual of 0', async () => {
    await fc.assert(
      fc.asyncProperty(boldReplays({ minLength: 60, maxLength: 120 }), async (replay) => {
        const plain = await outcomeOf(replay);
        const kept = await outcomeOf(replay, { journal: new MemoryJournal() });

        expect(textOf(kept)).toBe(textOf(plain));
        found.runs += 1;
        if (typeof plain === 'string') {
          found.failed += 1;
          return;
        }
        expect(plain.residual).toBe(0n);
        const causes = [...plain.fills].map(({ cause }) => cause);
        const forced = causes.filter((cause) => cause === 'liquidation').length;
        found.fills += causes.length;
        found.liquidations += forced;
        if (forced > 0) found.liquidated += 1;
        if (causes.includes('margin-call')) found.marginCalls += 1;
      }),
      { numRuns: boldRuns().journal, endOnFailure: true },
    );

    console.info(`with and without a journal: ${JSON.stringify(found)}`);
    expect(found.runs).toBe(boldRuns().journal);
    if (found.runs >= 500)
      for (const met of [found.liquidations, found.marginCalls]) expect(met).toBeGreaterThan(0);
  });

  it('trades over HTTP as in a backtest', async () => {
    const drawnRuns = drawnRunsOf(boldReplays({ minLength: 20, maxLength: 60 })).filter(
      tellsForcedCloses,
    );
    await fc.assert(
      fc.asyncProperty(drawnRuns, async (drawn) => {
        const outcome = await parityOf(drawn);
        fc.pre(outcome !== undefined);

        expect(outcome.report.difference).toBeUndefined();
        expect(outcome.disagreements).toEqual([]);
        overHttp.runs += 1;
        overHttp.fills += outcome.report.counts.fills;
        if (outcome.forcedFills > 0) overHttp.liquidated += 1;
        if (outcome.isMixed) overHttp.mixed += 1;
      }),
      { numRuns: boldRuns().parity, endOnFailure: true },
    );

    console.info(`over HTTP: ${JSON.stringify(overHttp)}`);
    expect(overHttp.runs).toBe(boldRuns().parity);
    if (overHttp.runs >= 100) expect(overHttp.liquidated).toBeGreaterThan(10);
  });
});
