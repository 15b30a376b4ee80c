import { afterEach, expect, it, vi } from 'vitest';
import { startHangGuard } from '../../../../src/cli/live/hang-guard.js';

afterEach(() => {
  vi.restoreAllMocks();
});

it('says so if the system has no memory for the thread of a hang guard', () => {
  const noThread = vi.fn(function () {
    throw new Error('ENOMEM');
  });
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ Worker: noThread });
  const said: string[] = [];

  const stop = startHangGuard({ limitMs: 1_000, say: (line) => said.push(line) });
  stop();

  expect(said).toEqual([
    'no thread watches for a blocked event loop: the memory of the machine is used up',
  ]);
});
