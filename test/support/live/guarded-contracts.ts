import { expect } from 'vitest';

import { createInstrumentId, type InstrumentId } from '../../../src/domain/index.js';
import type { BotStatus } from '../../../src/live/index.js';
import { planStops } from '../../../src/venue/index.js';
import type { CountedCall, SharedRun } from './bots-on-one-key.js';
import { range, type BotPlan } from './one-key-plans.js';

/** Twenty contracts, of which each belongs to one of three bots. */
export const CONTRACTS: readonly BotPlan[] = [
  { pairs: [], contracts: range(0, 7) },
  { pairs: [], contracts: range(7, 7) },
  { pairs: [], contracts: range(14, 6) },
];

/** Long enough for every bot to enter, and three more minutes in which nothing changes. */
export const GUARDED_MINUTES = 8;

/** Every position has a stop, sampled within the interval that its bot states plus one call: between two statuses, other stops may have come near. */
export function expectSampled({ statuses }: Pick<SharedRun, 'statuses'>): void {
  const { contractCallMs } = planStops(
    range(0, 20).map((index) => ({
      instrumentId: createInstrumentId('futures', `E-C${String(index)}-USDT`),
      kind: 'futures',
      intervals: ['1min'],
    })),
  );
  const [before, last] = statuses.slice(-2);
  const held = heldIn(statuses);
  const sampled = last?.flatMap((status) => status.sampled) ?? [];
  expect(sampled).toHaveLength(held);
  expect(sampled.some(({ by }) => by === 'mark')).toBe(true);
  expect(sampled.some(({ by }) => by === 'last')).toBe(true);
  const stated = [before, last].flatMap((list) => list?.flatMap((status) => status.sampled) ?? []);
  const most = Math.max(...stated.map(({ everyMs }) => everyMs)) + contractCallMs;
  // A stop that was set within the last interval may have been sampled only once. Then no time lies between two samples. An earlier stop of the same
  // instrument may have been there before it.
  const since = (last?.[0]?.time ?? Number.NaN) - most;
  const lists = statuses.slice(statuses.findLastIndex((list) => (list[0]?.time ?? 0) <= since));
  const isYoung = (id: InstrumentId): boolean =>
    !lists.every((list) =>
      list.some((status) =>
        status.sampled.some(
          ({ instrumentId, latelyMs }) => instrumentId === id && latelyMs === undefined,
        ),
      ),
    );
  for (const { instrumentId, latelyMs } of sampled)
    if (latelyMs !== undefined || !isYoung(instrumentId))
      expect(latelyMs, instrumentId).toBeLessThanOrEqual(most);
  for (const { everyMs } of sampled) expect(everyMs % contractCallMs).toBe(0);
}

/** The number of positions at the end. */
export function heldIn(statuses: readonly (readonly BotStatus[])[]): number {
  return statuses.at(-1)?.flatMap(({ positions }) => positions).length ?? 0;
}

export function isFutures({ endpoint }: CountedCall): boolean {
  return endpoint.rateLimit.bucket === 'futures';
}
