import { describe, expect, it } from 'vitest';

import { timeTicks } from '../../../src/page/browser/time-ticks.js';

const HOUR = 3_600_000;

/** Labels of six ticks from a time on. */
function ticks(from: string, stepMs: number): readonly string[] {
  const start = Date.parse(from);
  return timeTicks(Array.from({ length: 6 }, (_, index) => start + index * stepMs));
}

describe('timeTicks', () => {
  it('writes the year below the first day, and below the first day of each new year', () => {
    expect(ticks('2024-12-06T00:00Z', 15 * 24 * HOUR)).toEqual([
      ...['12-06\n2024', '12-21', '01-05\n2025', '01-20', '02-04', '02-19'],
    ]);
  });

  it('writes the date below each midnight, and below the first time if no midnight is near', () => {
    expect(ticks('2024-08-14T03:00Z', 3 * HOUR)[0]).toBe('03:00\n2024-08-14');
    // Dates are wider than steps: a date below 21:00 would overlap the date of the next midnight.
    expect(ticks('2024-08-13T21:00Z', 3 * HOUR)).toEqual([
      ...['21:00', '00:00\n2024-08-14', '03:00', '06:00', '09:00', '12:00'],
    ]);
  });

  it('writes months if ticks are far apart', () => {
    expect(ticks('2024-08-01T00:00Z', 30 * 24 * HOUR)[1]).toBe('2024-08');
  });
});
