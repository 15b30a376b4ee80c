import type { EpochMs } from '../../domain/index.js';
import type { SearchKey, TrialColumns } from './trial-columns.js';

/** Selects trials of a ledger. */
export interface TrialFilter {
  /** Name of the strategy. */
  readonly strategy?: string | undefined;
  /** First digits of the hash of the data. */
  readonly data?: string | undefined;
  /** Ended then or later. Trials without a time in their line do not match. */
  readonly since?: EpochMs | undefined;
}

/** Counts of the trials of one strategy on the same data. */
export interface SearchCount extends SearchKey {
  /** Number of finished trials. */
  readonly trials: number;
  readonly failed: number;
  /** When the first and the last of them ended; undefined if no line has a time. */
  readonly first: EpochMs | undefined;
  readonly last: EpochMs | undefined;
  /** Largest annual Sharpe ratio; undefined if no trial has one. */
  readonly bestSharpe: number | undefined;
}

/** Whether a filter selects the trials of a search. */
export function isMeant({ strategy, data }: SearchKey, filter: TrialFilter): boolean {
  const isNamed = filter.strategy === undefined || strategy === filter.strategy;
  return isNamed && data.startsWith(filter.data ?? '');
}

/** Rows of the selected trials, in the order of the ledger. */
export function rowsOf(columns: TrialColumns, filter: TrialFilter): readonly number[] {
  const meant = columns.searches.map((search) => isMeant(search, filter));
  const rows: number[] = [];
  columns.forEach((search, row) => {
    if (meant[search] === true && isSince(columns.at(row).at, filter)) rows.push(row);
  });
  return rows;
}

/** Rows of at most `most` selected trials, the newest first. */
export function newestRows(
  columns: TrialColumns,
  filter: TrialFilter,
  most: number,
): readonly number[] {
  return rowsOf(columns, filter).slice(-most).reverse();
}

function isSince(at: EpochMs, { since }: TrialFilter): boolean {
  return since === undefined || at >= since;
}

/** Counts the selected trials by search. The search with the newest trial comes last. */
export function countTrials(
  columns: TrialColumns,
  filter: TrialFilter = {},
): readonly SearchCount[] {
  const { searches } = columns;
  const meant = searches.map((search) => isMeant(search, filter));
  const tallies = searches.map(() => new SearchTally());
  columns.forEach((search, row) => {
    if (meant[search] !== true) return;
    const trial = columns.at(row);
    if (isSince(trial.at, filter)) tallies[search]?.take(trial, row);
  });
  return searches
    .map((search, number) => ({ search, tally: tallies[number] ?? new SearchTally() }))
    .filter(({ tally }) => tally.lastRow >= 0)
    .sort((a, b) => a.tally.lastRow - b.tally.lastRow)
    .map(({ search, tally }) => ({ ...search, ...tally.count() }));
}

class SearchTally {
  lastRow = -1;
  #trials = 0;
  #failed = 0;
  #first = Infinity;
  #last = -Infinity;
  #best = -Infinity;

  take({ at, sharpe, isFinished }: ReturnType<TrialColumns['at']>, row: number): void {
    this.lastRow = row;
    if (isFinished) this.#trials += 1;
    else this.#failed += 1;
    if (at < this.#first) this.#first = at;
    if (at > this.#last) this.#last = at;
    if (sharpe > this.#best) this.#best = sharpe;
  }

  count(): Omit<SearchCount, 'strategy' | 'data'> {
    const known = (value: number): number | undefined =>
      Number.isFinite(value) ? value : undefined;
    return {
      trials: this.#trials,
      failed: this.#failed,
      first: known(this.#first),
      last: known(this.#last),
      bestSharpe: known(this.#best),
    };
  }
}
