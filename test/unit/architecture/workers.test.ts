import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import config from '../../../vitest.config.js';

/** `maxWorkers` of each project of a mode. */
function workersOf(mode: string): readonly unknown[] {
  const projects = config({ mode, command: 'serve' }).test?.projects ?? [];
  return projects.map((project) =>
    typeof project === 'object' && 'test' in project ? project.test.maxWorkers : undefined,
  );
}

it.each([
  ['hostile', 2],
  ['crash', 1],
  ['queue', 1],
])('the mode %s, whose tests wait for processes, has %i additional workers', (mode, more) => {
  expect(workersOf(mode)).toEqual([availableParallelism() + more]);
});

it('each project of a mode has the same number of workers', () => {
  const [first, ...others] = workersOf('test').filter((workers) => workers !== undefined);

  expect(first).toBeGreaterThanOrEqual(2);
  for (const workers of others) expect(workers).toBe(first);
});
