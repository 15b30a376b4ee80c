import { describe, expect, it } from 'vitest';

import { retryAfterMs } from '../../../src/client/http/retry-after.js';

const NOW = Date.UTC(2025, 5, 1, 12);

describe('retryAfterMs', () => {
  it.each([
    ['nothing', undefined, 0],
    ['seconds', '3', 3_000],
    ['a date', 'Sun, 01 Jun 2025 12:00:30 GMT', 30_000],
    ['a date that has passed', 'Sun, 01 Jun 2025 11:00:00 GMT', 0],
    ['nonsense', 'soon', 0],
    ['an empty text', '', 0],
    ['a negative number', '-5', 0],
    ['two headers', ['2', '7'], 7_000],
    ['two headers in one line', '2, 7', 7_000],
    ['more than a day', '999999999', 86_400_000],
  ])('reads %s', (_name, header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });
});
