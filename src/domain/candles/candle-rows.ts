import type { EpochMs } from '../time.js';
import { CandleColumn } from './candle-column.js';
import type { CandleColumns } from './candle.js';

/** A source of rows that are not all in memory. */
export interface RowSource {
  readonly length: number;

  /** Returns the rows from `first` to `end` (exclusive). `reuse`: an earlier result, whose memory may be overwritten. */
  read(first: number, end: number, reuse?: CandleColumns): CandleColumns;

  /** Fills `target` with a column from its `first` row on. Other columns are not read, and rows are not checked for defects. */
  readColumn(name: keyof CandleColumns, first: number, target: Float64Array): void;

  /** Open time of one row, read without the rest. */
  openTimeOf(row: number): EpochMs;
}

interface RowPageOptions {
  /** Rows of a block, which are read together. */
  readonly blockRows: number;
  /** Blocks kept at once; the block unused for the longest time is dropped first. At least 2, because neighboring rows are used together. */
  readonly blocks: number;
}

/** Neighboring rows that are in memory: the row `first + i` is at `i` of the columns. Later reads may overwrite the memory of a block. */
export interface CandleBlock {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  readonly columns: CandleColumns;
}

interface Page extends CandleBlock {
  first: number;
  end: number;
  columns: CandleColumns;
  /** When it was used last, counted in changes of page. */
  usedAt: number;
}

const NOTHING = new Float64Array(0);
/** Most rows in a block of one column: 128 kB, which stay in the processor's cache while they are read. */
const MOST_COLUMN_ROWS = 16 * 1_024;
const NO_COLUMNS: CandleColumns = {
  openTime: NOTHING,
  open: NOTHING,
  high: NOTHING,
  low: NOTHING,
  close: NOTHING,
  volume: NOTHING,
};

/**
 * The candles of one series in rising order of time, by row number from 0: all in memory, or a few blocks at a time, so that a run takes
 * the same memory for any length of the series. Any row may be read; rows near recently read rows are in memory already.
 *
 * A row after the last has the open time Infinity; its other values are undefined.
 * @throws whatever the source throws, from every method that may read.
 */
export class CandleRows {
  readonly #source: RowSource | undefined;
  readonly #whole: CandleColumns | undefined;
  readonly #blockRows: number;
  readonly #maxPages: number;
  readonly #pages: Page[] = [];
  #uses = 0;
  /** The page used last. */
  #page: Page;
  // A run of rows that are known to open one step apart: their open times need not be read.
  #runFirst = 0;
  #runEnd = 0;
  #runTime: EpochMs = Number.NaN;
  #runStepMs = Number.NaN;

  private constructor(rows: CandleColumns | RowSource, { blockRows, blocks }: RowPageOptions) {
    this.#blockRows = blockRows;
    this.#maxPages = blocks;
    if ('read' in rows) {
      this.#source = rows;
      this.#page = { first: 0, end: 0, columns: NO_COLUMNS, usedAt: 0 };
    } else {
      this.#whole = rows;
      // No end, so that rows added to the columns later are included.
      this.#page = { first: 0, end: Number.POSITIVE_INFINITY, columns: rows, usedAt: 0 };
    }
  }

  /** Rows that are all in memory. The columns are shared, never copied. */
  static of(columns: CandleColumns): CandleRows {
    return new CandleRows(columns, { blockRows: Number.POSITIVE_INFINITY, blocks: 1 });
  }

  static paged(source: RowSource, options: RowPageOptions): CandleRows {
    return new CandleRows(source, options);
  }

  get length(): number {
    return this.#whole?.openTime.length ?? this.#source?.length ?? 0;
  }

  /** Returns rows in memory that include `row`, if there is such a row. Call it again for each row that may lie outside. */
  blockAt(row: number): CandleBlock {
    const page = this.#page;
    return row >= page.first && row < page.end ? page : this.#turnTo(row);
  }

  /** Infinity after the last row. */
  openTime(row: number): EpochMs {
    if (row >= this.#runFirst && row < this.#runEnd)
      return this.#runTime + (row - this.#runFirst) * this.#runStepMs;
    const { first, columns } = this.blockAt(row);
    return columns.openTime[row - first] ?? Number.POSITIVE_INFINITY;
  }

  open(row: number): number | undefined {
    const { first, columns } = this.blockAt(row);
    return columns.open[row - first];
  }

  high(row: number): number | undefined {
    const { first, columns } = this.blockAt(row);
    return columns.high[row - first];
  }

  low(row: number): number | undefined {
    const { first, columns } = this.blockAt(row);
    return columns.low[row - first];
  }

  close(row: number): number | undefined {
    const { first, columns } = this.blockAt(row);
    return columns.close[row - first];
  }

  volume(row: number): number | undefined {
    const { first, columns } = this.blockAt(row);
    return columns.volume[row - first];
  }

  /** The last row that opens at or before `time`; -1 before the first. */
  rowAt(time: EpochMs): number {
    const { first, columns } = this.#blockAround(time);
    return first + countUpTo(columns.openTime, time) - 1;
  }

  /** The last row that opens before `time`; -1 if no row does. */
  rowBefore(time: EpochMs): number {
    const row = this.rowAt(time);
    return row >= 0 && this.openTime(row) === time ? row - 1 : row;
  }

  /**
   * {@link rowAt}, if row `from` is known to open at or before `time`. `stepMs`: how far apart rows open if no row is missing. The row is then found at
   * once. If rows are missing, the number of steps grows with the distance from `from`, not with the number of rows.
   */
  rowAtFrom(from: number, time: EpochMs, stepMs: number): number {
    if (from >= this.#runFirst && from < this.#runEnd) {
      const row = from + Math.floor((time - this.openTime(from)) / this.#runStepMs);
      if (row + 1 < this.#runEnd) return row;
    }
    const { first, end, columns } = this.blockAt(from);
    const { openTime } = columns;
    const guess = from + Math.floor((time - (openTime[from - first] ?? Number.NaN)) / stepMs);
    const isFound =
      (openTime[guess - first] ?? Number.NaN) <= time &&
      (openTime[guess - first + 1] ?? Number.NaN) > time;
    if (isFound) return guess;
    let row = from;
    let step = 1;
    for (; row + step < end && this.openTime(row + step) <= time; step *= 2) row += step;
    if (row + step >= end) return this.rowAt(time);
    while (step > 1) {
      step /= 2;
      if (this.openTime(row + step) <= time) row += step;
    }
    return row;
  }

  /**
   * End (exclusive) of the rows from `row` on that are known to open one step apart: at the first gap, or earlier if rows are not in memory. `row`
   * must exist, no two rows may be closer than `stepMs`, and rows must not change later, because their open times are not read again.
   */
  regularEnd(row: number, stepMs: number): number {
    const isKnown = row >= this.#runFirst && row < this.#runEnd && stepMs === this.#runStepMs;
    if (!isKnown) this.#findRun(row, stepMs);
    return this.#runEnd;
  }

  /** Finds the run at a row, as far as its block reaches. If the known run ends at this row, it is extended. */
  #findRun(row: number, stepMs: number): void {
    const { first, end, columns } = this.blockAt(row);
    const { openTime } = columns;
    const start = openTime[row - first] ?? Number.NaN;
    const isNext = row === this.#runEnd && stepMs === this.#runStepMs;
    const goesOn = isNext && start === this.#runTime + (row - this.#runFirst) * stepMs;
    if (!goesOn) {
      this.#runFirst = row;
      this.#runTime = start;
      this.#runStepMs = stepMs;
    }
    this.#runEnd =
      row +
      countRegular(openTime, stepMs, {
        first: row - first,
        count: Math.min(end, this.length) - row,
      });
  }

  /** Returns one column, read independently of the blocks. Only for rows that were read as blocks before: they are not checked for defects again. */
  column(name: keyof CandleColumns): CandleColumn {
    const source = this.#source;
    if (source === undefined) return CandleColumn.of((this.#whole ?? NO_COLUMNS)[name]);
    return CandleColumn.paged(
      source.length,
      // Two blocks of a column take a third of the memory of a block of all columns.
      Math.min(2 * this.#blockRows, MOST_COLUMN_ROWS),
      (first, target) => {
        source.readColumn(name, first, target);
      },
    );
  }

  /** All rows as columns. Rows that are not in memory are read, and not kept here. */
  whole(): CandleColumns {
    return this.#whole ?? this.#source?.read(0, this.#source.length) ?? NO_COLUMNS;
  }

  /** The block that holds the last row opening at or before `time`, or the first block. */
  #blockAround(time: EpochMs): CandleBlock {
    const source = this.#source;
    if (source === undefined) return this.#page;
    const near = this.#pages.find((page) => isWithin(page, time));
    if (near !== undefined) return this.blockAt(near.first);
    let [low, high] = [0, Math.ceil(source.length / this.#blockRows)];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (source.openTimeOf(middle * this.#blockRows) <= time) low = middle;
      else high = middle;
    }
    return this.blockAt(low * this.#blockRows);
  }

  #turnTo(row: number): Page {
    const source = this.#source;
    if (source === undefined || source.length === 0) return this.#page;
    const wanted = Math.max(0, Math.min(row, source.length - 1));
    this.#uses += 1;
    const page =
      this.#pages.find(({ first, end }) => wanted >= first && wanted < end) ??
      this.#load(source, wanted - (wanted % this.#blockRows));
    page.usedAt = this.#uses;
    this.#page = page;
    return page;
  }

  #load(source: RowSource, first: number): Page {
    const end = Math.min(source.length, first + this.#blockRows);
    const isNew = this.#pages.length < this.#maxPages;
    const page: Page = isNew
      ? { first: 0, end: 0, columns: NO_COLUMNS, usedAt: 0 }
      : this.#pages.reduce((oldest, one) => (one.usedAt < oldest.usedAt ? one : oldest));
    // While its memory is overwritten, the page holds no rows, also if reading fails. A new page is written a second time, too: V8 takes a field that
    // is written once for a constant, and discards compiled code when it changes.
    page.end = page.first;
    page.columns = source.read(first, end, isNew ? undefined : page.columns);
    page.first = first;
    page.end = end;
    if (isNew) this.#pages.push(page);
    return page;
  }
}

/** Whether the last row at or before `time` is surely in the page, because a later row of the page opens after `time`. */
function isWithin({ columns: { openTime } }: Page, time: EpochMs): boolean {
  return (openTime[0] ?? Infinity) <= time && time < (openTime.at(-1) ?? -Infinity);
}

/** How many times are at or before `time`. */
function countUpTo(times: Float64Array, time: EpochMs): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of `count` times from `first` on are each one interval after the one before. */
function countRegular(
  times: Float64Array,
  intervalMs: number,
  { first, count }: { readonly first: number; readonly count: number },
): number {
  const start = times[first] as number;
  const isRegular = (n: number): boolean => times[first + n - 1] === start + (n - 1) * intervalMs;
  // No two times are closer than an interval: if the last time is in its place, all times before it are.
  if (isRegular(count)) return count;
  let low = 1;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (isRegular(middle)) low = middle;
    else high = middle;
  }
  return low;
}
