import { describe, expect, it } from 'vitest';
import { AmbientUses } from '../../../src/engine/strategy/ambient-uses.js';
import { hearAmbient, watchAmbient } from '../../../src/engine/strategy/ambient-watch.js';
import { OneAtATime } from '../../../src/live/one-at-a-time.js';

/** Ambient functions that `work` called, with the number of calls. */
function usesOf(work: () => unknown): readonly (readonly [string, number])[] {
  const uses = new AmbientUses(() => 0);
  watchAmbient();
  const before = hearAmbient(uses);
  try {
    work();
  } finally {
    hearAmbient(before);
  }
  return uses.list.map(({ what, count }) => [what, count]);
}

describe('watchAmbient', () => {
  it.each<[string, () => unknown, string]>([
    ['Date.now', () => Date.now(), 'Date.now'],
    ['a date of now', () => new Date(), 'new Date()'],
    ['a date as text', () => Date(), 'Date()'],
    ['a class of dates', () => new (class extends Date {})(), 'new Date()'],
    ['performance', () => performance.now(), 'performance.now'],
    ['hrtime', () => process.hrtime(), 'process.hrtime'],
    ['hrtime as a bigint', () => process.hrtime.bigint(), 'process.hrtime.bigint'],
    ['Math.random', () => Math.random(), 'Math.random'],
    ['a uuid', () => crypto.randomUUID(), 'crypto.randomUUID'],
    ['random bytes', () => crypto.getRandomValues(new Uint8Array(4)), 'crypto.getRandomValues'],
    ['a promise', () => Promise.resolve(1), 'a promise'],
    ['an async function', () => (async () => 1)(), 'a promise'],
  ])('reports %s', (_, work, what) => {
    expect(usesOf(work)).toEqual([[what, 1]]);
  });

  it('ignores dates with a given time and functions that need no clock', () => {
    const uses = usesOf(() => {
      const date = new Date(5);
      return [date.getUTCDay(), new Date(2_020, 1), Date.UTC(2_020), Date.parse('2020-01-01')];
    });

    expect(uses).toEqual([]);
  });

  it('ignores what other parts of evenkeel do while a strategy runs, such as a line of the log', () => {
    const own = new OneAtATime();

    expect(usesOf(() => own.run(() => Promise.resolve()))).toEqual([]);
  });

  it('counts nothing while no strategy runs', () => {
    const uses = usesOf(() => undefined);
    void Promise.resolve(Date.now() + Math.random());

    expect(uses).toEqual([]);
  });

  it('does not change dates for other code', () => {
    watchAmbient();

    expect(new Date(5)).toBeInstanceOf(Date);
    expect(structuredClone(new Date(5))).toBeInstanceOf(Date);
    expect(new Date(5).constructor).toBe(Date);
    expect(new Date(2_020, 1, 3).getMonth()).toBe(1);
    expect([Date.name, Date.length, typeof Date()]).toEqual(['Date', 7, 'string']);
    expect(Math.abs(new Date().getTime() - Date.now())).toBeLessThan(1_000);
  });

  it('counts every use of a function', () => {
    const times = 5_000;
    const uses = usesOf(() => {
      for (let n = 0; n < times; n += 1) Math.random();
    });

    expect(uses).toEqual([['Math.random', times]]);
  });
});
