import { convertFixed, type Fixed, type Instrument } from '../../domain/index.js';
import { worthAt, type FillValue } from '../figures/fill-value.js';
import type { ResultOrder } from '../result/result-schema.js';
import type { RunRecord } from '../run-record.js';
import type { HeldPrices } from './held-prices.js';

/** Last price when an order was sent. Undefined if the price or the order is not known. */
export type ArrivalPrice = (
  order: ResultOrder | undefined,
  prices: HeldPrices,
) => Fixed | undefined;

/**
 * Arrival price of the order of each fill. A worked intent has its own. For all others it is the close of the last candle that was known when the order was
 * sent. A trade that the venue made itself (liquidation, netting) has no arrival price.
 */
export function arrivalPrices({ worked = [] }: RunRecord): ArrivalPrice {
  const byIntent = new Map(
    worked.map((one) => [
      `${String(one.intentId)} ${one.instrumentId} ${one.side}`,
      one.arrivalPrice,
    ]),
  );
  let latest: ResultOrder | undefined;
  let price: Fixed | undefined;
  return (order, prices) => {
    if (order === undefined || order.intent === 0) return undefined;
    if (order === latest) return price;
    const { intent, instrument, side, time } = order;
    const own =
      byIntent.size === 0 ? undefined : byIntent.get(`${String(intent)} ${instrument} ${side}`);
    latest = order;
    price = own ?? prices.closeBy(time);
    return price;
  };
}

/** Cost of a fill compared with its arrival price, without the fee, in the equity currency. Negative if the fill was better. */
export function shortfallOfFill(
  { fill: { record, quoteRate }, notional, value, valueRate, isInverse }: FillValue,
  instrument: Instrument,
  arrival: Fixed,
): Fixed {
  if (arrival === 0n) return 0n;
  const before = worthAt(instrument, record.quantity, arrival);
  // An inverse contract is worth coins, fewer at a higher price: the cost is what is missing of them, as in its profit.
  const cost = isInverse
    ? convertFixed(before - value, valueRate)
    : notional - convertFixed(before, quoteRate);
  return record.side === 'buy' ? cost : -cost;
}
