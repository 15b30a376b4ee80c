import { DAY_MS, type EpochMs } from '../../domain/index.js';
import { LEAST_DAYS, type SearchedTrial } from './searched-trial.js';

/** Days that several trials of a search have in common, for methods that compare trials day by day. */
export interface CommonDays {
  /** End of the first day. */
  readonly from: EpochMs;
  /** End of the last day. */
  readonly to: EpochMs;
  readonly days: number;
}

/**
 * Chooses the days with the largest table of trials × days, at least two by {@link LEAST_DAYS}. Trials without these days are left out of it. Of tables of
 * one size it takes the one that begins first, then the one that ends first; undefined if there is no table.
 *
 * Its time grows with the number of different beginnings times the number of different ends.
 */
export function commonDays(
  trials: readonly Pick<SearchedTrial, 'from' | 'to'>[],
): CommonDays | undefined {
  const starts = inOrder(trials.map(({ from }) => from));
  const ends = inOrder(trials.map(({ to }) => to));
  const counts = countCovering(trials, starts, ends);
  let best: CommonDays | undefined;
  let most = 0;
  for (const [row, from] of starts.entries()) {
    for (const [column, to] of ends.entries()) {
      const days = (to - from) / DAY_MS + 1;
      const covering = counts[row * ends.length + column] ?? 0;
      if (days < LEAST_DAYS || covering < 2 || covering * days <= most) continue;
      most = covering * days;
      best = { from, to, days };
    }
  }
  return best;
}

/** Whether a trial has all of these days. */
export function hasDays(
  { from, to }: Pick<SearchedTrial, 'from' | 'to'>,
  days: CommonDays,
): boolean {
  return from <= days.from && to >= days.to;
}

function inOrder(times: readonly EpochMs[]): readonly EpochMs[] {
  return [...new Set(times)].sort((a, b) => a - b);
}

/** For each beginning (row) and end (column): the number of trials that begin no later and end no earlier. */
function countCovering(
  trials: readonly Pick<SearchedTrial, 'from' | 'to'>[],
  starts: readonly EpochMs[],
  ends: readonly EpochMs[],
): Int32Array {
  const width = ends.length;
  const rowOf = new Map(starts.map((time, row) => [time, row]));
  const columnOf = new Map(ends.map((time, column) => [time, column]));
  const counts = new Int32Array(starts.length * width);
  const at = (row: number, column: number): number =>
    row < 0 || column >= width ? 0 : (counts[row * width + column] ?? 0);
  for (const { from, to } of trials) {
    const place = (rowOf.get(from) ?? 0) * width + (columnOf.get(to) ?? 0);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  for (let row = 0; row < starts.length; row += 1) {
    for (let column = width - 1; column >= 0; column -= 1) {
      counts[row * width + column] =
        at(row, column) + at(row - 1, column) + at(row, column + 1) - at(row - 1, column + 1);
    }
  }
  return counts;
}
