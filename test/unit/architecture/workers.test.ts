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
])('tests of the mode %s, which wait for processes, have %i workers more', (mode, more) => {
  expect(workersOf(mode)).toEqual([availableParallelism() + more]);
});

it('says the same number in each project of a mode that runs together', () => {
  const [first, ...others] = workersOf('test').filter((workers) => workers !== undefined);

  expect(first).toBeGreaterThanOrEqual(2);
  for (const workers of others) expect(workers).toBe(first);
});
