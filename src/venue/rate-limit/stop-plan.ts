import { MINUTE_MS, SECOND_MS, type InstrumentId, type ProductKind } from '../../domain/index.js';
import { KEPT_FOR_COMMANDS } from './endpoint-limits.js';
import { POLL_LIMITS } from './poll-limits.js';

/** Facts about an instrument that a plan needs. */
export interface SampledInstrument {
  readonly instrumentId: InstrumentId;
  readonly kind: ProductKind;
  /** Series whose candles are read. */
  readonly intervals: readonly unknown[];
  /** Whether it is not traded: then it has no stops. @defaultValue false */
  readonly readOnly?: boolean | undefined;
}

/** How often the limits of the venue let stops be sampled, in ms. */
export interface StopPlan {
  /** Number of instruments that can have a stop. Pairs and contracts have different limits. */
  readonly pairs: number;
  readonly contracts: number;
  /** Time from one reading for stops of contracts to the next. A reading is of the account, which has all marks, or of one last price. */
  readonly contractCallMs: number;
  /** Time between two samples of last of one instrument, by product, if every instrument has a stop and all are near their levels. */
  readonly gridMs: Readonly<Record<ProductKind, number>>;
}

/** Least time between two samples, in ms. */
const LEAST_MS = { pair: SECOND_MS, contract: 2 * SECOND_MS } as const;
/** Times that follow from limits are rounded to a multiple of this, in ms. */
const GRAIN_MS = 500;
/** Calls per minute beside candles: one for the time, and one for the account, which has the marks of all positions. */
const BESIDE_CANDLES = 2;
/** Least share of the polls that counts as left by candles, however many candles are read. */
const LEAST_SHARE = 0.1;

/**
 * Plans how often stops are sampled, from the instruments of the bots that share a key and the limits alone.
 *
 * Contracts have one limit for everything, of which half is kept for commands. Of what the candles of the busiest minute leave, half is for stops. Pairs
 * have a limit for tickers alone: half of that is for stops.
 */
export function planStops(instruments: Iterable<SampledInstrument>): StopPlan {
  const own = new Map([...instruments].map((each) => [each.instrumentId, each]));
  const [pairs, contracts] = [countOf(own, false), countOf(own, true)];
  const candles = [...own.values()]
    .filter(({ kind }) => kind === 'futures')
    .reduce((sum, { intervals }) => sum + intervals.length, 0);
  const contractCallMs = contractCall(candles);
  const pairMs = Math.max(LEAST_MS.pair, Math.ceil((pairs * pairCall()) / GRAIN_MS) * GRAIN_MS);
  return {
    pairs,
    contracts,
    contractCallMs,
    gridMs: { spot: pairMs, margin: pairMs, futures: contractCallMs * Math.max(1, contracts) },
  };
}

/** Time between two samples of one contract, in ms, if `near` contracts are near a level at once and `contracts` have a stop. */
export function sampleMs(
  { contractCallMs }: Pick<StopPlan, 'contractCallMs'>,
  near: number,
  contracts: number,
): number {
  // If all are near, no reading of marks is needed.
  return contractCallMs * Math.max(1, near < contracts ? near + 1 : near);
}

function contractCall(candles: number): number {
  const { id, limit, windowMs } = POLL_LIMITS.futures.ticker;
  const polls = ((limit - (KEPT_FOR_COMMANDS[id] ?? 0)) * MINUTE_MS) / windowMs;
  const free = Math.max(polls - candles - BESIDE_CANDLES, polls * LEAST_SHARE);
  return Math.max(LEAST_MS.contract, Math.round((2 * MINUTE_MS) / free / GRAIN_MS) * GRAIN_MS);
}

/** Time that one reading of a pair takes at half of the limit, in ms. */
function pairCall(): number {
  const { limit, windowMs } = POLL_LIMITS.spot.ticker;
  return (2 * windowMs) / limit;
}

function countOf(own: ReadonlyMap<InstrumentId, SampledInstrument>, isFutures: boolean): number {
  return [...own.values()].filter(
    ({ kind, readOnly }) => readOnly !== true && (kind === 'futures') === isFutures,
  ).length;
}
