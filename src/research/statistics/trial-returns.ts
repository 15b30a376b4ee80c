import { DataError } from '../../domain/index.js';

/** Daily returns of N trials over the same T days, one column per trial: `columns[n][t]`, 0.01 for 1 %. */
export interface TrialReturns {
  /** T. */
  readonly days: number;
  /** N. */
  readonly columns: readonly Float64Array[];
}

/**
 * Requires columns with the same number of days, and enough days and trials.
 *
 * @throws {DataError} `E_SAMPLE` saying what was expected and received.
 */
export function requireReturns(
  { days, columns }: TrialReturns,
  least: { readonly days: number; readonly trials: number },
): void {
  if (columns.length < least.trials || days < least.days) {
    throw new DataError(
      'E_SAMPLE',
      `expected at least ${String(least.trials)} trials of ${String(least.days)} days, received ${String(columns.length)} of ${String(days)}`,
    );
  }
  const odd = columns.find((column) => column.length !== days);
  if (odd === undefined) return;
  throw new DataError(
    'E_SAMPLE',
    `expected ${String(days)} days of each trial, received one of ${String(odd.length)}`,
  );
}
