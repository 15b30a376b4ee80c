import type { Archive } from '../../src/archive/index.js';
import { createHeldPrices } from '../../src/assembly/market/held-prices.js';
import type { BacktestConfig } from '../../src/assembly/index.js';
import {
  CandleRows,
  formatFixed,
  nominalIntervalMs,
  type InstrumentId,
} from '../../src/domain/index.js';
import {
  buildResult,
  type Result,
  type RunPrices,
  type RunRecord,
} from '../../src/report/index.js';
import { workOutTrades, type PlainTrades } from '../brute-force/trades.js';
import { asPlainTrades, barsOf, plainRunOf } from './replays/plain-trades.js';

/** Trades of a run: as its result lists them, and as the brute-force check works them out from fills and candles. */
export interface ComparedTrades {
  readonly result: Result;
  readonly listed: PlainTrades;
  readonly workedOut: PlainTrades;
}

export async function compareTrades(
  record: RunRecord,
  config: BacktestConfig,
  archive: Archive,
): Promise<ComparedTrades> {
  const { to } = config.simulation;
  const wanted = config.instruments.map(({ instrumentId, intervals }) => ({
    instrumentId,
    interval:
      intervals.toSorted((a, b) => nominalIntervalMs(a) - nominalIntervalMs(b))[0] ?? '1min',
  }));
  const series = await Promise.all(
    wanted.map(async (key) => ({
      ...key,
      columns: await archive.read(key.instrumentId, key.interval, { to }),
    })),
  );
  const prices = createHeldPrices(
    series.map(({ columns, ...key }) => ({ ...key, rows: CandleRows.of(columns) })),
    config.simulation,
  );
  const bars = new Map(
    series.map(({ instrumentId, interval, columns }) => [
      instrumentId as string,
      barsOf(columns, interval),
    ]),
  );
  const result = buildResult(record, { prices });
  return {
    result,
    listed: {
      trades: asPlainTrades(result.trades ?? [], record),
      dust: result.tradeTotals?.dust ?? '',
    },
    workedOut: workOutTrades(plainRunOf(record, bars, arrivalsOf(record, result, prices))),
  };
}

/** Price at the time an order was sent. For a worked intent its own record has the price. */
function arrivalsOf({ worked = [] }: RunRecord, result: Result, prices: RunPrices) {
  const byId = new Map(result.orders.map((order) => [order.id, order]));
  return (id: string): string | undefined => {
    const order = byId.get(id);
    if (order === undefined || order.intent === 0) return undefined;
    const work = worked.find(
      (one) =>
        one.intentId === order.intent &&
        one.instrumentId === order.instrument &&
        one.side === order.side,
    );
    const price =
      work?.arrivalPrice ?? prices.get(order.instrument as InstrumentId)?.closeBy(order.time);
    return price === undefined ? undefined : formatFixed(price);
  };
}
