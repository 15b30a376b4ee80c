import { expect } from 'vitest';

import {
  describeEvent,
  type Engine,
  type EngineCheckpoint,
  type JournalEntry,
} from '../../../src/engine/index.js';
import { readExact, writeExact } from '../../../src/journal/exact-json.js';

/** Makes an engine and starts its strategy, at the begin of the run or from a checkpoint at a time. */
export type MakeEngine = (begin?: {
  readonly checkpoint: EngineCheckpoint;
  readonly time: number;
}) => Engine;

/** Counts of the states at the cuts of a run. A test checks that they are not 0: otherwise the law was not tried. */
export interface CutFindings {
  cuts: number;
  commands: number;
  orders: number;
  positions: number;
  guards: number;
  waiting: number;
  halts: number;
}

export const NO_FINDINGS: CutFindings = {
  cuts: 0,
  commands: 0,
  orders: 0,
  positions: 0,
  guards: 0,
  waiting: 0,
  halts: 0,
};

/** An engine that continues from a cut, with the index of its first event and its end. */
interface Follower {
  readonly engine: Engine;
  readonly cut: number;
  readonly end: number;
}

/**
 * Gives the events of a run to an engine that is never cut. At each cut another engine continues from a checkpoint for `length` events.
 * Both must give the same commands and have the same checkpoint at the end; accounts must balance after every event.
 */
export function compareCuts(
  entries: readonly JournalEntry[],
  make: MakeEngine,
  {
    cuts,
    length,
    found,
  }: { readonly cuts: ReadonlySet<number>; readonly length: number; readonly found: CutFindings },
): void {
  const whole = make();
  let followers: readonly Follower[] = [];
  for (const [index, { event }] of entries.entries()) {
    if (cuts.has(index)) {
      const engine = restored(whole, make);
      followers = [
        ...followers,
        { engine, cut: index, end: Math.min(index + length, entries.length) },
      ];
      count(engine.checkpoint(), found);
    }
    const commands = whole.process(event);
    for (const { engine, cut } of followers) {
      const place = `cut before event ${String(cut)}, event ${String(index)} (${describeEvent(event)})`;
      expect(engine.process(event), place).toEqual(commands);
      expect(engine.portfolio.residual(), place).toBe(0n);
      found.commands += commands.length;
    }
    for (const { engine } of followers.filter(({ end }) => end === index + 1))
      expect(engine.checkpoint()).toEqual(whole.checkpoint());
    followers = followers.filter(({ end }) => end > index + 1);
  }
}

/** An engine that continues from the written checkpoint of another engine. */
function restored(engine: Engine, make: MakeEngine): Engine {
  const taken = engine.checkpoint();
  const checkpoint = readExact(writeExact(taken)) as EngineCheckpoint;
  expect(checkpoint).toEqual(taken);
  const other = make({ checkpoint, time: engine.now() });
  expect(other.checkpoint()).toEqual(checkpoint);
  expect(other.portfolio.residual()).toBe(0n);
  return other;
}

function count(
  { orders, positions, sides, protections }: EngineCheckpoint,
  found: CutFindings,
): void {
  found.cuts += 1;
  found.orders += orders.length;
  found.positions += positions.filter(({ isHeld }) => isHeld).length;
  found.guards += sides.filter(({ guard }) => guard !== undefined).length;
  found.waiting += sides.filter(
    ({ exitJobs, waiting, rests }) =>
      exitJobs.length > 0 || waiting !== undefined || rests.length > 0,
  ).length;
  found.halts += protections.halts.length;
}
