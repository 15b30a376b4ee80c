import fc from 'fast-check';

import { FIXED_ONE } from '../../../src/domain/index.js';
import type { Lengths } from '../arbitraries/random-runs.js';
import { randomReplays, type RandomReplay } from './random-replays.js';
import { BoldTrader } from '../strategies/random-strategies.js';

const terms = fc.record({
  leverage: fc.constantFrom(20n, 50n, 75n),
  marginMode: fc.constantFrom('isolated' as const, 'isolated' as const, 'cross' as const),
  isHeldBack: fc.constantFrom(true, false, false, false),
  latency: fc.constantFrom(
    { min: 0, max: 0 },
    { min: 80, max: 80 },
    { min: 0, max: 2_500 },
    { min: 0, max: 61_000 },
  ),
});

/** Replays of a strategy that takes too much risk, on spot and contracts, so that positions end in liquidations. */
export function boldReplays(lengths: Lengths): fc.Arbitrary<RandomReplay> {
  return fc
    .tuple(randomReplays(lengths, [BoldTrader]), terms)
    .map(([replay, chosen]) => withTerms(replay, chosen));
}

type RulesByInstrument = RandomReplay['run']['config']['simulation']['rules'];

function withoutMaximums(rules: RulesByInstrument): RulesByInstrument {
  return new Map(
    [...rules].map(([id, { tradable, pricePrecision, quantityPrecision }]) => [
      id,
      { tradable, pricePrecision, quantityPrecision },
    ]),
  );
}

function withTerms(
  { run, strategyClass }: RandomReplay,
  {
    leverage,
    marginMode,
    latency,
    isHeldBack,
  }: typeof terms extends fc.Arbitrary<infer T> ? T : never,
): RandomReplay {
  const { config } = run;
  return {
    strategyClass,
    run: {
      ...run,
      config: {
        ...config,
        // Unless held back, the strategy has no protections of the operator and no maximum quantities of the venue.
        risk: isHeldBack ? config.risk : { ...config.risk, protections: {} },
        instruments: config.instruments.map((each) =>
          each.kind === 'futures' ? { ...each, leverage: leverage * FIXED_ONE, marginMode } : each,
        ),
        simulation: {
          ...config.simulation,
          latency: { submit: latency, cancel: latency },
          updatePollMs: 2_000,
          rules: isHeldBack ? config.simulation.rules : withoutMaximums(config.simulation.rules),
        },
      },
    },
  };
}
