import { DAY_MS, HOUR_MS, MINUTE_MS, type CandleRows, type EpochMs } from '../../domain/index.js';
import type { PackedCandles, PageCandles } from '../page-data.js';
import { packCandles, type PlainCandle } from './pack-candles.js';

/** Stored candles of one instrument. */
export interface ChartSeries {
  readonly instrument: string;
  readonly interval: string;
  readonly stepMs: number;
  readonly rows: CandleRows;
}

export type Span = readonly [from: EpochMs, to: EpochMs];

/** The range of a chart, and the spans that it needs candle by candle. If there is no room for all spans, the first ones are kept. */
interface ChartWish {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly instrument: number;
  readonly spans: readonly Span[];
}

/** A series of at most this many candles is on the page in full. */
const WHOLE = 20_000;
/** Most bars of the coarsest level, and of the middle level. */
const COARSE = 2_500;
const MIDDLE = 20_000;
/** Most exact candles of one instrument. */
const MOST_EXACT = 160_000;
/** Number of candles added before and after each required span. */
const MARGIN = 30;
/** Possible lengths of bars, in rising order. */
const LENGTHS = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 8, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 28, 91, 364].map((days) => days * DAY_MS),
];

/** Candles for the chart: coarse bars of the whole run, finer bars, and exact candles around the required spans. */
export function pageCandles({ rows, ...series }: ChartSeries, wish: ChartWish): PageCandles {
  const first = rows.rowBefore(wish.from) + 1;
  const end = rows.rowBefore(wish.to) + 1;
  const { stepMs } = series;
  const common = {
    instrument: wish.instrument,
    interval: series.interval,
    stepMs,
    rows: end - first,
  };
  const lengths = [COARSE, ...(end - first > WHOLE ? [MIDDLE] : [])]
    .filter((most) => end - first > most)
    .map((most) => lengthFor(end - first, stepMs, most));
  const levels: PackedCandles[] = [...new Set(lengths)].map((length) =>
    packCandles(joinCandles(rows, first, end, length), length),
  );
  if (end - first <= WHOLE) {
    const whole = readRows(rows, first, end);
    const exact = spanOf(whole, stepMs);
    return { ...common, levels: [...levels, packCandles(whole, stepMs)], exact, left: '' };
  }
  const windows = chooseWindows(rows, { first, end, stepMs }, wish.spans);
  const candles = windows.spans.flatMap(([from, to]) => readRows(rows, from, to));
  return {
    ...common,
    levels: [...levels, packCandles(candles, stepMs)],
    exact: windows.spans.map(([from, to]) => [rows.openTime(from), rows.openTime(to - 1) + stepMs]),
    left: windows.left,
  };
}

function spanOf(candles: readonly PlainCandle[], stepMs: number): readonly Span[] {
  const [from, to] = [candles[0], candles.at(-1)];
  return from === undefined || to === undefined ? [] : [[from.time, to.time + stepMs]];
}

function lengthFor(rows: number, stepMs: number, most: number): number {
  const least = (rows / most) * stepMs;
  return (
    LENGTHS.find((length) => length >= least && length % stepMs === 0) ??
    Math.ceil(least / stepMs) * stepMs
  );
}

function readRows(rows: CandleRows, first: number, end: number): PlainCandle[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => {
    const { first: offset, columns } = rows.blockAt(first + index);
    const row = first + index - offset;
    return {
      time: columns.openTime[row] as number,
      open: columns.open[row] as number,
      high: columns.high[row] as number,
      low: columns.low[row] as number,
      close: columns.close[row] as number,
    };
  });
}

/** Joins candles into longer bars on a grid from the epoch. A bar holds the candles that exist, even if some are missing. */
function joinCandles(rows: CandleRows, first: number, end: number, length: number): PlainCandle[] {
  const bars: PlainCandle[] = [];
  let bar: { time: number; open: number; high: number; low: number; close: number } | undefined;
  for (let row = first; row < end;) {
    const { first: offset, end: blockEnd, columns } = rows.blockAt(row);
    const last = Math.min(end, blockEnd);
    for (; row < last; row += 1) {
      const at = row - offset;
      const time = Math.floor((columns.openTime[at] as number) / length) * length;
      const [high, low] = [columns.high[at] as number, columns.low[at] as number];
      const close = columns.close[at] as number;
      if (bar?.time !== time) {
        if (bar !== undefined) bars.push(bar);
        bar = { time, open: columns.open[at] as number, high, low, close };
        continue;
      }
      if (high > bar.high) bar.high = high;
      if (low < bar.low) bar.low = low;
      bar.close = close;
    }
  }
  if (bar !== undefined) bars.push(bar);
  return bars;
}

interface Windows {
  /** Ranges of rows, in order, without overlaps. */
  readonly spans: readonly (readonly [number, number])[];
  readonly left: string;
}

function chooseWindows(
  rows: CandleRows,
  { first, end }: { readonly first: number; readonly end: number; readonly stepMs: number },
  spans: readonly Span[],
): Windows {
  const isWanted = new Uint8Array(end - first);
  let count = 0;
  let taken = 0;
  for (const [from, to] of spans) {
    const start = Math.max(first, rows.rowAt(from) - MARGIN) - first;
    const stop = Math.min(end, rows.rowAt(to) + 1 + MARGIN) - first;
    // Windows may overlap: a row counts once.
    let added = 0;
    for (let row = start; row < stop; row += 1) if (isWanted[row] === 0) added += 1;
    if (count + added > MOST_EXACT) break;
    isWanted.fill(1, start, Math.max(start, stop));
    count += added;
    taken += 1;
  }
  const left = spans.length - taken;
  return {
    spans: stretchesOf(isWanted, first),
    left:
      left === 0
        ? ''
        : `${String(left)} of ${String(spans.length)} ranges around trades and undecided candles are not shown candle by candle; those of the trades with the largest profits and losses are`,
  };
}

/** Joins neighboring marked rows into stretches. `first`: number of the first row. */
function stretchesOf(isWanted: Uint8Array, first: number): [number, number][] {
  const stretches: [number, number][] = [];
  for (let start = isWanted.indexOf(1); start >= 0;) {
    const end = isWanted.indexOf(0, start);
    stretches.push([first + start, first + (end < 0 ? isWanted.length : end)]);
    start = end < 0 ? -1 : isWanted.indexOf(1, end);
  }
  return stretches;
}
