import { describe, expect, it } from 'vitest';
import { Activity } from '../../../src/live/bot/activity.js';
import { EventPump } from '../../../src/live/session/event-pump.js';
import type { Command, EngineEvent } from '../../../src/engine/index.js';
import { settle } from '../../support/virtual-time.js';

/** A pump with an engine that keeps its events and fails at event `failsAt`. */
function aPump(
  options: {
    readonly now?: () => number;
    readonly failsAt?: number;
    readonly breathe?: () => Promise<void>;
  } = {},
) {
  const seen: EngineEvent[] = [];
  const failures: unknown[] = [];
  const processed: number[] = [];
  const activity = new Activity();
  let now = 0;
  const pump: EventPump = new EventPump({
    engine: {
      now: () => now,
      process: (event): readonly Command[] => {
        if (seen.length === options.failsAt) throw new Error('the engine is dead');
        seen.push(event);
        now = event.time;
        return [];
      },
    },
    now: options.now ?? (() => 10),
    activity,
    breathe: options.breathe,
    onProcessed: (event) => {
      processed.push(event.time);
    },
    onFailure: (error) => failures.push(error),
  });
  return { pump, seen, failures, processed, activity };
}

const timer = (time: number): EngineEvent => ({ kind: 'timer', time });

describe('EventPump', () => {
  it('processes events in the order in which they arrive, not synchronously', async () => {
    const { pump, seen, activity } = aPump();
    pump.push((time) => ({ kind: 'timer', time }));
    pump.push((time) => ({ kind: 'end', time }));
    expect(seen).toEqual([]);
    expect(activity.isIdle).toBe(false);
    await settle();
    expect(seen.map(({ kind }) => kind)).toEqual(['timer', 'end']);
    expect(activity.isIdle).toBe(true);
  });

  it('gives no event a time before that of the previous event', async () => {
    const times = [50, 40];
    const { pump, processed } = aPump({ now: () => times.shift() ?? 40 });
    pump.push(timer);
    pump.push(timer);
    await settle();
    expect(processed).toEqual([50, 50]);
  });

  it('drops an event that is no longer wanted at its turn', async () => {
    const { pump, seen } = aPump();
    let isWanted = true;
    pump.pushIf(() => isWanted, timer);
    isWanted = false;
    await settle();
    expect(seen).toEqual([]);
  });

  it('processes nothing after a failure, and reports the failure once', async () => {
    const { pump, seen, failures, activity } = aPump({ failsAt: 1 });
    for (let count = 0; count < 3; count += 1) pump.push(timer);
    await settle();
    pump.push(timer);
    await settle();
    expect(seen).toHaveLength(1);
    expect(failures).toHaveLength(1);
    expect(activity.isIdle).toBe(true);
  });

  it('drops the waiting events when it is stopped', async () => {
    const { pump, seen } = aPump();
    pump.push(timer);
    pump.stop();
    await settle();
    expect(seen).toEqual([]);
  });

  it('yields between many events, and processes events of that time after them', async () => {
    const counts: number[] = [];
    const { pump, seen, activity } = aPump({
      breathe: () => {
        counts.push(seen.length);
        if (counts.length === 1) pump.push((time) => ({ kind: 'end', time }));
        return Promise.resolve();
      },
    });
    for (let count = 0; count < 200; count += 1) pump.push(timer);

    await pump.drained();

    expect(counts).toEqual([64, 128, 192]);
    expect(seen.map(({ kind }) => kind)).toEqual([...Array<string>(200).fill('timer'), 'end']);
    expect(activity.isIdle).toBe(true);
  });

  it('is drained if it is stopped or fails while it yields', async () => {
    const stopped = aPump({
      breathe: () => {
        stopped.pump.stop();
        return Promise.resolve();
      },
    });
    const failed = aPump({ breathe: () => Promise.resolve(), failsAt: 100 });
    for (const { pump } of [stopped, failed])
      for (let count = 0; count < 200; count += 1) pump.push(timer);

    await Promise.all([stopped.pump.drained(), failed.pump.drained()]);

    expect([stopped.seen.length, failed.seen.length]).toEqual([64, 100]);
    expect(failed.failures).toHaveLength(1);
    expect([stopped, failed].map(({ activity }) => activity.isIdle)).toEqual([true, true]);
  });
});
