import { afterEach, describe, expect, it } from 'vitest';
import { shiftClock } from '../../../src/cli/audit/shift-clock.js';

const DAY_MS = 86_400_000;
let setRight = (): void => undefined;

afterEach(() => {
  setRight();
});

describe('shiftClock', () => {
  it('shifts the current time, and leaves dates of given times unchanged', () => {
    const { now } = Date;
    setRight = shiftClock(DAY_MS);

    const before = now();
    expect(Date.now()).toBeGreaterThanOrEqual(before + DAY_MS);
    expect(new Date().getTime()).toBeGreaterThanOrEqual(before + DAY_MS);
    expect(new Date(5).getTime()).toBe(5);
    expect(Date.UTC(2025, 0, 1)).toBe(1_735_689_600_000);
    expect(Date.parse('2025-01-01T00:00:00Z')).toBe(1_735_689_600_000);
  });

  it('keeps the property names of Date', () => {
    const expected = Object.getOwnPropertyNames(Date).sort();
    setRight = shiftClock(DAY_MS);

    expect(Object.getOwnPropertyNames(Date).sort()).toEqual(expected);
  });
});
