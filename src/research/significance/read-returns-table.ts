import { DataError, DAY_MS, nounOf } from '../../domain/index.js';
import { ReturnsReader } from '../ledger/returns-file.js';
import type { TrialReturns } from '../statistics/trial-returns.js';
import { commonDays, hasDays, type CommonDays } from './common-days.js';
import { LEAST_DAYS, type SearchedTrial } from './searched-trial.js';

/** Most daily returns that are read: 160 MB. */
const MOST_CELLS = 20_000_000;
/** Number of best trials that are always read if not all trials fit. */
const BEST = 1_000;

/** Daily returns of trials over common days, with the counts of the trials that are left out. */
export interface ReturnsTable extends TrialReturns, CommonDays {
  /** One per column. */
  readonly trials: readonly SearchedTrial[];
  readonly leftOut: {
    /** Trials whose daily returns were not kept, or are damaged. */
    readonly withoutReturns: number;
    /** Trials that lack some of these days. */
    readonly otherDays: number;
    /** Trials that were not drawn, because all trials are more than can be read. */
    readonly notDrawn: number;
  };
}

interface ReadTableOptions {
  readonly ledger: string;
  /** Name of the ledger in errors. */
  readonly shown: string;
  /** Called between trials with the share that is read, 0 to 1. It may throw to stop. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/**
 * Reads the daily returns of a search as one table, over the days that give the largest table. If that is more than 20 million returns, it reads the best
 * 1,000 trials and others that are drawn by their ids.
 *
 * @throws {DataError} `E_SAMPLE` when no two trials have returns of 30 common days, saying what is missing; `E_DATA_READ` when there is no file of returns
 * beside the ledger.
 */
export async function readReturnsTable(
  known: readonly SearchedTrial[],
  { ledger, shown, onProgress }: ReadTableOptions,
): Promise<ReturnsTable> {
  const kept = known.filter(({ returns }) => returns !== undefined);
  requireKept(known, kept, shown);
  const days = commonDays(kept);
  if (days === undefined) throw noCommonDays(kept, shown);
  const covering = kept.filter((trial) => hasDays(trial, days));
  const drawn = drawTrials(covering, Math.floor(MOST_CELLS / days.days));
  const trials: SearchedTrial[] = [];
  const columns: Float64Array[] = [];
  const reader = await ReturnsReader.open(ledger);
  try {
    for (const [index, trial] of drawn.entries()) {
      onProgress?.(index / drawn.length);
      const values = await valuesOf(trial, reader);
      if (values === undefined) continue;
      const first = (days.from - trial.from) / DAY_MS;
      trials.push(trial);
      columns.push(values.slice(first, first + days.days));
    }
  } finally {
    await reader.close();
  }
  if (columns.length < 2) throw damaged(drawn.length - columns.length, shown);
  return {
    ...days,
    columns,
    trials,
    leftOut: {
      withoutReturns: known.length - kept.length + drawn.length - columns.length,
      otherDays: kept.length - covering.length,
      notDrawn: covering.length - drawn.length,
    },
  };
}

async function valuesOf(
  { id, returns, moments }: SearchedTrial,
  reader: ReturnsReader,
): Promise<Float64Array | undefined> {
  if (typeof returns !== 'number') return returns;
  const read = await reader.read(id, returns);
  return read?.values.length === moments.count ? read.values : undefined;
}

/** All trials if they fit. Otherwise the best ones, and those with the smallest ids, which are hashes. The order stays. */
function drawTrials(trials: readonly SearchedTrial[], most: number): readonly SearchedTrial[] {
  if (trials.length <= most) return trials;
  const best = trials
    .toSorted((a, b) => (b.sharpe ?? -Infinity) - (a.sharpe ?? -Infinity))
    .slice(0, Math.min(BEST, most));
  const chosen = new Set(best);
  for (const trial of trials.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (chosen.size >= most) break;
    chosen.add(trial);
  }
  return trials.filter((trial) => chosen.has(trial));
}

function requireKept(
  known: readonly SearchedTrial[],
  kept: readonly SearchedTrial[],
  shown: string,
): void {
  if (kept.length >= 2) return;
  const why =
    known.length >= 2
      ? `; ${String(known.length)} ${nounOf(known.length, 'has', 'have')} moments only: the ledger was copied, or an earlier version wrote it`
      : '';
  throw new DataError(
    'E_SAMPLE',
    `${shown}: expected at least 2 trials with daily returns, received ${String(kept.length)}${why}`,
  );
}

function noCommonDays(kept: readonly SearchedTrial[], shown: string): DataError {
  const longest = kept.reduce((most, { moments }) => Math.max(most, moments.count), 0);
  return new DataError(
    'E_SAMPLE',
    longest < LEAST_DAYS
      ? `${shown}: expected at least ${String(LEAST_DAYS)} daily returns of a trial, received at most ${String(longest)}; use a longer range`
      : `${shown}: expected 2 trials with ${String(LEAST_DAYS)} days in common, received none among ${String(kept.length)}`,
  );
}

function damaged(count: number, shown: string): DataError {
  return new DataError(
    'E_SAMPLE',
    `${shown}: its file of daily returns is damaged or belongs to another ledger: the returns of ${String(count)} ${nounOf(count, 'trial')} cannot be read`,
  );
}
