import { DAY_MS, InvariantError, present } from '../../domain/index.js';
import type { TrialOutcome } from '../trials/trial-schema.js';

/** What is left out of training on both sides of what is tested. */
export interface Purge {
  /** Whole days: the longest hold, rounded up. */
  readonly days: number;
  /** Milliseconds. */
  readonly longestHoldMs: number;
  /** Place of the first trial that held so long. */
  readonly place: number;
}

/**
 * The purge of trials: a position that one of them held over the edge of a tested block belongs to both sides of it.
 *
 * @param places of the trials that are compared, at least one, whose outcomes know how long they held.
 * @see Source: López de Prado 2018, Advances in Financial Machine Learning, 7.4.1
 */
export function purgeOf(outcomes: readonly TrialOutcome[], places: readonly number[]): Purge {
  const holds = places.map((place) => holdOf(present(outcomes[place], 'outcome')));
  const longestHoldMs = Math.max(...holds);
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
