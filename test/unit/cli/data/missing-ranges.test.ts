import { describe, expect, it } from 'vitest';

import { missingRanges } from '../../../../src/cli/data/missing-ranges.js';

/** Minutes as times. */
const minutes = (...numbers: readonly number[]): Float64Array =>
  Float64Array.from(numbers, (number) => number * 60_000);

/** Missing ranges of the minutes [0, 10). */
function missing(stored: Float64Array): readonly (readonly [number, number])[] {
  const ranges = missingRanges(stored, '1min', { from: 0, to: 600_000 });
  return ranges.map(({ from, to }) => [from / 60_000, to / 60_000] as const);
}

describe('missingRanges', () => {
  it.each([
    ['nothing is stored', minutes(), [[0, 10]]],
    ['all is stored', minutes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), []],
    ['the start is missing', minutes(4, 5, 6, 7, 8, 9), [[0, 4]]],
    ['the end is missing', minutes(0, 1), [[2, 10]]],
    [
      'gaps lie between',
      minutes(0, 3, 4, 9),
      [
        [1, 3],
        [5, 9],
      ],
    ],
    ['more is stored around', minutes(-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), []],
    ['only other times are stored', minutes(-5, 20), [[0, 10]]],
  ])('returns the missing ranges when %s', (_name, stored, expected) => {
    expect(missing(stored)).toEqual(expected);
  });
});
