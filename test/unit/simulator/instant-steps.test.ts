import { describe, expect, it } from 'vitest';

import { InstantSteps } from '../../../src/simulator/index.js';

describe('InstantSteps', () => {
  it('throws when a loop stays at one time for 100,000 steps', () => {
    const steps = new InstantSteps('a test');
    let counted = 0;
    const stay = (): void => {
      for (; counted < 1_000_000; counted += 1) steps.count(Date.UTC(2025, 0, 1));
    };

    expect(stay).toThrow('a test: time stands at 2025-01-01T00:00:00Z after 100000 steps');
    expect(counted).toBe(100_000);
  });

  it('allows any number of steps while time advances', () => {
    const steps = new InstantSteps('a test');

    for (let time = 0; time < 300_000; time += 1) steps.count(Math.floor(time / 2));
  });
});
