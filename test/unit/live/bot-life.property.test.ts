import { test as law, fc } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import {
  advanceLife,
  beginLife,
  LIFE_TRANSITIONS,
  listReasons,
  type BotLife,
  type LifeEvent,
  type LifePhase,
} from '../../../src/live/bot/bot-life.js';

const name = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom('late', 'later');
const phase = fc.constantFrom<LifePhase>('warming', 'active', 'active', 'halting', 'stopped');

/** Events in order, seconds apart or at one instant. `everyStep` skips phases that cannot follow. */
const events: fc.Arbitrary<readonly LifeEvent[]> = fc
  .array(
    fc.tuple(
      fc.nat(3),
      fc.oneof(
        fc.record({ kind: fc.constant('phase' as const), phase }),
        fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const) }),
        fc.record({ kind: fc.constantFrom('halt' as const, 'degrade' as const), name, text }),
        fc.record({ kind: fc.constantFrom('halt-over' as const, 'recover' as const), name }),
      ),
    ),
    { maxLength: 40 },
  )
  .map((steps) => {
    let time = 0;
    return steps.map(([pause, event]) => ({ ...event, time: (time += pause * 1_000) }));
  });

function isPossible(life: BotLife, event: LifeEvent): boolean {
  return (
    event.kind !== 'phase' ||
    event.phase === life.phase ||
    LIFE_TRANSITIONS[life.phase].includes(event.phase)
  );
}

function everyStep(
  steps: readonly LifeEvent[],
): readonly (readonly [BotLife, LifeEvent, BotLife])[] {
  let life = advanceLife(beginLife(0), { kind: 'phase', phase: 'warming', time: 0 });
  return steps.flatMap((event) => {
    if (!isPossible(life, event)) return [];
    const before = life;
    life = advanceLife(life, event);
    return [[before, event, life] as const];
  });
}

/** A simple model: notes each pause, halt and condition, and removes the note when it is over. */
class Notebook {
  paused = false;
  readonly halts = new Set<string>();
  readonly conditions = new Set<string>();

  note(event: LifeEvent): void {
    if (event.kind === 'pause') this.paused = true;
    if (event.kind === 'resume') {
      this.paused = false;
      this.halts.clear();
    }
    if (event.kind === 'halt') this.halts.add(event.name);
    if (event.kind === 'halt-over') this.halts.delete(event.name);
    if (event.kind === 'degrade') this.conditions.add(event.name);
    if (event.kind === 'recover') this.conditions.delete(event.name);
  }
}

describe('advanceLife', () => {
  law.prop([events])('is running if and only if no pause, halt or condition is active', (steps) => {
    const notebook = new Notebook();
    for (const [, event, life] of everyStep(steps)) {
      if (life.phase !== 'stopped') notebook.note(event);
      if (life.phase !== 'active') continue;
      const { halts, conditions, paused } = notebook;
      const isClear = halts.size === 0 && conditions.size === 0 && !paused;
      expect(life.state === 'running').toBe(isClear);
      expect(life.state === 'halted').toBe(halts.size > 0);
      expect(listReasons(life)).toHaveLength(halts.size + conditions.size + (paused ? 1 : 0));
    }
  });

  law.prop([events])('changes its time with its state, and only then', (steps) => {
    for (const [before, event, after] of everyStep(steps)) {
      expect(after.since).toBe(after.state === before.state ? before.since : event.time);
    }
  });

  law.prop([events])(
    'never leaves halting except to stopped, and never leaves stopped',
    (steps) => {
      for (const [before, , after] of everyStep(steps)) {
        if (before.phase === 'halting') expect(['halting', 'stopped']).toContain(after.phase);
        if (before.phase === 'stopped') expect(after).toBe(before);
      }
    },
  );

  law.prop([events, events])(
    'does not depend on the order of different conditions',
    (one, other) => {
      const named = (list: readonly LifeEvent[], prefix: string): readonly LifeEvent[] =>
        list.flatMap((event) =>
          event.kind === 'degrade' || event.kind === 'recover'
            ? [{ ...event, name: `${prefix}${event.name}`, time: 0 }]
            : [],
        );
      const [left, right] = [named(one, 'x'), named(other, 'y')];
      const last = (list: readonly LifeEvent[]): BotLife =>
        list.reduce(advanceLife, { ...beginLife(0), phase: 'active', state: 'running' });

      const [a, b] = [last([...left, ...right]), last([...right, ...left])];

      expect(a.state).toBe(b.state);
      expect(new Set(listReasons(a))).toEqual(new Set(listReasons(b)));
    },
  );
});
