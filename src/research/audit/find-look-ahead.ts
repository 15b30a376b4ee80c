import {
  describeDifference,
  findDifference,
  type BacktestConfig,
} from '../../assembly/backtest/index.js';
import type { MarketSnapshot } from '../trials/market-snapshot.js';
import { requireFinished, type RunJob } from './audit-desk.js';
import { compareFutures, type LookAheadFinding } from './look-ahead.js';

interface LookAheadSearch {
  readonly config: BacktestConfig;
  readonly snapshot: MarketSnapshot;
  /** Seed of the instants and the noise. */
  readonly seed: number;
  /** Instants after which the market is changed. */
  readonly instants: number;
}

/** Outcome of a search. */
interface FoundLookAhead {
  /** Steps that were compared, over all runs. */
  readonly compared: number;
  /** The first changed step; undefined if no step changed. */
  readonly first: LookAheadFinding | undefined;
}

/**
 * Looks for the first step of a bot that another future changes: the look-ahead audit, on stored candles only. First it runs the same future twice. If these
 * runs differ, that difference is the finding.
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
