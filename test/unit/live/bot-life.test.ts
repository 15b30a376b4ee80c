import { describe, expect, it } from 'vitest';
import {
  advanceLife,
  beginLife,
  LIFE_TRANSITIONS,
  listReasons,
  type BotLife,
  type LifeEvent,
  type LifePhase,
} from '../../../src/live/bot/bot-life.js';

type Untimed = LifeEvent extends infer E ? (E extends LifeEvent ? Omit<E, 'time'> : never) : never;

/** Lives through events, one per second. */
function live(...events: readonly Untimed[]): BotLife {
  return events.reduce<BotLife>(
    (life, event, index) => advanceLife(life, { ...event, time: (index + 1) * 1_000 }),
    beginLife(0),
  );
}

const RUN = [
  { kind: 'phase', phase: 'warming' },
  { kind: 'phase', phase: 'active' },
] as const;
const stale = (name: string): Untimed => ({ kind: 'degrade', name, text: `${name} is stale` });

describe('advanceLife', () => {
  it('goes from starting over warming to running, and keeps the time of each change', () => {
    expect(beginLife(7)).toMatchObject({ state: 'starting', since: 7 });
    expect(live(...RUN)).toMatchObject({ state: 'running', since: 2_000, phase: 'active' });
  });

  it('is paused and resumed', () => {
    expect(live(...RUN, { kind: 'pause' })).toMatchObject({ state: 'paused', since: 3_000 });
    expect(live(...RUN, { kind: 'pause' }, { kind: 'resume' }).state).toBe('running');
  });

  it('is frozen while the venue refuses exits of a position, also with a stale stream', () => {
    const frozen = { kind: 'degrade', name: 'frozen futures:E-BTC-USDT', text: 'frozen' } as const;
    const both = [...RUN, stale('a'), frozen] as const;

    expect(live(...both).state).toBe('frozen');
    expect(live(...both, { kind: 'halt', name: 'operator', text: 'enough' }).state).toBe('halted');
    expect(live(...both, { kind: 'recover', name: frozen.name }).state).toBe('degraded');
  });

  it('needs two recoveries for two stale streams', () => {
    const two = [...RUN, stale('a'), stale('b')];

    expect(live(...two).state).toBe('degraded');
    expect(live(...two, { kind: 'recover', name: 'a' })).toMatchObject({
      state: 'degraded',
      since: 3_000,
    });
    expect(live(...two, { kind: 'recover', name: 'a' }, { kind: 'recover', name: 'b' }).state).toBe(
      'running',
    );
  });

  it('needs one recovery for a stream that was reported twice', () => {
    const life = live(...RUN, stale('a'), stale('a'), { kind: 'recover', name: 'a' });

    expect(life.state).toBe('running');
  });

  it('shows the most severe state, and the next one when that ends', () => {
    const all = [
      ...RUN,
      { kind: 'pause' },
      stale('a'),
      { kind: 'halt', name: 'drawdown', text: 'drawdown of 12 %' },
    ] as const;

    expect(live(...all).state).toBe('halted');
    expect(listReasons(live(...all))).toEqual([
      'drawdown of 12 %',
      'a is stale',
      'paused by the operator',
    ]);
    expect(live(...all, { kind: 'halt-over', name: 'drawdown' }).state).toBe('degraded');
    expect(
      live(...all, { kind: 'halt-over', name: 'drawdown' }, { kind: 'recover', name: 'a' }).state,
    ).toBe('paused');
  });

  it('ends pauses and halts on resume, but no stale condition', () => {
    const life = live(
      ...RUN,
      { kind: 'pause' },
      { kind: 'halt', name: 'operator', text: 'enough' },
      stale('a'),
      { kind: 'resume' },
    );

    expect(life.state).toBe('degraded');
    expect(listReasons(life)).toEqual(['a is stale']);
  });

  it('keeps a pause from before the run', () => {
    const early = live({ kind: 'pause' }, ...RUN);

    expect(live({ kind: 'pause' }).state).toBe('starting');
    expect(early.state).toBe('paused');
  });

  it('changes the text of a repeated condition and keeps its time', () => {
    const life = live(...RUN, stale('a'), { kind: 'degrade', name: 'a', text: 'a is down' });

    expect(life.conditions).toEqual([{ name: 'a', text: 'a is down', since: 3_000 }]);
  });

  it('returns the same object if an event changes nothing', () => {
    const life = live(...RUN, stale('a'));

    expect(advanceLife(life, { kind: 'resume', time: 9 })).toBe(life);
    expect(advanceLife(life, { kind: 'recover', name: 'b', time: 9 })).toBe(life);
    expect(advanceLife(life, { ...stale('a'), time: 9 })).toBe(life);
    expect(advanceLife(life, { kind: 'phase', phase: 'active', time: 9 })).toBe(life);
  });

  it('ignores all events after it has stopped', () => {
    const over = live(...RUN, { kind: 'pause' }, stale('a'), { kind: 'phase', phase: 'stopped' });

    expect(over.state).toBe('stopped');
    expect(listReasons(over)).toEqual([]);
    expect(advanceLife(over, { kind: 'halt', name: 'operator', text: 'x', time: 9 })).toBe(over);
  });

  const phases = Object.keys(LIFE_TRANSITIONS) as LifePhase[];
  it.each(phases)('allows from %s only the listed transitions', (from) => {
    const life: BotLife = { ...beginLife(0), phase: from };
    for (const phase of phases) {
      const step = (): BotLife => advanceLife(life, { kind: 'phase', phase, time: 1 });
      if (phase === from || LIFE_TRANSITIONS[from].includes(phase)) {
        expect(step().phase).toBe(phase);
      } else expect(step).toThrow(expect.objectContaining({ code: 'E_LIFE_TRANSITION' }));
    }
  });
});
