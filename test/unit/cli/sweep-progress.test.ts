import { describe, expect, it } from 'vitest';
import { describeProgress } from '../../../src/cli/sweep/sweep-progress.js';

describe('describeProgress', () => {
  it.each([
    [1, '0 of 1 combination, 0 %'],
    [2, '0 of 2 combinations, 0 %'],
  ])('of %i', (total, text) => {
    expect(describeProgress({ done: 0, ran: 0, failed: 0, total }, 0)).toBe(text);
  });
});
