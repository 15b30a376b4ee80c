import { describe, expect, it } from 'vitest';

import { PollQueue } from '../../../src/feed/index.js';
import { VirtualTime } from '../../support/virtual-time.js';

const NEVER = new AbortController().signal;

function someTurns(slotMs?: number) {
  const time = new VirtualTime(0);
  const turns = new PollQueue(time, slotMs);
  const begun: string[] = [];
  const take = (
    name: string,
    {
      takesMs,
      rest,
      signal = NEVER,
      longestRest,
    }: { takesMs: number; rest: number; signal?: AbortSignal; longestRest?: () => number },
  ): Promise<void> =>
    turns.take(
      async () => {
        begun.push(`${String(time.now())} ${name}`);
        await new Promise<void>((resolve) => void time.after(takesMs, resolve));
        return rest;
      },
      signal,
      longestRest,
    );
  return { time, turns, begun, take };
}

describe('PollQueue', () => {
  it('runs pieces one by one, with a rest in proportion to the duration of each', async () => {
    const { time, begun, take } = someTurns();
    const all = [
      take('a', { takesMs: 1_000, rest: 1 }),
      take('b', { takesMs: 100, rest: 7 }),
      take('c', { takesMs: 0, rest: 7 }),
      take('d', { takesMs: 0, rest: 0 }),
    ];

    await time.drain();
    await Promise.all(all);

    // 1000 + 1000; 2000 + 100 + 700; a turn that takes no time needs no rest.
    expect(begun).toEqual(['0 a', '2000 b', '2800 c', '2800 d']);
  });

  it('counts the slot of the last call in the duration of a piece', async () => {
    const { time, begun, take } = someTurns(1_000);
    // Turn a makes one call at once. Turn b makes two calls, and the second one waits for its slot.
    const all = [
      take('a', { takesMs: 0, rest: 1 }),
      take('b', { takesMs: 1_000, rest: 7 }),
      take('c', { takesMs: 0, rest: 0 }),
    ];

    await time.drain();
    await Promise.all(all);

    // 1000 + 1000; 2000 + 2000 + 14000: an eighth.
    expect(begun).toEqual(['0 a', '2000 b', '18000 c']);
  });

  it('rests no longer than a waiting piece accepts, also behind others', async () => {
    const { time, begun, take } = someTurns();
    const all = [
      take('idle', { takesMs: 1_000, rest: 7 }),
      take('also idle', { takesMs: 1_000, rest: 7, longestRest: () => 7 }),
    ];
    await time.advance(1_500);

    all.push(take('orders', { takesMs: 0, rest: 1, longestRest: () => 1 }));
    await time.drain();
    await Promise.all(all);

    // 1000 + 1000 instead of 1000 + 7000, twice.
    expect(begun).toEqual(['0 idle', '2000 also idle', '4000 orders']);
  });

  it('asks the waiting pieces again after hurry()', async () => {
    const { time, turns, begun, take } = someTurns();
    let accepted = 7;
    const all = [
      take('a', { takesMs: 1_000, rest: 7 }),
      take('b', { takesMs: 0, rest: 7, longestRest: () => accepted }),
    ];
    await time.advance(3_000);

    accepted = 1;
    turns.hurry();
    await time.drain();
    await Promise.all(all);

    expect(begun).toEqual(['0 a', '3000 b']);
  });

  it('skips an aborted piece and keeps the order of the others', async () => {
    const { time, begun, take } = someTurns();
    const controller = new AbortController();
    const first = take('a', { takesMs: 1_000, rest: 1 });
    const left = take('b', { takesMs: 0, rest: 0, signal: controller.signal });
    const last = take('c', { takesMs: 0, rest: 0 });
    await time.advance(500);

    controller.abort();
    await left;
    await time.drain();
    await Promise.all([first, last]);

    expect(begun).toEqual(['0 a', '2000 c']);
  });

  it('continues after a failed piece, with a rest as long as the piece took', async () => {
    const { time, turns, begun, take } = someTurns();
    const failing = turns.take(async () => {
      await new Promise<void>((resolve) => void time.after(300, resolve));
      throw new Error('no answer');
    }, NEVER);
    const outcome = expect(failing).rejects.toThrow('no answer');
    const next = take('b', { takesMs: 0, rest: 0 });

    await time.drain();
    await outcome;
    await next;

    expect(begun).toEqual(['600 b']);
  });
});
