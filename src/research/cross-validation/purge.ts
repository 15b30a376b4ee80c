import { DAY_MS, InvariantError, present, rangeOf } from '../../domain/index.js';
import type { TrialOutcome } from '../trials/trial-schema.js';

/** Days left out of training on both sides of the tested blocks. */
export interface Purge {
  /** Whole days: the longest hold, rounded up. */
  readonly days: number;
  /** Milliseconds. */
  readonly longestHoldMs: number;
  /** Index of the first trial with the longest hold. */
  readonly place: number;
}

/**
 * Computes the purge of trials. A position that a trial held over the edge of a tested block belongs to both sides of it.
 *
 * @param places of the trials that are compared, at least one, whose outcomes know how long they held.
 * @see Source: López de Prado 2018, Advances in Financial Machine Learning, 7.4.1
 */
export function purgeOf(outcomes: readonly TrialOutcome[], places: readonly number[]): Purge {
  const holds = places.map((place) => holdOf(present(outcomes[place], 'outcome')));
  const [, longestHoldMs] = rangeOf(holds);
  return {
    days: Math.ceil(longestHoldMs / DAY_MS),
    longestHoldMs,
    place: present(places[holds.indexOf(longestHoldMs)], 'trial'),
  };
}

function holdOf(outcome: TrialOutcome): number {
  if (outcome.status === 'finished' && outcome.longestHold !== undefined)
    return outcome.longestHold;
  throw new InvariantError('E_MISSING', 'a trial does not say how long it held a position');
}
