import {
  CandleRows,
  DAY_MS,
  formatFixed,
  fixedFromNumber,
  MINUTE_MS,
} from '../../src/domain/index.js';
import type { ChartSeries } from '../../src/page/index.js';
import { buildResult, type Result, type RunFill, type RunOrder } from '../../src/report/index.js';
import { createHeldPrices } from '../../src/assembly/market/held-prices.js';
import { createReferenceCandles } from '../perf/reference-work.js';
import {
  aRunFill,
  aRunOrder,
  aRunRecord,
  BTC_SPOT,
  dailyEquity,
  RUN_START,
} from './run-records.js';

/** A result, and the candles that it is drawn over. */
export interface RunOfManyTrades {
  readonly result: Result;
  readonly series: readonly ChartSeries[];
}

/** A run with `trades` longs of 1 BTC, one after the other, at a fee of 0.1 %. Each has `rows` one-minute candles and is held over half of them. */
export function runOfManyTrades(trades: number, rows: number): RunOfManyTrades {
  const columns = createReferenceCandles(trades * rows);
  for (const row of columns.openTime.keys()) columns.openTime[row] = RUN_START + row * MINUTE_MS;
  const candles = CandleRows.of(columns);
  const { fills, orders } = tradesOver(columns.open, trades, rows);
  const days = Math.ceil((trades * rows * MINUTE_MS) / DAY_MS);
  const equity = Array.from({ length: days + 1 }, (_, day) =>
    String(1_000_000 + (day % 7) * 1_000),
  );
  const record = aRunRecord({ ...dailyEquity(equity), fills, orders, intents: orders.length });
  const series = { instrumentId: BTC_SPOT.id, interval: '1min', rows: candles } as const;
  const prices = createHeldPrices([series], { dataDelayMs: 0 });
  return {
    result: buildResult(record, { prices }),
    series: [{ instrument: BTC_SPOT.id, interval: '1min', stepMs: MINUTE_MS, rows: candles }],
  };
}

function tradesOver(
  opens: Float64Array,
  trades: number,
  rows: number,
): { readonly fills: readonly RunFill[]; readonly orders: readonly RunOrder[] } {
  const fills: RunFill[] = [];
  const orders: RunOrder[] = [];
  for (let end = 0; end < 2 * trades; end += 1) {
    const row = (end >>> 1) * rows + (end % 2 === 0 ? 0 : rows >>> 1);
    const price = fixedFromNumber(opens[row] ?? Number.NaN, 2);
    const common = {
      id: `bot1-${(end + 1).toString(36)}-0-0`,
      time: RUN_START + row * MINUTE_MS,
      side: end % 2 === 0 ? 'buy' : 'sell',
    } as const;
    fills.push(
      aRunFill({ ...common, price: formatFixed(price), fee: formatFixed(price / 1_000n) }),
    );
    orders.push(aRunOrder(common));
  }
  return { fills, orders };
}
