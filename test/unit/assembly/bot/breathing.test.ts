import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { breathing } from '../../../../src/assembly/bot/journal/replay-journal.js';
import type { StoredEntry } from '../../../../src/journal/index.js';

const breathe = (): Promise<void> => nextTurn();

function entries(count: number): readonly StoredEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    event: { kind: 'timer', time: index },
    commands: [],
    intents: [],
    isIntact: true,
  }));
}

describe('breathing', () => {
  it('yields all entries in order, and lets the event loop turn in between', async () => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);

    const ids: number[] = [];
    for await (const { id } of breathing(entries(10_000), { breathe })) ids.push(id);
    isOver = true;

    expect(ids).toEqual(entries(10_000).map(({ id }) => id));
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('ends with the reason of a signal within about a thousand entries', async () => {
    const stop = new AbortController();
    const read: number[] = [];
    const reading = async (): Promise<void> => {
      for await (const { id } of breathing(entries(10_000), { breathe, signal: stop.signal })) {
        read.push(id);
        if (id === 1_000) stop.abort(new Error('stopped by the operator'));
      }
    };

    await expect(reading()).rejects.toThrow('stopped by the operator');
    expect(read.length).toBeLessThan(2_100);
  });
});
