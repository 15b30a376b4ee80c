import { expect, it } from 'vitest';

import { ProofReach } from '../../../src/simulator/index.js';

const MINUTE_MS = 60_000;

/** A reach over candles of a minute. */
class MinuteReach {
  readonly #reach = new ProofReach([{ interval: '1min' }]);

  get candles(): number {
    return this.#reach.length / MINUTE_MS;
  }

  grow(): this {
    this.#reach.grow();
    return this;
  }

  restartAfter(candles: number): this {
    this.#reach.restart(candles * MINUTE_MS);
    return this;
  }
}

it('doubles from 64 candles to 1,440', () => {
  const reach = new MinuteReach();
  const lengths: number[] = [];
  for (let proof = 0; proof < 6; proof += 1) {
    lengths.push(reach.candles);
    reach.grow();
  }

  expect(lengths).toEqual([64, 128, 256, 512, 1_024, 1_440]);
});

it('begins again with twice the candles that have passed, from 64 to 1,440', () => {
  const reach = new MinuteReach().grow().grow().restartAfter(1_000);

  expect(reach.candles).toBe(64);
  expect(reach.restartAfter(1_300).candles).toBe(600);
  expect(reach.restartAfter(9_000).candles).toBe(1_440);
});

it('keeps half of its last beginning when few candles have passed, so that it shrinks to 64 if orders come with each candle', () => {
  const reach = new MinuteReach().restartAfter(0).restartAfter(300);
  const lengths: number[] = [];
  for (let candle = 301; candle <= 306; candle += 1)
    lengths.push(reach.grow().restartAfter(candle).candles);

  expect(lengths).toEqual([300, 150, 75, 64, 64, 64]);
});

it('restarts once in a candle, whatever its proofs were in between', () => {
  const reach = new MinuteReach().restartAfter(0).restartAfter(300).grow().restartAfter(300.5);

  expect(reach.candles).toBe(600);
  expect(reach.restartAfter(301).candles).toBe(300);
});

it('counts in the shortest candles of all markets, marks included', () => {
  const reach = new ProofReach([
    { interval: '1h', mark: { interval: '5min' } },
    { interval: '15min' },
  ]);

  expect(reach.length).toBe(64 * 5 * MINUTE_MS);
});
