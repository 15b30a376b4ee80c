import { isOfCloses, type Calculation, type CloseCalculation } from './calculation.js';

/** So many values are computed at once, and twice as many as the calculation looks back: copies of it are to cost little. */
const LEAST_BLOCK = 2_048;
/** With fewer closes at hand a copy of the calculation costs more than is gained. */
const LEAST_CLOSES = 16;

/** Closes of rows that come one after the other: `closes[firstClose]` is that of the row `first`, and all behind it follow. */
export interface CloseRows {
  readonly first: number;
  readonly closes: Float64Array;
  readonly firstClose: number;
}

/** A calculation as it is before a row. */
interface Mark {
  readonly row: number;
  readonly calculation: CloseCalculation;
}

/**
 * Values of rows that are at hand and will come, computed many at once: that takes a fraction of what one at a time does. Where other candles come
 * instead, the calculation is given back as it is before the first row that has not come. It holds what is yet to come: nothing that a
 * strategy can reach may refer to it.
 */
export class ValuesAhead {
  /** Of the rows from `first` on. */
  values = new Float64Array(0);
  first = 0;
  /** The row after the last whose value is known. */
  #end = 0;
  #closes: Float64Array = this.values;
  /** Where the close of row 0 would be. */
  #origin = 0;
  /** Has taken all rows before the end. */
  readonly #calculation: CloseCalculation;
  readonly #block: number;
  /** Where the last block began, and the one before it: rows of both may be yet to come. */
  #last: Mark;
  #beforeLast: Mark;

  constructor(calculation: CloseCalculation, lookback: number, row: number) {
    this.#calculation = calculation;
    this.#block = Math.max(LEAST_BLOCK, 2 * lookback);
    this.first = row;
    this.#end = row;
    this.#last = { row, calculation: calculation.copy() };
    this.#beforeLast = this.#last;
  }

  /** Whether values of so many rows are known, or can be computed. Those before the first of them have come. */
  reach({ first, closes, firstClose }: CloseRows, count: number): boolean {
    if (first + count <= this.#end) return true;
    const left = this.#end - first;
    const origin = firstClose - first;
    if (left > 0 && (closes !== this.#closes || origin !== this.#origin)) return false;
    this.#closes = closes;
    this.#origin = origin;
    const size = Math.min(Math.max(this.#block, count - left), closes.length - origin - this.#end);
    this.#compute(first, size);
    return first + count <= this.#end;
  }

  /** Keeps the values from a row on, and computes so many more. */
  #compute(first: number, size: number): void {
    const left = this.#end - first;
    const kept = this.values.subarray(first - this.first, this.#end - this.first);
    if (this.values.length < left + size) this.values = new Float64Array(left + size);
    this.values.set(kept);
    this.first = first;
    this.#beforeLast = this.#last;
    this.#last = { row: this.#end, calculation: this.#calculation.copy() };
    const at = this.#end + this.#origin;
    this.#calculation.nextOfCloses(this.#closes, at, at + size, this.values, left);
    this.#end += size;
  }

  /** The calculation as it is before a row that is the next to come. */
  calculationAt(row: number): CloseCalculation {
    if (row === this.#end) return this.#calculation;
    const mark = row >= this.#last.row ? this.#last : this.#beforeLast;
    const scratch = new Float64Array(row - mark.row);
    const origin = this.#origin;
    mark.calculation.nextOfCloses(this.#closes, mark.row + origin, row + origin, scratch, 0);
    return mark.calculation;
  }
}

/** Values of the rows that come next, computed ahead where the calculation can and so many are at hand; else undefined. */
export function computeAhead(
  calculation: Calculation,
  lookback: number,
  { first, closes, firstClose }: CloseRows,
): ValuesAhead | undefined {
  const isWorthIt = closes.length - firstClose >= LEAST_CLOSES;
  return isWorthIt && isOfCloses(calculation)
    ? new ValuesAhead(calculation, lookback, first)
    : undefined;
}
