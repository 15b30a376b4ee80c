import type {
  Instrument,
  OrderRequest,
  PositionAction,
  Side,
  TimeInForce,
} from '../../src/domain/index.js';
import { aContractLimit, aContractMarket } from './futures-venue.js';
import { aLimitRequest, aMarketRequest } from './order-requests.js';

/** An order as a person writes it, whatever is traded. */
export interface OrderDraft {
  readonly id: string;
  readonly type: 'limit' | 'market';
  readonly side: Side;
  /** Of contracts; on a pair the side says it. */
  readonly action: PositionAction;
  /** Base, or contracts. */
  readonly quantity: string;
  /** Quote: what a MARKET order that buys a pair, or opens a contract, is for. */
  readonly money: string;
  readonly limitPrice: string;
  readonly timeInForce: TimeInForce;
}

/** The order that an intent means for an instrument. */
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
