import {
  dearestRate,
  marginOfValue,
  multiplyFixed,
  orderMargin,
  outlayOfBuy,
  type EpochMs,
  type FeeRates,
  type Fixed,
  type FuturesInstrument,
  type Instrument,
  type OrderRequest,
  type Side,
} from '../../domain/index.js';
import type { RiskPolicy } from '../../risk/index.js';
import type { CashAccount } from '../portfolio/cash-book.js';
import type { Portfolio } from '../portfolio/portfolio.js';

/** An order as its reservation needs it. */
interface ReservedOrder {
  readonly request: OrderRequest;
  /** What may still fill, in the order's unit. */
  readonly remaining: Fixed;
  /** Mark, else last, when a contract's order was sent. */
  readonly referencePrice: Fixed | undefined;
}

/**
 * What a working order holds back of its {@link Funds}. Spot and margin: a sell its base, a buy its quote at the limit, with the fee on top
 * where fees are paid in quote. Futures: an order that opens its initial margin, fee, and what its price loses at once; one that closes holds
 * back nothing.
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

/** What orders of each side spend. */
export type Funds = Readonly<Record<Side, CashAccount>>;

export function fundsOf(instrument: Instrument, portfolio: Pick<Portfolio, 'cash'>): Funds {
  const { kind } = instrument;
  if (kind === 'futures') {
    const margin = portfolio.cash(kind, instrument.marginAsset);
    return { buy: margin, sell: margin };
  }
  return {
    buy: portfolio.cash(kind, instrument.quote),
    sell: portfolio.cash(kind, instrument.base),
  };
}

/** What an order spends. Written out: a look-up by one of two names is a look-up in a table to the compiler. */
export function paidFrom({ buy, sell }: Funds, { side }: OrderRequest): CashAccount {
  return side === 'buy' ? buy : sell;
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
