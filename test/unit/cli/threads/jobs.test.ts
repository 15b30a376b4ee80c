import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { jobsFor } from '../../../../src/cli/threads/jobs.js';

describe('jobsFor', () => {
  it.each([
    ['as many as were asked for', 100, 7, 7],
    ['none without a task', 3, 7, 3],
    ['one where there is nothing to do', 0, 7, 1],
    ['one per core where nothing was said', Infinity, undefined, availableParallelism()],
  ])('returns %s', (_, tasks, wanted, jobs) => {
    expect(jobsFor(tasks, wanted)).toBe(jobs);
  });
});
