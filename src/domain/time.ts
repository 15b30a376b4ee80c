import { DomainError } from './errors.js';

/** UTC milliseconds since 1970-01-01. */
export type EpochMs = number;

/** Injected time. Inside a strategy it is the engine's clock, in the live adapter the system's. */
export interface Clock {
  now(): EpochMs;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** Days per year of a market that never closes. */
export const DAYS_PER_YEAR = 365;

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|min|m|h|d|day|w|week)$/;
const DURATION_UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND_MS,
  m: MINUTE_MS,
  min: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  day: DAY_MS,
  w: 7 * DAY_MS,
  week: 7 * DAY_MS,
};

/**
 * Parses a duration such as "90s", "15min", "3h", "2d" to milliseconds.
 *
 * @throws {DomainError} `E_DURATION` for anything else.
 */
export function parseDuration(text: string): number {
  const match = DURATION.exec(text);
  const unit = match?.[2] === undefined ? undefined : DURATION_UNITS[match[2]];
  if (match?.[1] === undefined || unit === undefined) {
    // A program in JavaScript may pass something else than a text.
    const given: unknown = text;
    throw new DomainError(
      'E_DURATION',
      `expected a duration such as "90s", "15min", "3h" or "2d", received "${String(given).slice(0, 40)}"`,
    );
  }
  return Math.round(Number(match[1]) * unit);
}

/**
 * Parses a UTC date or time: `2025-06-01`, `2025-06-01T12:00:00Z`.
 *
 * @throws {DomainError} `E_TIME` for anything else; a time without a zone is refused, because it would mean another instant on another machine.
 */
export function parseUtc(text: string): EpochMs {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isInstant = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z$/.test(text);
  const time = isDate || isInstant ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  // Date.parse takes 30 February for 2 March: a day that does not exist is refused instead.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text.slice(0, 10))) {
    throw new DomainError(
      'E_TIME',
      `expected a UTC date such as 2025-06-01 or 2025-06-01T12:00:00Z, received "${text.slice(0, 40)}"`,
    );
  }
  return time;
}

/** Latest instant of a Date; its negative is the earliest. */
const LARGEST_DATE = 8.64e15;

/** Writes an instant as ISO 8601 in UTC, for people. A number that is no date, such as a damaged time, is written as a number. */
export function formatUtc(time: EpochMs): string {
  if (!(Math.abs(time) <= LARGEST_DATE)) return String(time);
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Writes a time span for people: `4.2 s`. */
export function secondsText(ms: number): string {
  return `${(ms / SECOND_MS).toFixed(1)} s`;
}
