import { describe, expect, it } from 'vitest';
import { AskedTrials } from '../../../src/queue/asked-trials.js';
import { chunkSize, MOST_PER_CHUNK } from '../../../src/queue/chunk-size.js';
import { SuspectGate } from '../../../src/queue/suspect-gate.js';
import { TrialCrash, type TrialRun } from '../../../src/research/index.js';

const run = (code: string): TrialRun => ({
  outcome: { status: 'failed', code, message: '' },
});

describe('AskedTrials', () => {
  it('returns a result to all callers', async () => {
    const asked = new AskedTrials();
    const [one, again] = [asked.ask('a'), asked.ask('a')];

    asked.settle('chunk', ['a'], [run('A')]);

    expect(await Promise.all([one, again])).toEqual([run('A'), run('A')]);
    expect(asked.takeSettled()).toEqual(['chunk']);
    expect(asked.takeSettled()).toEqual([]);
  });

  it('keeps early results, and their chunk until all its results were asked for', async () => {
    const asked = new AskedTrials();
    asked.place('a');
    asked.place('b');

    asked.settle('chunk', ['a', 'b'], [run('A'), run('B')]);

    expect(asked.takeSettled()).toEqual([]);
    expect(asked.holds('chunk')).toBe(true);
    expect(await asked.ask('a')).toEqual(run('A'));
    expect(asked.takeSettled()).toEqual([]);
    expect(await asked.ask('b')).toEqual(run('B'));
    expect(asked.takeSettled()).toEqual(['chunk']);
    asked.forget('chunk');
    expect(asked.holds('chunk')).toBe(false);
    // A trial that was handed over may be asked for again. It goes into another chunk.
    expect(asked.place('a')).toBe(true);
  });

  it('rejects with a crash, after which the combination may go into another chunk', async () => {
    const asked = new AskedTrials();
    asked.place('a');
    const one = asked.ask('a');

    asked.crash(['a'], 'it broke');

    await expect(one).rejects.toThrow(TrialCrash);
    expect(asked.place('a')).toBe(true);
  });
});

describe('chunkSize', () => {
  it('returns at most 100, and smaller chunks near the end so that no thread waits long', () => {
    const sizeOf = (open: number, left: number, threads: number): number =>
      chunkSize({ open, left, threads });

    expect(sizeOf(100_000, 100_000, 2)).toBe(MOST_PER_CHUNK);
    expect(sizeOf(10, 10, 0)).toBe(1);
    expect(sizeOf(320, 320, 2)).toBe(20);
    // 1,000 threads give 4,000 chunks.
    expect(sizeOf(100_000, 100_000, 1_000)).toBe(25);
    // The last trials.
    expect(sizeOf(100_000, 100, 2)).toBe(10);
    expect(sizeOf(0, 0, 0)).toBe(1);
  });
});

describe('SuspectGate', () => {
  it('runs normal work in parallel, and suspect work alone', async () => {
    const gate = new SuspectGate();
    const running = new Set<string>();
    const seen: string[] = [];
    const ends: (() => void)[] = [];
    const begin = (name: string, isSuspect: boolean): Promise<void> =>
      gate.pass(isSuspect, async () => {
        running.add(name);
        seen.push([...running].sort().join('+'));
        await new Promise<void>((resolve) => ends.push(resolve));
        running.delete(name);
      });
    const endOne = async (): Promise<void> => {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    const all = [begin('a', false), begin('b', false), begin('x', true), begin('c', false)];

    while (running.size > 0 || ends.length > 0) await endOne();
    await Promise.all(all);

    expect(seen).toEqual(['a', 'a+b', 'x', 'c']);
  });
});
