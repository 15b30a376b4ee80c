import {
  fixedFromNumber,
  type EpochMs,
  type Fixed,
  type FundingColumns,
} from '../../domain/index.js';

/** Funding of one contract as it is told: a rate is known once it has been settled (DESIGN R11). */
export class FundingView {
  readonly #columns: FundingColumns;

  constructor(columns: FundingColumns) {
    this.#columns = columns;
  }

  /** The rate settled last by an instant; undefined before the first. */
  at(time: EpochMs): { readonly settled: Fixed } | undefined {
    const { time: times, rate } = this.#columns;
    let row = -1;
    while ((times[row + 1] ?? Infinity) <= time) row += 1;
    const settled = rate[row];
    return settled === undefined ? undefined : { settled: fixedFromNumber(settled) };
  }
}
