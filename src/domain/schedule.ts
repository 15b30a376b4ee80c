import { DomainError } from './errors.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, parseDuration, SECOND_MS, type EpochMs } from './time.js';

/** Repeated instants on the UTC clock: `offsetMs` after each multiple of `periodMs` since 1970-01-01. */
export interface Schedule {
  readonly periodMs: number;
  readonly offsetMs: number;
}

const WEEK_MS = 7 * DAY_MS;
/** 1970-01-01 was a Thursday. */
const WEEKDAYS: readonly string[] = ['thu', 'fri', 'sat', 'sun', 'mon', 'tue', 'wed'];
const MONDAY_MS = 4 * DAY_MS;

const HOURLY = /^@hourly(?: :([0-5]\d))?$/;
const DAILY = /^@daily(?: ([01]\d|2[0-3]):([0-5]\d))?$/;
const WEEKLY = /^@weekly(?: (mon|tue|wed|thu|fri|sat|sun)(?: ([01]\d|2[0-3]):([0-5]\d))?)?$/;

/**
 * Parses a schedule: "@hourly", "@hourly :30", "@daily", "@daily 08:00", "@weekly", "@weekly fri 16:00" (defaults: 00:00 and Monday), or a duration
 * of at least a second such as "15min" that divides a day, or "1week": counted from 00:00 UTC, weeks from Monday.
 *
 * @throws {DomainError} `E_SCHEDULE` for anything else.
 */
export function parseSchedule(text: string): Schedule {
  const schedule = typeof text === 'string' ? read(text) : undefined;
  if (schedule !== undefined) return schedule;
  const received = typeof text === 'string' ? `"${text.slice(0, 40)}"` : typeof text;
  throw new DomainError(
    'E_SCHEDULE',
    `expected a schedule such as "@hourly :30", "@daily 00:00" or "@weekly mon 00:00", or a duration of at least a second that divides a day, such as "15min", received ${received}`,
  );
}

/** The first instant of a schedule after a time. */
export function nextOfSchedule({ periodMs, offsetMs }: Schedule, after: EpochMs): EpochMs {
  return offsetMs + (Math.floor((after - offsetMs) / periodMs) + 1) * periodMs;
}

function read(text: string): Schedule | undefined {
  const hourly = HOURLY.exec(text);
  if (hourly !== null) return { periodMs: HOUR_MS, offsetMs: Number(hourly[1] ?? 0) * MINUTE_MS };
  const daily = DAILY.exec(text);
  if (daily !== null) return { periodMs: DAY_MS, offsetMs: timeOfDay(daily[1], daily[2]) };
  const weekly = WEEKLY.exec(text);
  if (weekly === null) return readDuration(text);
  const day = WEEKDAYS.indexOf(weekly[1] ?? 'mon') * DAY_MS;
  return { periodMs: WEEK_MS, offsetMs: day + timeOfDay(weekly[2], weekly[3]) };
}

function timeOfDay(hours = '0', minutes = '0'): number {
  return Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
}

function readDuration(text: string): Schedule | undefined {
  const periodMs = durationOf(text);
  if (periodMs === WEEK_MS) return { periodMs, offsetMs: MONDAY_MS };
  return periodMs >= SECOND_MS && DAY_MS % periodMs === 0 ? { periodMs, offsetMs: 0 } : undefined;
}

function durationOf(text: string): number {
  try {
    return parseDuration(text);
  } catch {
    return Number.NaN;
  }
}
