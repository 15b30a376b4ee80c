import { SECOND_MS, type EpochMs } from '../../domain/index.js';

/** Longest wait that is accepted: a day. */
const MAX_MS = 24 * 3_600 * SECOND_MS;

/**
 * Reads a Retry-After header, which holds seconds or a date, in milliseconds from now. 0 if it is missing or invalid; the longest wait if it came
 * several times.
 */
export function retryAfterMs(header: string | readonly string[] | undefined, now: EpochMs): number {
  const values =
    typeof header === 'string' ? header.split(/,(?=\s*\d+\s*(?:,|$))/) : (header ?? []);
  const waits = values.map((value) => {
    const text = value.trim();
    const waitMs = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now;
    return Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), MAX_MS) : 0;
  });
  return Math.max(0, ...waits);
}
