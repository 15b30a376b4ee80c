/** The reference work by hand, the reference for the runs of the benchmarks. */
import type { CandleColumns, FundingColumns } from '../../src/domain/index.js';

/** Terms of the loop by hand: no engine, no risk, float64 money. */
export interface HandWork {
  readonly fast: number;
  readonly slow: number;
  /** The averages are compared with every n-th candle, counted from the first that has both. @defaultValue 1 */
  readonly every?: number;
}

const REFERENCE_WORK: HandWork = { fast: 10, slow: 30 };

/** Trades the averages by hand. Returns final cash and fills, so that nothing is optimized away. */
export function runByHand(
  { open, close }: CandleColumns,
  { fast: fastPeriod, slow: slowPeriod, every = 1 }: HandWork = REFERENCE_WORK,
): HandResult {
  let cash = 10_000_000;
  let held = false;
  let fills = 0;
  let fast = 0;
  let slow = 0;
  let untilLook = every;
  for (let row = 0; row + 1 < close.length; row += 1) {
    fast += close[row] as number;
    slow += close[row] as number;
    if (row >= fastPeriod) fast -= close[row - fastPeriod] as number;
    if (row >= slowPeriod) slow -= close[row - slowPeriod] as number;
    if (row < slowPeriod - 1) continue;
    untilLook -= 1;
    if (untilLook > 0) continue;
    untilLook = every;
    const isAbove = fast / fastPeriod > slow / slowPeriod;
    if (isAbove === held) continue;
    const price = open[row + 1] as number;
    cash += (held ? price : -price) - price * 0.001;
    held = isAbove;
    fills += 1;
  }
  return { cash, fills };
}

export interface HandResult {
  readonly cash: number;
  readonly fills: number;
  /** Equity at the end, if the loop keeps it. */
  readonly equity?: number;
  /** Number of orders, if it differs from the fills. */
  readonly orders?: number;
  readonly refusals?: number;
}

/** Does by hand the work of a run that trades nothing: it reads each candle and keeps equity. */
export function idleByHand({ close }: CandleColumns): HandResult {
  let [cash, highest] = [10_000_000, 0];
  for (let row = 0; row < close.length; row += 1) {
    const equity = cash + 0 * (close[row] as number);
    if (equity > highest) highest = equity;
  }
  cash = highest;
  return { cash, fills: 0 };
}

/**
 * {@link runByHand} on contracts of 0.001, 1,000 each: equity at the mark of each candle, and funding at its boundaries while they are held.
 *
 * `trades`: false to hold nothing, as a strategy that never trades.
 */
export function runContractsByHand(
  { openTime, open, close }: CandleColumns,
  marks: CandleColumns,
  funding: FundingColumns,
  { fast: fastPeriod, slow: slowPeriod, every = 1 }: HandWork = REFERENCE_WORK,
  trades = true,
): HandResult {
  let cash = 10_000_000;
  let entry = 0;
  let held = false;
  let [fills, fast, slow, settled, highest] = [0, 0, 0, 0, 0];
  let untilLook = every;
  for (let row = 0; row + 1 < close.length; row += 1) {
    const mark = marks.close[row] as number;
    const equity = held ? cash + mark - entry : cash;
    if (equity > highest) highest = equity;
    while ((funding.time[settled] ?? Infinity) <= (openTime[row] as number)) {
      if (held) cash -= (marks.open[row] as number) * (funding.rate[settled] as number);
      settled += 1;
    }
    if (!trades) continue;
    fast += close[row] as number;
    slow += close[row] as number;
    if (row >= fastPeriod) fast -= close[row - fastPeriod] as number;
    if (row >= slowPeriod) slow -= close[row - slowPeriod] as number;
    if (row < slowPeriod - 1) continue;
    untilLook -= 1;
    if (untilLook > 0) continue;
    untilLook = every;
    const isAbove = fast / fastPeriod > slow / slowPeriod;
    if (isAbove === held) continue;
    const price = open[row + 1] as number;
    cash -= price * 0.001;
    if (held) cash += price - entry;
    entry = price;
    held = isAbove;
    fills += 1;
  }
  return { cash: cash + highest, fills };
}
