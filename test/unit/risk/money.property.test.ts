import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { floorToStep } from '../../../src/domain/index.js';
import { floorPositive } from '../../../src/risk/size/money.js';
import { lawRuns } from '../../support/runs.js';

/** Few amounts and few steps, so that each amount comes again, with the same step and with another. */
const questions = fc.array(
  fc.tuple(fc.constantFrom(0n, 5n, 6n, 12n, 30n, 31n), fc.constantFrom(1n, 5n, 6n, 30n)),
  { minLength: 1, maxLength: 12 },
);

describe('floorPositive', () => {
  it('returns the floor on the given step, whatever the earlier calls', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const floors = asked.map(([value, step]) => floorPositive(value, step));

        expect(floors).toEqual(asked.map(([value, step]) => floorToStep(value, step)));
      }),
      { numRuns: lawRuns() },
    );
  });
});
