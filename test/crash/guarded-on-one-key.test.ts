import { describe, expect, it } from 'vitest';

import type { InstrumentId } from '../../src/domain/index.js';
import { runOnOneKey, type SharedRun } from '../support/live/bots-on-one-key.js';
import {
  CONTRACTS,
  expectSampled,
  GUARDED_MINUTES,
  heldIn,
  isFutures,
} from '../support/live/guarded-contracts.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { mostInAnyWindow } from '../support/windows.js';

/** Calls that return a price for sampling stops: last of one contract, or the marks of all positions. */
const SAMPLING: ReadonlySet<string> = new Set(['futures.ticker', 'futures.account']);
/** The guard, or the restarted bot, first waits for one window of the limits and reads the venue. */
const GUARDED_AFTER_MS = 5_000;

describe('three bots with 20 contracts on one key that have ended', () => {
  it.each([
    { what: 'a guard acts, no order rests', minutes: GUARDED_MINUTES, least: 20 },
    { what: 'a guard acts, a bid of each bot rests', minutes: 12, least: 8, rests: true },
    {
      what: 'the bots start again, a bid of each rests',
      minutes: 12,
      least: 8,
      rests: true,
      inPlace: 'bot' as const,
    },
    {
      what: 'the bots start again after a stop in order',
      minutes: GUARDED_MINUTES,
      least: 20,
      inPlace: 'bot' as const,
      inOrder: true,
    },
  ])(
    'have each stop sampled within a few seconds and one interval after their end, within the limits: $what',
    async ({ least, ...how }) => {
      const run = await runOnOneKey(CONTRACTS, {
        ...{ folder: await temporaryFolder(), guardedMinutes: 3 },
        ...{ trades: false, guards: true, ...how },
      });

      const acting = run.calls.filter(({ at }) => at > run.endedAt);
      const prices = acting.filter(({ endpoint: { id } }) => SAMPLING.has(id));
      console.info(
        `20 contracts, guarded by another process: ${String(acting.length)} calls, first sample ${String((prices[0]?.at ?? 0) - run.endedAt)} ms after the end`,
      );
      expect(run.calls.filter(({ served }) => !served)).toEqual([]);
      expect(mostInAnyWindow(run.calls.filter(isFutures), 1_000)).toBeLessThanOrEqual(2);
      expect(heldIn(run.guardStatuses)).toBeGreaterThanOrEqual(least);
      expectSampled({ statuses: run.guardStatuses });
      expect(notSampledIn(run)).toEqual([]);
      const processes = run.guardStatuses.flat().map(({ guardedBy }) => guardedBy.process);
      expect(new Set(processes)).toEqual(new Set([how.inPlace ?? 'guard']));
      expect((prices[0]?.at ?? Number.NaN) - run.endedAt).toBeLessThanOrEqual(GUARDED_AFTER_MS);
    },
  );
});

/** Instruments whose stop was not sampled in time after the bots ended: within {@link GUARDED_AFTER_MS} plus the interval that their status states. */
function notSampledIn({ guardStatuses, endedAt }: SharedRun): readonly InstrumentId[] {
  const samples = guardStatuses.flat().flatMap(({ sampled }) => sampled);
  const held = guardStatuses.at(-1)?.flatMap(({ guards }) => guards) ?? [];
  return held
    .map(({ instrumentId }) => instrumentId)
    .filter(
      (id) =>
        !samples.some(
          ({ instrumentId, at = Number.NaN, everyMs }) =>
            instrumentId === id && at > endedAt && at - endedAt <= GUARDED_AFTER_MS + everyMs,
        ),
    );
}
