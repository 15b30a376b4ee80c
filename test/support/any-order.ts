import type {
  Instrument,
  OrderRequest,
  PositionAction,
  Side,
  TimeInForce,
} from '../../src/domain/index.js';
import { aContractLimit, aContractMarket } from './futures-venue.js';
import { aLimitRequest, aMarketRequest } from './order-requests.js';

/** An order in plain text values, for any product. */
export interface OrderDraft {
  readonly id: string;
  readonly type: 'limit' | 'market';
  readonly side: Side;
  /** For contracts only; on a pair the side decides. */
  readonly action: PositionAction;
  /** Base, or contracts. */
  readonly quantity: string;
  /** In quote: the amount of a MARKET order that buys a pair or opens a contract. */
  readonly money: string;
  readonly limitPrice: string;
  readonly timeInForce: TimeInForce;
}

/** Makes the order that a draft describes for an instrument. */
export function orderOn(instrument: Instrument, intent: OrderDraft): OrderRequest {
  const { id, type, side, action, quantity, money, limitPrice, timeInForce } = intent;
  if (instrument.kind === 'futures') {
    const common = { id, instrument, side, action };
    return type === 'limit'
      ? aContractLimit({ ...common, quantity, limitPrice, timeInForce })
      : aContractMarket({ ...common, quantity: action === 'open' ? money : quantity });
  }
  const common = { id, instrumentId: instrument.id, side };
  return type === 'limit'
    ? aLimitRequest({ ...common, quantity, limitPrice, timeInForce })
    : aMarketRequest({ ...common, quantity: side === 'buy' ? money : quantity });
}
