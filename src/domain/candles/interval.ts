import { DomainError } from '../errors.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from '../time.js';
import { suggestInterval } from './suggest-interval.js';

/** Candle intervals in rising order; those of {@link VENUE_INTERVALS} are served by the venue, the others come from resampling. */
export const INTERVALS = [
  '1min',
  '3min',
  '5min',
  '15min',
  '30min',
  '1h',
  '2h',
  '4h',
  '6h',
  '8h',
  '12h',
  '1day',
  '1week',
  '1month',
] as const;
export type Interval = (typeof INTERVALS)[number];

/** Intervals that the venue serves, the same for spot and futures. Source: exchange interface, klines. */
export const VENUE_INTERVALS = [
  '1min',
  '5min',
  '15min',
  '30min',
  '1h',
  '1day',
  '1week',
  '1month',
] as const satisfies readonly Interval[];
export type VenueInterval = (typeof VENUE_INTERVALS)[number];

/** 1970-01-05, the first Monday of the epoch: weeks start on Monday 00:00 UTC. */
const FIRST_MONDAY = 4 * DAY_MS;

const FIXED_LENGTHS: Readonly<Record<Exclude<Interval, '1month'>, number>> = {
  '1min': MINUTE_MS,
  '3min': 3 * MINUTE_MS,
  '5min': 5 * MINUTE_MS,
  '15min': 15 * MINUTE_MS,
  '30min': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '2h': 2 * HOUR_MS,
  '4h': 4 * HOUR_MS,
  '6h': 6 * HOUR_MS,
  '8h': 8 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1day': DAY_MS,
  '1week': 7 * DAY_MS,
};

/** @throws {DomainError} `E_INTERVAL` when the text names no interval. */
export function parseInterval(text: string): Interval {
  const interval = INTERVALS.find((candidate) => candidate === text);
  if (interval === undefined) {
    const meant = suggestInterval(text, INTERVALS);
    const suggestion = meant === undefined ? '' : `; did you mean "${meant}"?`;
    throw new DomainError(
      'E_INTERVAL',
      `expected one of ${INTERVALS.join(', ')}, received "${text.slice(0, 40)}"${suggestion}`,
    );
  }
  return interval;
}

/** Length in milliseconds, or undefined for months, which differ. */
export function fixedIntervalMs(interval: Interval): number | undefined {
  return interval === '1month' ? undefined : FIXED_LENGTHS[interval];
}

/** Length in milliseconds used for ordering and rough sizes; a month counts as 30 days. */
export function nominalIntervalMs(interval: Interval): number {
  return fixedIntervalMs(interval) ?? 30 * DAY_MS;
}

/** Start of the interval that contains `time`: on the UTC grid, weeks from Monday, months from the first. */
export function floorToInterval(time: EpochMs, interval: Interval): EpochMs {
  if (interval === '1month') {
    const date = new Date(time);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
  const length = FIXED_LENGTHS[interval];
  const origin = interval === '1week' ? FIRST_MONDAY : 0;
  return origin + Math.floor((time - origin) / length) * length;
}

/** End (exclusive) of the candle that opens at `openTime`, which is the open time of the next one. */
export function closeTimeOf(openTime: EpochMs, interval: Interval): EpochMs {
  if (interval !== '1month') return openTime + FIXED_LENGTHS[interval];
  const date = new Date(openTime);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
