import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { spawnGuard } from '../../../../../src/cli/live/guard/spawn-guard.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Replaces the start of processes. Each start takes the next outcome: a process, or an error that is thrown. */
function starting(...outcomes: readonly (EventEmitter | Error)[]) {
  let starts = 0;
  const spawn = (): ChildProcess => {
    const outcome = outcomes[starts];
    starts += 1;
    if (outcome instanceof EventEmitter)
      return Object.assign(outcome, { unref: () => undefined }) as unknown as ChildProcess;
    throw outcome ?? new Error('one start too many');
  };
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ spawn });
  return { starts: () => starts };
}

describe('spawnGuard', () => {
  it('tries again when the machine has no memory for the next guard process', () => {
    const [first, last] = [new EventEmitter(), new EventEmitter()];
    const { starts } = starting(first, new Error('spawn ENOMEM'), last);
    const said: string[] = [];
    const link = spawnGuard([], (line) => said.push(line));
    first.emit('message', { kind: 'ready' });

    first.emit('close');
    vi.advanceTimersByTime(1_000);
    expect(link.standby).toBe('gone');
    expect(said.at(-1)).toBe(
      'the guard process could not be started (the memory of the machine is used up); starting it again in 2 s',
    );
    vi.advanceTimersByTime(2_000);
    last.emit('message', { kind: 'ready' });

    expect(starts()).toBe(3);
    expect(link.standby).toBe('ready');
  });

  it('says why a process could not be started that ends before it has begun', () => {
    const first = new EventEmitter();
    starting(first);
    const said: string[] = [];
    spawnGuard([], (line) => said.push(line));

    first.emit('error', Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' }));
    first.emit('close');

    expect(said).toEqual([
      'the guard process could not be started (the system has no room for it now); starting it again in 1 s',
    ]);
  });
});
