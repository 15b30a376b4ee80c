import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DataError, MINUTE_MS, type EpochMs } from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import { MemoryJournal } from '../../support/engine/memory-journal.js';
import {
  playReplay,
  randomReplays,
  type RandomReplay,
} from '../../support/replays/random-replays.js';
import {
  commonUntil,
  endsNear,
  seenUntil,
  withoutWhatFollows,
  type PlayedRun,
  type SeenRun,
} from '../../support/replays/run-ends.js';
import { endingRuns } from '../../support/runs.js';

interface Case {
  readonly replay: RandomReplay;
  readonly to: EpochMs;
  /** Candles without events take another way through the engine. */
  readonly keepsEvents: boolean;
}

const cases: fc.Arbitrary<Case> = randomReplays({ minLength: 30, maxLength: 70 }).chain((replay) =>
  fc.record({
    replay: fc.constant(replay),
    to: endsNear(replay.run.market),
    keepsEvents: fc.boolean(),
  }),
);

/** Runs a case to the given end, over the given market. */
async function play(
  { replay, keepsEvents }: Case,
  to: EpochMs | undefined,
  market = replay.run.market,
): Promise<PlayedRun> {
  const { run } = replay;
  const { config } = run;
  const journal = keepsEvents ? new MemoryJournal() : undefined;
  const record = await playReplay(
    {
      ...replay,
      run: {
        ...run,
        market,
        keepCloses: true,
        config: { ...config, simulation: { ...config.simulation, to, closeAtEnd: false } },
      },
    },
    { journal },
  );
  return { record, events: journal?.entries.map(({ event }) => event) };
}

function unlessWithoutData(error: unknown): undefined {
  if (!(error instanceof DataError && error.code === 'E_DATA_RANGE')) throw error;
}

/** Counts what the cases contained. Without such cases the laws would be untested. */
const found = { cases: 0, fills: 0, charges: 0, pending: 0, settled: 0, within: 0, early: 0 };

function count(shorter: RunRecord, seen: SeenRun, common: EpochMs): void {
  const { to } = shorter.run;
  found.cases += 1;
  found.fills += seen.fills.length;
  found.charges += seen.charges.length;
  if ([...shorter.orders].some(({ state }) => state.status === 'expired')) found.pending += 1;
  if (shorter.financings.some(({ time }) => time === to)) found.settled += 1;
  if (to % MINUTE_MS !== 0) found.within += 1;
  if (common < to) found.early += 1;
}

describe('a run that ends', () => {
  it('does the same until its end as a longer run', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (drawn) => {
        const { market } = drawn.replay.run;
        // If an instrument has no data before the end, there is no run.
        const shorter = await play(drawn, drawn.to).catch(unlessWithoutData);
        if (shorter === undefined) fc.pre(false);
        const { from, to } = shorter.record.run;
        fc.pre(from < to);

        // No trade happens for a while after the end, so everything up to the end is comparable.
        const paused = await play(drawn, undefined, withoutWhatFollows(market, to));
        const seen = seenUntil(shorter, to, { at: true });
        expect(seen).toEqual(seenUntil(paused, to, { at: true }));
        expect(seen.fills).toHaveLength(shorter.record.fills.length);

        // Trading continues, and the results of the next open come after the compared part.
        const longer = await play(drawn, undefined);
        const common = commonUntil(market, to);
        const before = seenUntil(shorter, common, { at: false });
        expect(before).toEqual(seenUntil(longer, common, { at: false }));
        const own = seenUntil(shorter, common, { at: true });
        const others = seenUntil(longer, common, { at: true });
        // A fill at the next open may borrow, and is charged at the same instant.
        for (const charge of own.charges) expect(others.charges).toContain(charge);
        for (const fill of own.fills) expect(others.fills).toContain(fill);
        count(shorter.record, seen, common);
      }),
      // Shrinking takes gigabytes of memory, and the shrunk case is not easier to read.
      { numRuns: endingRuns(), endOnFailure: true },
    );

    console.info(`ends of runs: ${JSON.stringify(found)}`);
    const { settled, charges, ...common } = found;
    for (const met of Object.values(common)) expect(met).toBeGreaterThan(0);
    // A small number of cases may contain neither funding nor interest.
    if (found.cases >= 300) expect(Math.min(settled, charges)).toBeGreaterThan(0);
    expect(found.fills).toBeGreaterThan(3 * found.cases);
  });
});
