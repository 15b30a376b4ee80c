import { describe, expect, it } from 'vitest';

import { InvariantError, TransportError } from '../../../src/domain/index.js';
import { delayToGrid, poll, type PollOutcome } from '../../../src/feed/poll.js';
import { VirtualTime } from '../../support/virtual-time.js';

const START = Date.UTC(2025, 0, 1);

describe('poll', () => {
  it('aborts the pending call on unsubscribe and ignores its answer', async () => {
    const time = new VirtualTime(START);
    let signal: AbortSignal | undefined;
    let answer: (value: number) => void = () => undefined;
    const outcomes: PollOutcome<number>[] = [];
    const polling = poll({
      time,
      call: (given) => {
        signal = given;
        return new Promise<number>((resolve) => {
          answer = resolve;
        });
      },
      delayAfter: () => 1_000,
    }).subscribe((outcome) => outcomes.push(outcome));
    await time.advance(0);

    polling.unsubscribe();
    answer(1);
    await time.advance(10_000);

    expect(signal?.aborted).toBe(true);
    expect(outcomes).toEqual([]);
    expect(time.pending).toBe(0);
  });

  it('counts consecutive failures and resets the count after an answer', async () => {
    const time = new VirtualTime(START);
    const failing = [true, true, false, true];
    const outcomes: PollOutcome<string>[] = [];
    poll({
      time,
      call: () =>
        failing.shift() === true
          ? Promise.reject(new TransportError('E_TIMEOUT', 'no answer'))
          : Promise.resolve('here'),
      delayAfter: () => 100,
    }).subscribe((outcome) => outcomes.push(outcome));

    await time.advance(3_100);

    const told = outcomes.map((outcome) =>
      outcome.kind === 'answer' ? outcome.value : outcome.failures,
    );
    expect(told).toEqual([1, 2, 'here', 1]);
    expect(outcomes.map(({ at }) => at - START)).toEqual([0, 1_000, 3_000, 3_100]);
  });

  it.each([
    ['a bug', () => Promise.reject(new InvariantError('E_UNREACHABLE', 'a bug'))],
    [
      'a call that throws',
      (): Promise<never> => {
        throw new TypeError('not a function');
      },
    ],
  ])('ends with the error of %s', async (_what, call) => {
    const time = new VirtualTime(START);
    const errors: unknown[] = [];

    poll({ time, call, delayAfter: () => 1 }).subscribe({
      error: (error: unknown) => errors.push(error),
    });
    await time.advance(1_000);

    expect(errors).toHaveLength(1);
    expect(time.pending).toBe(0);
  });
});

describe('delayToGrid', () => {
  it.each([
    [0, 1_000, 0, 1_000],
    [1, 1_000, 0, 999],
    [999, 1_000, 0, 1],
    [100, 1_000, 300, 200],
    [300, 1_000, 300, 1_000],
    [-1, 1_000, 0, 1],
  ])('from %i with period %i and phase %i is %i ms', (now, period, phase, delay) => {
    expect(delayToGrid(now, period, phase)).toBe(delay);
  });
});
