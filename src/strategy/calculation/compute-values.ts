import type { Candle } from '../../domain/index.js';
import { isOfCloses, type Calculation, type CloseCalculation, type Recipe } from './calculation.js';
import type { SeriesValues } from './precomputed-store.js';
import type { IndicatorSeries } from './stored-series.js';

type Rows = Pick<IndicatorSeries, 'columns' | 'first' | 'end' | 'candleAt'>;

/** Rows that are given to a calculation at once. */
const BLOCK = 2_048;

/** Computes the values of an indicator that is given all candles of a series. */
export function computeValues({ create, isOfClose }: Recipe, rows: Rows): SeriesValues {
  const calculation = create();
  if (isOfCloses(calculation)) return computeByCloses(calculation, rows);
  const values = new Float64Array(rows.end - rows.first);
  return computeOneByOne(calculation, isOfClose ? withOneCandle(rows) : rows, values, -1);
}

/** Returns the rows with one reused candle object, for a calculation that reads only the close. */
function withOneCandle(rows: Rows): Rows {
  const { columns, first, end, candleAt } = rows;
  if (first === end) return rows;
  const only: { -readonly [Key in keyof Candle]: Candle[Key] } = { ...candleAt(first) };
  const closeOf = (row: number): Candle => {
    only.close = columns.close[row] as number;
    return only;
  };
  return { ...rows, candleAt: closeOf };
}

function computeByCloses(begun: CloseCalculation, rows: Rows): SeriesValues {
  const { columns, first, end } = rows;
  const values = new Float64Array(end - first);
  let calculation = begun;
  let lastStray = -1;
  for (let from = first; from < end; from += BLOCK) {
    const until = Math.min(from + BLOCK, end);
    const before = calculation.copy();
    calculation.nextOfCloses(columns.close, from, until, values, from - first);
    if (calculation.strays === before.strays) continue;
    // The block has strays. It is computed again row by row, to find the last one.
    const block = { ...rows, first: from, end: until };
    ({ lastStray } = computeOneByOne(before, block, values.subarray(from - first), lastStray));
    calculation = before;
  }
  return { values, lastStray };
}

function computeOneByOne(
  calculation: Calculation,
  { first, end, candleAt }: Rows,
  values: Float64Array,
  strayBefore: number,
): SeriesValues {
  let lastStray = strayBefore;
  let strays = calculation.strays ?? 0;
  for (let row = first; row < end; row += 1) {
    const candle: Candle = candleAt(row);
    values[row - first] = calculation.next(candle);
    if ((calculation.strays ?? 0) === strays) continue;
    strays = calculation.strays ?? 0;
    lastStray = row;
  }
  return { values, lastStray };
}
