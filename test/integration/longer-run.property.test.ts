import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DataError, MINUTE_MS, type EpochMs } from '../../src/domain/index.js';
import type { RunRecord } from '../../src/report/index.js';
import { MemoryJournal } from '../../src/engine/index.js';
import { playReplay, randomReplays, type RandomReplay } from '../support/random-replays.js';
import {
  commonUntil,
  endsNear,
  seenUntil,
  withoutWhatFollows,
  type PlayedRun,
  type SeenRun,
} from '../support/run-ends.js';
import { endingRuns } from '../support/runs.js';

interface Case {
  readonly replay: RandomReplay;
  readonly to: EpochMs;
  /** Candles that make no events take another way through the engine. */
  readonly keepsEvents: boolean;
}

const cases: fc.Arbitrary<Case> = randomReplays({ minLength: 30, maxLength: 70 }).chain((replay) =>
  fc.record({
    replay: fc.constant(replay),
    to: endsNear(replay.run.market),
    keepsEvents: fc.boolean(),
  }),
);

/** The run of a case to an end of its own, over a market of its own. */
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

/** What came up: a law that met nothing says nothing. */
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
  it('does until then what a longer one does', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (drawn) => {
        const { market } = drawn.replay.run;
        // Where nothing of an instrument is stored before the end, there is no run.
        const shorter = await play(drawn, drawn.to).catch(unlessWithoutData);
        if (shorter === undefined) fc.pre(false);
        const { from, to } = shorter.record.run;
        fc.pre(from < to);

        // Nothing is traded after the end for a while: all that happens up to the end is comparable.
        const paused = await play(drawn, undefined, withoutWhatFollows(market, to));
        const seen = seenUntil(shorter, to, { at: true });
        expect(seen).toEqual(seenUntil(paused, to, { at: true }));
        expect(seen.fills).toHaveLength(shorter.record.fills.length);

        // Trading goes on: what the next open brings comes after what is compared.
        const longer = await play(drawn, undefined);
        const common = commonUntil(market, to);
        const before = seenUntil(shorter, common, { at: false });
        expect(before).toEqual(seenUntil(longer, common, { at: false }));
        const own = seenUntil(shorter, common, { at: true });
        const others = seenUntil(longer, common, { at: true });
        // What a fill at the next open borrows is charged at once.
        for (const charge of own.charges) expect(others.charges).toContain(charge);
        for (const fill of own.fills) expect(others.fills).toContain(fill);
        count(shorter.record, seen, common);
      }),
      // A shrunk case is no shorter to read, and takes gigabytes to find.
      { numRuns: endingRuns(), endOnFailure: true },
    );

    console.info(`ends of runs: ${JSON.stringify(found)}`);
    const { settled, charges, ...common } = found;
    for (const met of Object.values(common)) expect(met).toBeGreaterThan(0);
    // Few cases may meet neither funding nor interest.
    if (found.cases >= 300) expect(Math.min(settled, charges)).toBeGreaterThan(0);
    expect(found.fills).toBeGreaterThan(3 * found.cases);
  });
});
