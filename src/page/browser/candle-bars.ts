import type { PageCandles } from '../page-data.js';
import { rowFrom, unpackCandles, type Bars } from './unpack.js';

/** Bars to draw. Bars of several lengths may follow one another. */
export interface DrawnBars {
  readonly time: number[];
  readonly open: number[];
  readonly high: number[];
  readonly low: number[];
  readonly close: number[];
  readonly length: number[];
  /** Distinct lengths of the bars, the shortest first. */
  readonly lengths: readonly number[];
}

/** Most bars that are drawn at once. */
export const MOST_BARS = 3_000;

/** Candles of one instrument at several levels. Each span is drawn at the finest level that has few enough bars. */
export class CandleBars {
  readonly candles: PageCandles;
  readonly #levels: readonly Bars[];

  constructor(candles: PageCandles) {
    this.candles = candles;
    this.#levels = candles.levels.map(unpackCandles);
  }

  /** Bars between two times. A level is used only if it has at most `most` bars in this span; otherwise the coarsest level is used. */
  between(from: number, to: number, most: number): DrawnBars {
    const drawn: DrawnBars & { lengths: number[] } = {
      time: [],
      open: [],
      high: [],
      low: [],
      close: [],
      length: [],
      lengths: [],
    };
    const exact = this.#levels.at(-1);
    if (exact === undefined) return drawn;
    const coarse = this.#levels.slice(0, -1);
    // Without a coarser level the series is short: it is always drawn in full.
    const isNear = coarse.length === 0 || (to - from) / exact.stepMs <= most;
    // A series that is here in full has nothing elsewhere: a coarse bar would only cover its first or last candle.
    const isWhole = exact.time.length === this.candles.rows;
    const rest =
      isNear && isWhole
        ? undefined
        : (coarse.findLast(({ stepMs }) => (to - from) / stepMs <= most) ?? coarse[0]);
    const spans = isNear ? this.candles.exact.filter(([a, b]) => b > from && a < to) : [];
    let at = from;
    for (const [a, b] of spans) {
      if (rest !== undefined) add(drawn, rest, at, a);
      add(drawn, exact, Math.max(a, from), Math.min(b, to));
      at = b;
    }
    if (rest !== undefined) add(drawn, rest, at, to);
    drawn.lengths.push(...[...new Set(drawn.length)].sort((a, b) => a - b));
    return drawn;
  }

  /** Whether the page has every candle between two times. */
  isExact(from: number, to: number): boolean {
    return this.candles.exact.some(([a, b]) => a <= from && b >= to);
  }
}

/** Adds the bars that overlap a span. */
function add(drawn: DrawnBars, bars: Bars, from: number, to: number): void {
  const { stepMs } = bars;
  for (let row = rowFrom(bars.time, from - stepMs + 1); row < bars.time.length; row += 1) {
    const time = bars.time[row] as number;
    if (time >= to) return;
    drawn.time.push(time);
    drawn.open.push(bars.open[row] as number);
    drawn.high.push(bars.high[row] as number);
    drawn.low.push(bars.low[row] as number);
    drawn.close.push(bars.close[row] as number);
    drawn.length.push(stepMs);
  }
}
