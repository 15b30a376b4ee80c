import {
  dearestRate,
  marginOfValue,
  multiplyFixed,
  orderMargin,
  outlayOfBuy,
  type Asset,
  type EpochMs,
  type FeeRates,
  type Fixed,
  type FuturesInstrument,
  type Instrument,
  type OrderRequest,
} from '../../domain/index.js';
import type { RiskPolicy } from '../../risk/index.js';

/** An order as its reservation needs it. */
interface ReservedOrder {
  readonly request: OrderRequest;
  /** What may still fill, in the order's unit. */
  readonly remaining: Fixed;
  /** Mark, else last, when a contract's order was sent. */
  readonly referencePrice: Fixed | undefined;
}

/**
 * What a working order holds back. Spot and margin: a sell its base, a buy its quote at the limit, with the fee on top where fees are
 * paid in quote. Futures: an order that opens its initial margin, fee, and what its price loses at once; one that closes nothing.
 * In {@link reservedAsset}.
 */
export function reservationOf(
  instrument: Instrument,
  order: ReservedOrder,
  policy: Pick<RiskPolicy, 'fees'>,
  now: EpochMs,
): Fixed {
  const { request, remaining } = order;
  if (instrument.kind === 'futures') {
    const isFree = request.action === 'close' || remaining === 0n;
    return isFree ? 0n : requiredMargin(instrument, order, policy.fees(instrument.id, now));
  }
  if (request.side === 'sell' || remaining === 0n) return remaining;
  const value = request.type === 'limit' ? multiplyFixed(request.limitPrice, remaining) : remaining;
  return outlayOfBuy(value, policy.fees(instrument.id, now));
}

/** What an order spends. */
export function reservedAsset(instrument: Instrument, { side }: OrderRequest): Asset {
  if (instrument.kind === 'futures') return instrument.marginAsset;
  return side === 'sell' ? instrument.base : instrument.quote;
}

/** As the venue requires it ({@link orderMargin}); fixed when the order is sent, but for what has filled since. */
function requiredMargin(
  instrument: FuturesInstrument,
  { request, remaining, referencePrice = 0n }: ReservedOrder,
  fees: FeeRates,
): Fixed {
  const { leverage } = instrument;
  const direction = request.side === 'buy' ? 'long' : 'short';
  const feeRate = dearestRate(fees);
  if (request.type === 'market')
    return marginOfValue(instrument, {
      direction,
      value: remaining,
      valueAtMark: remaining,
      leverage,
      feeRate,
    }).total;
  const { limitPrice: price } = request;
  const mark = referencePrice > 0n ? referencePrice : price;
  return orderMargin(instrument, {
    direction,
    contracts: remaining,
    price,
    mark,
    leverage,
    feeRate,
  }).total;
}
