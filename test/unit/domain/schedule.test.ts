import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatUtc, nextOfSchedule, parseSchedule, parseUtc } from '../../../src/domain/index.js';
import { failureOf } from '../../support/failure.js';

/** A Wednesday. */
const AFTER = parseUtc('2025-06-04T10:30:00Z');

describe('a schedule', () => {
  it.each([
    ['@hourly', '2025-06-04T11:00:00Z'],
    ['@hourly :30', '2025-06-04T11:30:00Z'],
    ['@hourly :31', '2025-06-04T10:31:00Z'],
    ['@daily', '2025-06-05T00:00:00Z'],
    ['@daily 00:00', '2025-06-05T00:00:00Z'],
    ['@daily 10:30', '2025-06-05T10:30:00Z'],
    ['@daily 10:31', '2025-06-04T10:31:00Z'],
    ['@weekly', '2025-06-09T00:00:00Z'],
    ['@weekly mon', '2025-06-09T00:00:00Z'],
    ['@weekly mon 00:00', '2025-06-09T00:00:00Z'],
    ['@weekly wed 23:59', '2025-06-04T23:59:00Z'],
    ['@weekly sun 08:15', '2025-06-08T08:15:00Z'],
    ['1s', '2025-06-04T10:30:01Z'],
    ['15min', '2025-06-04T10:45:00Z'],
    ['4h', '2025-06-04T12:00:00Z'],
    ['1d', '2025-06-05T00:00:00Z'],
    ['1week', '2025-06-09T00:00:00Z'],
  ])('"%s" comes next at %s', (text, expected) => {
    expect(formatUtc(nextOfSchedule(parseSchedule(text), AFTER))).toBe(expected);
  });

  it.each([
    '',
    'daily',
    '@daily 24:00',
    '@daily 7:00',
    '@daily 07:60',
    '@hourly 00:15',
    '@weekly monday 00:00',
    '@weekly 00:00',
    '@monthly',
    '7h',
    '2d',
    '500ms',
    '0min',
    'every hour',
  ])('"%s" is refused', (text) => {
    expect(failureOf(() => parseSchedule(text))).toMatchObject({
      code: 'E_SCHEDULE',
      message: `expected a schedule such as "@hourly :30", "@daily 00:00" or "@weekly mon 00:00", or a duration of at least a second that divides a day, such as "15min", received "${text}"`,
    });
  });

  it('refuses a value that is not a text', () => {
    const failure = failureOf(() => parseSchedule(60_000 as never));

    expect(failure.message).toMatch(/received number$/);
  });

  it('comes once in each period, always at the same offset', () => {
    const text = fc.constantFrom(
      '@hourly :05',
      '@daily 08:00',
      '@weekly fri 16:00',
      '90s',
      '1week',
    );

    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 4_000_000_000_000 }), (words, after) => {
        const schedule = parseSchedule(words);

        const next = nextOfSchedule(schedule, after);

        expect(next).toBeGreaterThan(after);
        expect(next - schedule.periodMs).toBeLessThanOrEqual(after);
        expect(nextOfSchedule(schedule, next)).toBe(next + schedule.periodMs);
        expect((next - schedule.offsetMs) % schedule.periodMs).toBe(0);
      }),
    );
  });
});
