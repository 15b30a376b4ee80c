import { expect, it } from 'vitest';

import { ProofReach } from '../../../src/simulator/index.js';

const MINUTE_MS = 60_000;

it('doubles from 64 candles to 1,440, and begins again', () => {
  const reach = new ProofReach([{ interval: '1min' }]);
  const lengths: number[] = [];
  for (let proof = 0; proof < 6; proof += 1) {
    lengths.push(reach.length / MINUTE_MS);
    reach.grow();
  }
  reach.restart();

  expect(lengths).toEqual([64, 128, 256, 512, 1_024, 1_440]);
  expect(reach.length).toBe(64 * MINUTE_MS);
});

it('counts in the shortest candles of all markets, marks included', () => {
  const reach = new ProofReach([
    { interval: '1h', mark: { interval: '5min' } },
    { interval: '15min' },
  ]);

  expect(reach.length).toBe(64 * 5 * MINUTE_MS);
});
