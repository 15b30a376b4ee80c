import fc from 'fast-check';

import {
  FIXED_ONE,
  maxFixed,
  minFixed,
  parseFixed,
  type Fixed,
  type InstrumentId,
} from '../../../src/domain/index.js';
import {
  randomMarketRuns,
  type Product,
  type RandomMarketRun,
} from '../arbitraries/random-markets.js';
import type { Lengths } from '../arbitraries/random-runs.js';
import type { RandomReplay } from '../replays/random-replays.js';
import { drawnIntents } from './drawn-intents.js';
import { sequenceTrader, type Plan } from './sequence-trader.js';
import type { WatchedTerms } from './watched-replay.js';

const MOST_LEVERAGE = 3n * FIXED_ONE;
const parameters = fc.record({ warmup: fc.constantFrom(0, 0, 3) });

/** A market of one product, and the intents of a strategy on it. */
export interface SequenceRun {
  readonly run: RandomMarketRun;
  readonly plan: Plan;
}

export function sequenceRunsOf(product: Product, lengths: Lengths): fc.Arbitrary<SequenceRun> {
  const isContract = product === 'linear' || product === 'inverse';
  const intents = drawnIntents({ isContract, hasShorts: product !== 'spot' });
  return fc.record({
    run: randomMarketRuns(parameters, lengths, [product, product]).map(withoutLiquidation),
    plan: fc.array(fc.array(intents, { maxLength: 3 }), { ...lengths, size: 'max' }),
  });
}

/** Limits the leverage, so that the venue liquidates nothing. */
function withoutLiquidation(run: RandomMarketRun): RandomMarketRun {
  const instruments = run.config.instruments.map((each) =>
    each.kind === 'futures' ? { ...each, leverage: minFixed(each.leverage, MOST_LEVERAGE) } : each,
  );
  return { ...run, config: { ...run.config, instruments } };
}

/** Facts about a run that follow from its terms. */
export function watchedTermsOf(sequence: SequenceRun): WatchedTerms {
  const { fees, feeChanges, futures } = sequence.run.config.simulation;
  return {
    largestStep: (id) => largestStepOf(sequence, id),
    dearestFee: feeChanges.length > 0 ? undefined : maxFixed(fees.maker, fees.taker),
    positionMode: futures.positionMode,
  };
}

/** The largest quantity step of an instrument that is ever in force. */
function largestStepOf({ run }: SequenceRun, id: InstrumentId): Fixed {
  const dated = run.rules.get(id)?.map(({ rules }) => rules) ?? [];
  const first = run.config.simulation.rules.get(id);
  const precisions = [...dated, ...(first ? [first] : [])].map((each) => each.quantityPrecision);
  return parseFixed(`1e-${String(Math.min(...precisions))}`);
}

/** The same as a replay. */
export function replayOf({ run, plan }: SequenceRun): RandomReplay {
  return { run, strategyClass: sequenceTrader(plan) };
}

/** Sequence runs as replays, on spot and contracts: products that both sides of parity support. */
export function sequenceReplays(lengths: Lengths): fc.Arbitrary<RandomReplay> {
  return fc
    .constantFrom<Product>('spot', 'linear', 'inverse')
    .chain((product) => sequenceRunsOf(product, lengths))
    .map(replayOf);
}
