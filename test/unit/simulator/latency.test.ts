import { describe, expect, it } from 'vitest';

import { createDrawnLatency } from '../../../src/simulator/index.js';

describe('a drawn latency', () => {
  it('lies in the range of its kind of command, both ends included', () => {
    const draws = [0, 0.5, 0.999_999];
    const latency = createDrawnLatency(
      { submit: { min: 10, max: 12 }, cancel: { min: 5, max: 6 } },
      () => draws.shift() ?? 0,
    );

    expect([0, 1, 2].map(() => latency.delayMs('submit'))).toEqual([10, 11, 12]);
    expect(latency.delayMs('cancel')).toBe(5);
  });

  it('draws no random number if a range has only one value', () => {
    const latency = createDrawnLatency(
      { submit: { min: 7, max: 7 }, cancel: { min: 0, max: 0 } },
      () => {
        throw new Error('expected no draw');
      },
    );

    expect([latency.delayMs('submit'), latency.delayMs('cancel')]).toEqual([7, 0]);
  });
});
