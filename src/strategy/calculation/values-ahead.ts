import { isOfCloses, type Calculation, type CloseCalculation } from './calculation.js';

/** Values are computed in blocks of this many, or of twice the lookback if that is more, so that copies of the calculation cost little. */
const LEAST_BLOCK = 2_048;
/** With fewer closes in memory, a copy of the calculation costs more than it saves. */
const LEAST_CLOSES = 16;

/** Closes of consecutive rows: `closes[firstClose]` is the close of the row `first`, and the closes of the next rows follow it. */
export interface CloseRows {
  readonly first: number;
  readonly closes: Float64Array;
  readonly firstClose: number;
}

/** A calculation in its state before a row. */
interface Mark {
  readonly row: number;
  readonly calculation: CloseCalculation;
}

/**
 * Values of rows that are in memory and will probably come. Computing many at once takes a fraction of the time of single steps. If other candles come
 * instead, {@link calculationAt} returns the calculation in its state before the first row that has not come. It holds values of future candles:
 * nothing that a strategy can reach may refer to it.
 */
export class ValuesAhead {
  /** Values of the rows from `first` on. */
  values = new Float64Array(0);
  first = 0;
  /** The row after the last row with a known value. */
  #end = 0;
  #closes: Float64Array = this.values;
  /** Index at which the closes would hold the close of row 0. */
  #origin = 0;
  /** Has received all rows before `#end`. */
  readonly #calculation: CloseCalculation;
  readonly #block: number;
  /** States at the start of the last block, and of the block before it: rows of both may still have to come. */
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

  /** Computes values as needed, and returns whether `count` rows from `first` on have known values. All rows before `first` have come. */
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

  /** Keeps the values from row `first` on, and computes `size` more. */
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

  /** Returns the calculation in its state before `row`, which is the next row to come. */
  calculationAt(row: number): CloseCalculation {
    if (row === this.#end) return this.#calculation;
    const mark = row >= this.#last.row ? this.#last : this.#beforeLast;
    const scratch = new Float64Array(row - mark.row);
    const origin = this.#origin;
    mark.calculation.nextOfCloses(this.#closes, mark.row + origin, row + origin, scratch, 0);
    return mark.calculation;
  }
}

/** Returns values of the next rows, to be computed ahead; undefined if the calculation cannot do this, or too few closes are in memory. */
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
