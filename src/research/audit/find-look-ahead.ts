import {
  describeDifference,
  findDifference,
  type BacktestConfig,
} from '../../assembly/backtest/index.js';
import type { MarketSnapshot } from '../trials/market-snapshot.js';
import { requireFinished, type RunJob } from './audit-desk.js';
import { compareFutures, type LookAheadFinding } from './look-ahead.js';

export interface LookAheadSearch {
  readonly config: BacktestConfig;
  readonly snapshot: MarketSnapshot;
  /** Of the instants, and of the noise. */
  readonly seed: number;
  /** Instants after which the market is changed. */
  readonly instants: number;
}

/** What a search came to. */
export interface FoundLookAhead {
  /** Steps that were compared, of all runs. */
  readonly compared: number;
  /** The first that became other; undefined where none did. */
  readonly first: LookAheadFinding | undefined;
}

/**
 * Looks for the first thing that a bot does otherwise with another future, as the audit of look-ahead does on stored candles alone. Two runs on the same future
 * come first: where they differ, that is what is found.
 *
 * @throws {DataError} with the code of the failure, where the plain run fails.
 */
export async function findLookAhead(
  { config, snapshot, seed, instants }: LookAheadSearch,
  run: RunJob,
): Promise<FoundLookAhead> {
  const base = await run({ config });
  const finished = requireFinished(base);
  const unlike = findDifference(base.trace, (await run({ config })).trace);
  if (unlike !== undefined) {
    const text = `two runs on the same candles differ ${describeDifference(unlike)}`;
    return { compared: 0, first: { time: unlike.time, text } };
  }
  const subject = { snapshot, finished, seed };
  const { compared, found } = await compareFutures(
    { subject, config, after: finished.from, instants },
    run,
  );
  const [first] = found.toSorted((one, other) => one.time - other.time);
  if (first === undefined) return { compared, first };
  return {
    compared,
    first: { ...first, text: `a later candle changes what is done: ${first.text}` },
  };
}
