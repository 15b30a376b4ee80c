import { test as law, fc } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  LOOK_MS,
  OwnerWatch,
  SILENCE_MS,
  type WatchedBot,
} from '../../../../src/cli/live/guard/owner-watch.js';

const said = (bots: readonly WatchedBot[]): string =>
  bots.map(({ name, isGuarding }) => `${name} ${isGuarding ? 'guarding' : '?'}`).join(', ');

/** A watch of two bots with its actions, and a clock that moves with each look. */
function aWatch(bots: readonly string[] = ['a', 'b']) {
  const done: string[] = [];
  const state = { isSilent: () => false };
  let now = 0;
  const watch = new OwnerWatch(
    {
      bots,
      silent: (bots, isSilent) => {
        state.isSilent = isSilent;
        done.push(`silent ${said(bots)}`);
      },
      takeOver: (taken) => done.push(...taken.map((bot) => said([bot]))),
    },
    now,
  );
  const passMs = (ms: number, byMs = LOOK_MS): void => {
    for (const end = now + ms; now < end;) {
      now += byMs;
      watch.look(now);
    }
  };
  return {
    watch,
    done,
    state,
    passMs,
    beat: (...guarding: readonly string[]) => watch.hear({ kind: 'beat', guarding }, now),
    ended: (bot: string, isInOrder: boolean) => watch.hear({ kind: 'ended', bot, isInOrder }, now),
  };
}

describe('OwnerWatch', () => {
  it('reports a silent process once, after three seconds, with the bots that it guarded', () => {
    const { done, passMs, beat, state } = aWatch();
    beat('a');

    passMs(SILENCE_MS);
    expect(done).toEqual([]);
    passMs(LOOK_MS);
    expect(done).toEqual(['silent a guarding, b ?']);
    passMs(SILENCE_MS);
    expect(done).toHaveLength(1);
    expect(state.isSilent()).toBe(true);
    beat();
    expect(state.isSilent()).toBe(false);
    passMs(SILENCE_MS + LOOK_MS);
    expect(done).toEqual(['silent a guarding, b ?', 'silent a ?, b ?']);
  });

  it('restarts the silence limit after its own process was suspended', () => {
    const { done, passMs, beat } = aWatch();
    beat('a');

    passMs(60_000, 60_000);
    passMs(SILENCE_MS - LOOK_MS);

    expect(done).toEqual([]);
  });

  it('takes over every bot of an ended process, with its last known guarding state', () => {
    const { watch, done, beat } = aWatch();
    beat('b');

    watch.gone();
    watch.gone();

    expect(done).toEqual(['a ?', 'b guarding']);
    expect(watch.isOver).toBe(true);
  });

  it('takes over a failed bot, but not a bot that was stopped in order', () => {
    const { watch, done, beat, ended } = aWatch();
    beat('a', 'b');

    ended('a', false);
    ended('b', true);
    watch.gone();

    expect(done).toEqual(['a guarding']);
  });

  law.prop([
    fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('beat'), bot: fc.constantFrom('a', 'b', 'c') }),
        fc.record({
          kind: fc.constantFrom('stopped', 'failed'),
          bot: fc.constantFrom('a', 'b', 'c'),
        }),
        fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 1, max: 10_000 }) }),
        fc.record({ kind: fc.constant('gone') }),
      ),
    ),
  ])(
    'takes over each bot at most once, and every bot that was not stopped before its process ended',
    (steps) => {
      const { watch, done, passMs, beat, ended } = aWatch(['a', 'b', 'c']);
      const stopped = new Set<string>();
      for (const step of steps) {
        if ('ms' in step) passMs(step.ms);
        else if (!('bot' in step)) watch.gone();
        else if (step.kind === 'beat') beat(step.bot);
        else {
          if (step.kind === 'stopped' && !done.some((one) => one.startsWith(step.bot)))
            stopped.add(step.bot);
          ended(step.bot, step.kind === 'stopped');
        }
      }
      watch.gone();

      const taken = done.filter((one) => !one.startsWith('silent')).map((one) => one.charAt(0));
      expect(new Set(taken).size).toBe(taken.length);
      expect([...taken, ...stopped].toSorted()).toEqual(['a', 'b', 'c']);
    },
  );
});
