import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { breathing } from '../../../../src/assembly/bot/replay-journal.js';
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

describe('entries of a journal that are read breathing', () => {
  it('are all there, in order, and let timers of the process go on meanwhile', async () => {
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

  it('end with the reason of a signal, within a thousand or so', async () => {
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
