import { describe, expect, it } from 'vitest';

import { dayEndsBetween } from '../../../src/report/index.js';

const utc = (text: string): number => Date.parse(text);

describe('dayEndsBetween', () => {
  it('returns every midnight after the start of a run over whole days', () => {
    const ends = dayEndsBetween(utc('2025-01-01T00:00:00Z'), utc('2025-01-03T00:00:00Z'));

    expect(ends).toEqual([utc('2025-01-02T00:00:00Z'), utc('2025-01-03T00:00:00Z')]);
  });

  it('adds the end of a run that stops within a day', () => {
    const ends = dayEndsBetween(utc('2025-01-01T12:00:00Z'), utc('2025-01-02T06:30:00Z'));

    expect(ends).toEqual([utc('2025-01-02T00:00:00Z'), utc('2025-01-02T06:30:00Z')]);
  });

  it('returns only the end of a run within one day', () => {
    const ends = dayEndsBetween(utc('2025-01-01T12:00:00Z'), utc('2025-01-01T18:00:00Z'));

    expect(ends).toEqual([utc('2025-01-01T18:00:00Z')]);
  });

  it('is empty for a run without duration', () => {
    const ends = dayEndsBetween(utc('2025-01-01T12:00:00Z'), utc('2025-01-01T12:00:00Z'));

    expect(ends).toEqual([]);
  });
});
