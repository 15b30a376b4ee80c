import fc from 'fast-check';
import { expect, it } from 'vitest';

import { FIXED_ONE, HOUR_MS, type Fixed } from '../../../../src/domain/index.js';
import {
  equityBounds,
  foldProtections,
  INITIAL_PROTECTION_STATE,
  type ProtectionConfig,
  type ProtectionState,
} from '../../../../src/risk/index.js';
import { lawRuns } from '../../../support/runs.js';

const money = fc.bigInt({ min: 1n, max: 3_000n }).map((cents) => (cents * FIXED_ONE) / 100n);
const ratio = fc.bigInt({ min: 1n, max: 300n }).map((share) => (share * FIXED_ONE) / 1_000n);
const limits: fc.Arbitrary<ProtectionConfig> = fc.record(
  { maxDailyLoss: money, maxDailyLossRatio: ratio, maxDrawdown: money, maxDrawdownRatio: ratio },
  { requiredKeys: [] },
);
/** Equity near 100. */
const equity = fc.bigInt({ min: 7_000n, max: 13_000n }).map((cents) => (cents * FIXED_ONE) / 100n);

const NOW = 1_735_689_600_000 + 12 * HOUR_MS;

function sampled(config: ProtectionConfig, samples: readonly Fixed[]): ProtectionState {
  return samples.reduce(
    (state, one) =>
      foldProtections(state, { kind: 'equity', time: NOW, equity: one }, config).state,
    INITIAL_PROTECTION_STATE,
  );
}

it('holds every sample that changes only the last known equity, and no other', () => {
  fc.assert(
    fc.property(
      limits,
      fc.array(equity, { minLength: 1, maxLength: 5 }),
      equity,
      (config, before, next) => {
        const state = sampled(config, before);
        fc.pre(state.halts.length === 0);
        const bounds = equityBounds(state, config);
        const event = { kind: 'equity', time: NOW + 60_000, equity: next } as const;
        const step = foldProtections(state, event, config);

        const isBetween =
          bounds !== undefined &&
          (bounds.low === undefined || next > bounds.low) &&
          next < bounds.high;
        const { equity: known, ...rest } = step.state;
        const { equity: earlier, ...others } = state;
        expect([known, earlier]).toEqual([next, before.at(-1)]);
        if (isBetween) expect([rest, step.halted]).toEqual([others, []]);
        else expect(rest).not.toEqual(others);
      },
    ),
    { numRuns: lawRuns() },
  );
});

it('has no bounds before the first sample, and none with a window, in which highs fall out', () => {
  const config = { maxDrawdown: FIXED_ONE };
  const state = sampled(config, [100n * FIXED_ONE]);

  expect(equityBounds(INITIAL_PROTECTION_STATE, config)).toBeUndefined();
  expect(equityBounds(state, { ...config, drawdownWindowMs: HOUR_MS })).toBeUndefined();
  expect(equityBounds(state, config)).toEqual({ low: 99n * FIXED_ONE, high: 100n * FIXED_ONE });
});
