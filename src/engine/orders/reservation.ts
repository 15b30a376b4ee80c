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
import type { OrderUpdate } from '../../venue/index.js';
import type { CashAccount } from '../portfolio/cash-book.js';
import type { Portfolio } from '../portfolio/portfolio.js';
import type { WorkingOrder } from './working/working-order.js';

/** The values of an order that decide its reservation. */
interface ReservedOrder {
  readonly request: OrderRequest;
  /** Quantity that may still fill, in the order's unit. */
  readonly remaining: Fixed;
  /** Mark when a contract's order was sent, or last without a mark. */
  readonly referencePrice: Fixed | undefined;
}

/**
 * Amount that a working order holds back of its {@link Funds}. Spot and margin: a sell holds back base; a buy holds back quote at its limit, plus
 * the fee if fees are paid in quote. Futures: an opening order holds back initial margin, fee, and the loss that its price causes at once; a
 * closing order holds back nothing.
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

/** The accounts that buy and sell orders spend from. */
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

/** The account that an order spends from. Written as a condition: V8 would turn a look-up by a variable name into a look-up in a table. */
export function paidFrom({ buy, sell }: Funds, { side }: OrderRequest): CashAccount {
  return side === 'buy' ? buy : sell;
}

/** A report of the venue about an order, or the time since when it is known. */
export type VenueReport = OrderUpdate | Pick<OrderUpdate, 'eventTime'>;

/** Tells the debts of the margin account what the venue holds for an order on margin since a report: nothing before it has answered the order. */
export function holdAtVenue(
  { debts }: Pick<Portfolio, 'debts'>,
  { funds }: { readonly funds: Funds },
  order: WorkingOrder,
  update: VenueReport,
): void {
  const { asset } = paidFrom(funds, order.request);
  const amount = order.isOnTheWay ? 0n : order.reserved;
  debts.hold(
    order.request.clientOrderId,
    { asset, amount },
    {
      time: update.eventTime,
      tradeId: 'fill' in update ? update.fill.venueTradeId : undefined,
    },
  );
}

/** Margin as the venue requires it ({@link orderMargin}). Fixed when the order is sent, except that it shrinks as the order fills. */
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
