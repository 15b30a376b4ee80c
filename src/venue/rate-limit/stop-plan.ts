import { MINUTE_MS, SECOND_MS, type InstrumentId, type ProductKind } from '../../domain/index.js';
import { KEPT_FOR_COMMANDS } from './endpoint-limits.js';
import { POLL_LIMITS } from './poll-limits.js';

/** What a plan has to know of an instrument. */
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
  /** Instruments that can have a stop, by what limits them. */
  readonly pairs: number;
  readonly contracts: number;
  /** From one reading for stops of contracts to the next: of the account, which has all marks, or of one last price. */
  readonly contractCallMs: number;
  /** Between two samples of last, by product, where every instrument has a stop and all are near their levels. */
  readonly gridMs: Readonly<Record<ProductKind, number>>;
}

/** No stop is sampled more often than that. */
const LEAST_MS = { pair: SECOND_MS, contract: 2 * SECOND_MS } as const;
/** What is worked out from limits is rounded to this. */
const GRAIN_MS = 500;
/** Beside candles a bot reads the time, and for all marks of what it holds one account. */
const BESIDE_CANDLES = 2;
/** Of the calls for polls, what candles leave at least, however many there are. */
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

/** Between two samples of each of so many contracts that are near a level at once, while `contracts` have a stop. */
export function sampleMs(
  { contractCallMs }: Pick<StopPlan, 'contractCallMs'>,
  near: number,
  contracts: number,
): number {
  // Where all are near, nobody needs their marks.
  return contractCallMs * Math.max(1, near < contracts ? near + 1 : near);
}

function contractCall(candles: number): number {
  const { id, limit, windowMs } = POLL_LIMITS.futures.ticker;
  const polls = ((limit - (KEPT_FOR_COMMANDS[id] ?? 0)) * MINUTE_MS) / windowMs;
  const free = Math.max(polls - candles - BESIDE_CANDLES, polls * LEAST_SHARE);
  return Math.max(LEAST_MS.contract, Math.round((2 * MINUTE_MS) / free / GRAIN_MS) * GRAIN_MS);
}

/** What one reading of a pair keeps others waiting, of half of the limit. */
function pairCall(): number {
  const { limit, windowMs } = POLL_LIMITS.spot.ticker;
  return (2 * windowMs) / limit;
}

function countOf(own: ReadonlyMap<InstrumentId, SampledInstrument>, isFutures: boolean): number {
  return [...own.values()].filter(
    ({ kind, readOnly }) => readOnly !== true && (kind === 'futures') === isFutures,
  ).length;
}
