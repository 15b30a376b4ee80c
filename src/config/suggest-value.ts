import { INTERVALS, suggestInterval, suggestWord } from '../domain/index.js';

/** Suggests the word from the list in `expected` that the user probably meant. */
export function suggestValue(written: unknown, expected: string): string | undefined {
  const listed = /^one of (.+)$/.exec(expected)?.[1]?.split(', ');
  if (typeof written !== 'string' || listed === undefined) return undefined;
  const isInterval = listed.join() === INTERVALS.join();
  const meant = isInterval ? suggestInterval(written, INTERVALS) : suggestWord(written, listed);
  return meant === undefined ? undefined : `did you mean "${meant}"?`;
}
