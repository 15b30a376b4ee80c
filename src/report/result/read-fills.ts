import { formatFixed } from '../../domain/index.js';
import { FillValuer } from '../figures/fill-value.js';
import { FillTotals, openBook, type FollowedFills } from '../figures/follow-fills.js';
import { ResultOrders } from './result-orders.js';
import type { ResultFill, ResultOrder } from './result-schema.js';
import type { RunFill, RunRecord } from '../run-record.js';
import { TradeList, type ListedTrades } from '../trades/list-trades.js';
import type { HeldDays } from '../trades/benchmark.js';
import type { RunPrices } from '../trades/held-prices.js';

/** Inputs of the list of trades. */
export interface ListingInputs {
  readonly prices: RunPrices;
  /** Prices for the comparison with holding, read from the same candles; undefined without a comparison. */
  readonly days: HeldDays | undefined;
}

/** The part of a result that comes from the fills of a run. */
interface ReadFills {
  readonly fills: readonly ResultFill[];
  readonly followed: FollowedFills;
  /** Undefined if no trades are listed. */
  readonly listed: ListedTrades | undefined;
}

/**
 * Reads the fills of a run once and builds every part of a result that needs them. `orders`: the entries of the result.
 *
 * @throws {InvariantError} `E_OVERCLOSED`, `E_MISSING` when the record contradicts itself.
 */
export function readFills(
  record: RunRecord,
  orders: readonly ResultOrder[],
  listing: ListingInputs | undefined,
): ReadFills {
  const book = openBook(record);
  const valuer = new FillValuer(record);
  const totals = new FillTotals(record, book);
  const list = listing && new TradeList(record, book, listing.prices);
  const days = listing?.days;
  const byId = new ResultOrders(orders);
  const fills: ResultFill[] = [];
  for (const fill of record.fills) {
    const { clientOrderId, eventTime } = fill.record;
    const order = byId.find(clientOrderId);
    const entry = fillEntry(fill, order);
    const value = valuer.of(fill);
    totals.passTo(eventTime);
    while (days?.next !== undefined && days.next <= eventTime) days.read();
    totals.add(
      value,
      list === undefined
        ? book.take(value)
        : list.take({ place: fills.length, entry, value }, order),
    );
    if (value.payer !== undefined)
      totals.count(list === undefined ? book.payFee(value) : list.payFee(value));
    fills.push(entry);
  }
  return { fills, followed: totals.finish(), listed: list?.finish() };
}

/** The order of a fill may be missing, if a run kept only its last records. */
function fillEntry({ record, cause }: RunFill, order: ResultOrder | undefined): ResultFill {
  return {
    time: record.eventTime,
    orderId: record.clientOrderId,
    instrument: record.instrumentId,
    action: record.action,
    side: record.side,
    price: formatFixed(record.price),
    quantity: formatFixed(record.quantity),
    fee: formatFixed(record.fee),
    feeAsset: record.feeAsset,
    liquidity: record.liquidity,
    intent: order?.intent ?? null,
    label: order?.label ?? null,
    cause: order?.cause ?? cause ?? null,
  };
}
