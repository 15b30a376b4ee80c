import { DAY_MS, type EpochMs } from '../../domain/index.js';

/**
 * Lists the instants at which a run's daily curve is sampled: every UTC midnight after `from` up to `to`, and `to` itself.
 *
 * Empty when `to` is not after `from`.
 */
export function dayEndsBetween(from: EpochMs, to: EpochMs): EpochMs[] {
  const ends: EpochMs[] = [];
  for (let end = (Math.floor(from / DAY_MS) + 1) * DAY_MS; end <= to; end += DAY_MS) ends.push(end);
  if (to > from && to % DAY_MS !== 0) ends.push(to);
  return ends;
}
