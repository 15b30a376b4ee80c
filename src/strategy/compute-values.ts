import type { Candle } from '../domain/index.js';
import type { Recipe } from './calculation.js';
import type { SeriesValues } from './precomputed-store.js';
import type { IndicatorSeries } from './stored-series.js';

/** Computes the values of an indicator that is given all candles of a series. */
export function computeValues(
  { create, isOfClose }: Recipe,
  {
    columns,
    first,
    end,
    candleAt,
  }: Pick<IndicatorSeries, 'columns' | 'first' | 'end' | 'candleAt'>,
): SeriesValues {
  const calculation = create();
  const values = new Float64Array(end - first);
  let strays = 0;
  let lastStray = -1;
  // One candle serves for all where nothing but its close is read.
  const only: { -readonly [Key in keyof Candle]: Candle[Key] } | undefined =
    isOfClose && first < end ? { ...candleAt(first) } : undefined;
  for (let row = first; row < end; row += 1) {
    if (only !== undefined) only.close = columns.close[row] as number;
    values[row - first] = calculation.next(only ?? candleAt(row));
    if (calculation.strays === undefined || calculation.strays === strays) continue;
    strays = calculation.strays;
    lastStray = row;
  }
  return { values, lastStray };
}
