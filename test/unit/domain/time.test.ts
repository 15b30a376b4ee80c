import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatUtc, parseDuration, parseUtc } from '../../../src/domain/index.js';
import { failureOf } from '../../support/failure.js';

describe('parseDuration', () => {
  it.each([undefined, 5])('refuses %s, which is no text', (value) => {
    expect(failureOf(() => parseDuration(value as never))).toMatchObject({ code: 'E_DURATION' });
  });

  it.each([
    ['250ms', 250],
    ['90s', 90_000],
    ['15min', 900_000],
    ['15m', 900_000],
    ['1.5h', 5_400_000],
    ['2d', 172_800_000],
    ['1day', 86_400_000],
    ['1w', 604_800_000],
    ['2week', 1_209_600_000],
    ['0s', 0],
  ])('reads %s', (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  it.each(['', '5', 's', '-5s', '5 s', '5sec', '1e3s', '1.s', '1,5h'])('refuses "%s"', (text) => {
    const failure = failureOf(() => parseDuration(text));

    expect(failure).toMatchObject({ code: 'E_DURATION' });
    expect(failure.message).toContain(`received "${text}"`);
  });
});

describe('parseUtc', () => {
  it.each([
    ['2025-06-01', Date.UTC(2025, 5, 1)],
    ['2025-06-01T12:00Z', Date.UTC(2025, 5, 1, 12)],
    ['2025-06-01 12:30:45Z', Date.UTC(2025, 5, 1, 12, 30, 45)],
    ['2025-06-01T12:30:45.678Z', Date.UTC(2025, 5, 1, 12, 30, 45, 678)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
  ])('reads %s', (text, expected) => {
    expect(parseUtc(text)).toBe(expected);
  });

  it.each([
    '',
    'now',
    '2025',
    '2025-6-1',
    '2025-06-01T12:00:00',
    '2025-06-01T12:00:00+02:00',
    '2025-13-01',
    '2025-02-29',
    '2025-02-30',
    '2025-06-31T00:00Z',
    '2025-06-01T25:00:00Z',
    '1748736000000',
  ])('refuses "%s"', (text) => {
    const failure = failureOf(() => parseUtc(text));

    expect(failure).toMatchObject({ code: 'E_TIME' });
    expect(failure.message).toContain(`received "${text}"`);
  });

  it.each([Number.NaN, Infinity, -8.64e15 - 1, 1e300])(
    'formatUtc writes the invalid time %d as a plain number',
    (time) => {
      expect(formatUtc(time)).toBe(String(time));
    },
  );

  it('restores a time from the text of formatUtc', () => {
    const times = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(9999, 0) });
    fc.assert(
      fc.property(times, (time) => {
        expect(parseUtc(formatUtc(time))).toBe(time);
      }),
    );
  });
});
