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

/** Price that stood when the order of a fill was sent; undefined where it is not known, as of an order that is not known. */
export type ArrivalPrice = (fill: ResultFill, order: ResultOrder | undefined) => Fixed | undefined;

/**
 * A worked intent has its own; of all others it is the close of the last candle that was known when the order was sent. What the venue traded by itself was wanted by
 * nobody: it has none.
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

/** What a fill cost beyond the price that stood, fee left out, in the equity currency. */
export function shortfallOfFill(
  { fill: { record, quoteRate }, notional }: FillValue,
  instrument: Instrument,
  arrival: Fixed,
): Fixed {
  if (arrival === 0n) return 0n;
  const before = convertFixed(worthThen(instrument, record, arrival), quoteRate);
  return record.side === 'buy' ? notional - before : before - notional;
}

/** In quote. Of inverse contracts, whose quantity is a number of quote, what their coins were worth at the arrival price. */
function worthThen(
  instrument: Instrument,
  { quantity, price }: { readonly quantity: Fixed; readonly price: Fixed },
  arrival: Fixed,
): Fixed {
  if (instrument.kind !== 'futures') return multiplyFixed(quantity, arrival);
  if (instrument.contract === 'linear') return contractValue(instrument, quantity, arrival);
  return multiplyFixed(contractValue(instrument, quantity, price), arrival);
}
