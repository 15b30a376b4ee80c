import { divideFixed, fixedToNumber, parseFixed } from '../../domain/index.js';
import type { Result, Trade } from '../../report/index.js';

/**
 * Change of equity by each trade, in the order of their ends: profit ÷ the initial equity with the profits of the trades before, 0.01 for 1 %. In any order
 * these changes compound to the profit of all trades.
 *
 * Undefined if the result lists no trades, or if the equity was not above 0 at one of them.
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
