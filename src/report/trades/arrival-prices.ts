import {
  contractValue,
  convertFixed,
  multiplyFixed,
  type Fixed,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';
import type { FillValue } from '../fill-value.js';
import type { ResultFill, ResultOrder } from '../result-schema.js';
import type { RunRecord } from '../run-record.js';
import type { HeldPrices } from './held-prices.js';

/** Last price when the order of a fill was sent. Undefined if the price or the order is not known. */
export type ArrivalPrice = (fill: ResultFill, order: ResultOrder | undefined) => Fixed | undefined;

/**
 * Arrival price of each fill. A worked intent has its own. For all others it is the close of the last candle that was known when the order was sent. A trade
 * that the venue made itself (liquidation, netting) has no arrival price.
 */
export function arrivalPrices({ worked = [] }: RunRecord, prices: HeldPrices): ArrivalPrice {
  const byIntent = new Map(
    worked.map((one) => [
      `${String(one.intentId)} ${one.instrumentId} ${one.side}`,
      one.arrivalPrice,
    ]),
  );
  const ownArrival = (intent: number | null, instrument: string, side: string): Fixed | undefined =>
    byIntent.get(`${String(intent)} ${instrument} ${side}`);
  let latest: { readonly id: string; readonly price: Fixed | undefined } | undefined;
  return ({ orderId, instrument, side, intent }, order) => {
    if (latest?.id === orderId) return latest.price;
    const price =
      order === undefined || intent === 0
        ? undefined
        : ((worked.length === 0 ? undefined : ownArrival(intent, instrument, side)) ??
          prices.closeBy(instrument as InstrumentId, order.time));
    latest = { id: orderId, price };
    return price;
  };
}

/** Cost of a fill compared with its arrival price, without the fee, in the equity currency. Negative if the fill was better. */
export function shortfallOfFill(
  { fill: { record, quoteRate }, notional }: FillValue,
  instrument: Instrument,
  arrival: Fixed,
): Fixed {
  if (arrival === 0n) return 0n;
  const before = convertFixed(worthThen(instrument, record, arrival), quoteRate);
  return record.side === 'buy' ? notional - before : before - notional;
}

/**
 * Worth of a fill at its arrival price, in quote. The quantity of an inverse contract counts quote, so its coins (at the fill price) are valued at the
 * arrival price.
 */
function worthThen(
  instrument: Instrument,
  { quantity, price }: { readonly quantity: Fixed; readonly price: Fixed },
  arrival: Fixed,
): Fixed {
  if (instrument.kind !== 'futures') return multiplyFixed(quantity, arrival);
  if (instrument.contract === 'linear') return contractValue(instrument, quantity, arrival);
  return multiplyFixed(contractValue(instrument, quantity, price), arrival);
}
