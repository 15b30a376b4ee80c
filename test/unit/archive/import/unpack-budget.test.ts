import { describe, expect, it } from 'vitest';
import { UnpackBudget } from '../../../../src/archive/import/unpack-budget.js';

const MEGABYTE = 1024 ** 2;

describe('UnpackBudget', () => {
  it('allows 64 times the file size plus 64 MB for all pieces together', () => {
    const budget = new UnpackBudget('candles.parquet', MEGABYTE);

    expect(budget.take(100 * MEGABYTE)).toBe(100 * MEGABYTE);
    expect(budget.left).toBe(28 * MEGABYTE);
    expect(budget.take(28 * MEGABYTE)).toBe(28 * MEGABYTE);
    expect(() => budget.take(1)).toThrow(
      'candles.parquet: expected at most 134217728 unpacked bytes, received more: it may be a decompression bomb',
    );
  });
});
