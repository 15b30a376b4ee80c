import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { lawRuns, propertyRuns } from '../../support/runs.js';

describe('property runs', () => {
  it('are the number of runs that fast-check uses in a test file', () => {
    let runs = 0;

    fc.assert(
      fc.property(fc.integer(), () => {
        runs += 1;
      }),
    );

    expect(runs).toBe(propertyRuns());
  });

  it('are 1,000 for laws, or more in a long run', () => {
    expect(lawRuns() % 1_000).toBe(0);
    expect(lawRuns()).toBeGreaterThanOrEqual(propertyRuns());
  });
});
