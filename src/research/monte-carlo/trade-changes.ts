import { divideFixed, fixedToNumber, parseFixed } from '../../domain/index.js';
import type { Result, Trade } from '../../report/index.js';

/**
 * What each trade of a result changed the equity by, in the order in which they ended: profit ÷ what the ones before had left of the initial
 * equity, 0.01 for 1 %. Together they come to what the trades earned, in whatever order.
 *
 * Undefined where the result lists no trades, or the equity was not above 0 at one of them.
 */
export function tradeChanges({
  trades,
  equity,
}: Pick<Result, 'trades' | 'equity'>): Float64Array | undefined {
  if (trades === undefined || trades.length === 0) return undefined;
  const changes: number[] = [];
  let value = parseFixed(equity.initial);
  for (const { profit } of trades.toSorted((a, b) => endOf(a) - endOf(b))) {
    if (value <= 0n) return undefined;
    const amount = parseFixed(profit);
    changes.push(fixedToNumber(divideFixed(amount, value)));
    value += amount;
  }
  return Float64Array.from(changes);
}

function endOf({ entry, duration }: Trade): number {
  return entry.time + duration;
}
