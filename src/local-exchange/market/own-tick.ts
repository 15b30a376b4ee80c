import {
  fixedFromNumber,
  fixedToNumber,
  powerOfTen,
  type CandleColumns,
  type DatedRules,
} from '../../domain/index.js';
import { publishedPrice } from '../../simulator/index.js';

/** Rounds the prices of candles to the tick in force at each open, because a venue publishes on its own grid. */
export function onOwnTick(columns: CandleColumns, rules: readonly DatedRules[]): CandleColumns {
  const { openTime, open, high, low, close, volume } = columns;
  const ticks = tickAt(rules);
  const rounded = (column: Float64Array): Float64Array =>
    column.map((price, row) => {
      const tick = ticks(openTime[row] ?? 0);
      const path = { numerator: fixedFromNumber(price), denominator: 1n };
      const near = publishedPrice(path, tick);
      return fixedToNumber(near > 0n ? near : tick);
    });
  return {
    openTime,
    open: rounded(open),
    high: rounded(high),
    low: rounded(low),
    close: rounded(close),
    volume,
  };
}

/** The earliest rules also apply before their date. */
function tickAt(rules: readonly DatedRules[]): (time: number) => bigint {
  const ticks = rules
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, rules: { pricePrecision } }) => ({
      from,
      tick: powerOfTen(18 - pricePrecision),
    }));
  return (time) => (ticks.findLast(({ from }) => from <= time) ?? ticks[0])?.tick ?? 1n;
}
