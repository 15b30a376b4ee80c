import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  closeTimeOf,
  DAY_MS,
  fixedIntervalMs,
  floorToInterval,
  formatUtc,
  HOUR_MS,
  INTERVALS,
  MINUTE_MS,
  nominalIntervalMs,
  parseInterval,
  parseUtc,
  VENUE_INTERVALS,
  type Interval,
} from '../../../src/domain/index.js';
import { failureOf } from '../../support/failure.js';
import { lawRuns } from '../../support/runs.js';

describe('floorToInterval and closeTimeOf', () => {
  it.each<readonly [Interval, string, string, string]>([
    ['1min', '2025-06-01T12:34:56.789Z', '2025-06-01T12:34:00Z', '2025-06-01T12:35:00Z'],
    ['15min', '2025-06-01T12:59:59.999Z', '2025-06-01T12:45:00Z', '2025-06-01T13:00:00Z'],
    ['8h', '2025-06-01T23:59:59Z', '2025-06-01T16:00:00Z', '2025-06-02T00:00:00Z'],
    ['1day', '2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z'],
    // 2025-06-01 is a Sunday: its week began on Monday 26 May.
    ['1week', '2025-06-01T23:59:59Z', '2025-05-26T00:00:00Z', '2025-06-02T00:00:00Z'],
    ['1week', '2025-06-02T00:00:00Z', '2025-06-02T00:00:00Z', '2025-06-09T00:00:00Z'],
    ['1week', '1970-01-01T00:00:00Z', '1969-12-29T00:00:00Z', '1970-01-05T00:00:00Z'],
    ['1month', '2024-02-29T23:00:00Z', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'],
    ['1month', '2023-02-28T23:00:00Z', '2023-02-01T00:00:00Z', '2023-03-01T00:00:00Z'],
    ['1month', '2100-02-28T00:00:00Z', '2100-02-01T00:00:00Z', '2100-03-01T00:00:00Z'],
    ['1month', '2024-12-31T23:59:59Z', '2024-12-01T00:00:00Z', '2025-01-01T00:00:00Z'],
  ])('a candle of %s at %s opens at %s and closes at %s', (interval, time, open, close) => {
    const floor = floorToInterval(parseUtc(time), interval);

    expect(formatUtc(floor)).toBe(open);
    expect(formatUtc(closeTimeOf(floor, interval))).toBe(close);
  });

  it('enclose every time, and each close is the next open', () => {
    const times = fc.integer({ min: parseUtc('1960-01-01'), max: parseUtc('2200-01-01') });
    fc.assert(
      fc.property(times, fc.constantFrom(...INTERVALS), (time, interval) => {
        const open = floorToInterval(time, interval);
        const close = closeTimeOf(open, interval);

        expect(open <= time && time < close).toBe(true);
        expect(floorToInterval(open, interval)).toBe(open);
        expect(floorToInterval(close, interval)).toBe(close);
        expect(floorToInterval(close - 1, interval)).toBe(open);
        const length = fixedIntervalMs(interval);
        if (length === undefined) {
          expect([28, 29, 30, 31]).toContain((close - open) / DAY_MS);
        } else {
          expect(close - open).toBe(length);
        }
        // The corners of a candle's path lie on whole milliseconds.
        expect((close - open) % 3).toBe(0);
      }),
      { numRuns: lawRuns() },
    );
  });
});

describe('interval lengths', () => {
  it('rise in the order of INTERVALS', () => {
    const lengths = INTERVALS.map(nominalIntervalMs);

    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    expect(new Set(lengths).size).toBe(INTERVALS.length);
  });

  it('are fixed except for months, which are nominally 30 days', () => {
    expect(fixedIntervalMs('1min')).toBe(MINUTE_MS);
    expect(fixedIntervalMs('4h')).toBe(4 * HOUR_MS);
    expect(fixedIntervalMs('1week')).toBe(7 * DAY_MS);
    expect(fixedIntervalMs('1month')).toBeUndefined();
    expect(nominalIntervalMs('1month')).toBe(30 * DAY_MS);
  });
});

describe('parseInterval', () => {
  it('reads every name, also those of the venue', () => {
    expect(INTERVALS.map(parseInterval)).toEqual([...INTERVALS]);
    expect(VENUE_INTERVALS.every((name) => parseInterval(name) === name)).toBe(true);
  });

  it.each(['', '1m', '1 min', '1MIN', '7min', '1months'])(
    'refuses "%s" and lists the intervals',
    (text) => {
      const failure = failureOf(() => parseInterval(text));

      expect(failure).toMatchObject({ code: 'E_INTERVAL' });
      expect(failure.message).toContain('1min, 3min');
      expect(failure.message).toContain(`received "${text}"`);
    },
  );
});
