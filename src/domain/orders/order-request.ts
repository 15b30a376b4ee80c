import type { Fixed } from '../amounts/fixed.js';
import type { InstrumentId, MarginMode } from '../instruments/instrument.js';
import type { PositionAction, Side, TimeInForce } from './intent.js';
import type { ClientOrderId, OrderRequest, QuantityUnit } from './order.js';

/** What an order is sent for. */
interface OrderPurpose {
  readonly intentId: number;
  /** `marginMode`: of contracts. */
  readonly instrument: {
    readonly id: InstrumentId;
    readonly marginMode?: MarginMode | undefined;
  };
  readonly side: Side;
  readonly action: PositionAction;
}

/** How an order is sent. */
type SentTerms =
  | { readonly type: 'market'; readonly unit: QuantityUnit }
  | {
      readonly type: 'limit';
      readonly unit: QuantityUnit;
      /** Quote per base. */
      readonly price: Fixed;
      readonly timeInForce: TimeInForce;
    };

/**
 * Makes the request of an order; `quantity` is in the unit of its terms. Journals have its members in this order. All forms are written out, because a
 * spread costs as much as all the checks of risk.
 */
export function createOrderRequest(
  clientOrderId: ClientOrderId,
  quantity: Fixed,
  { intentId, instrument, side, action }: OrderPurpose,
  terms: SentTerms,
): OrderRequest {
  const { id: instrumentId, marginMode } = instrument;
  const { type, unit } = terms;
  if (marginMode !== undefined) {
    if (type === 'market') {
      return {
        type,
        clientOrderId,
        intentId,
        instrumentId,
        side,
        action,
        quantity,
        unit,
        marginMode,
      };
    }
    const { price: limitPrice, timeInForce } = terms;
    return {
      type,
      clientOrderId,
      intentId,
      instrumentId,
      side,
      action,
      quantity,
      unit,
      limitPrice,
      timeInForce,
      marginMode,
    };
  }
  if (type === 'market') {
    return { type, clientOrderId, intentId, instrumentId, side, action, quantity, unit };
  }
  const { price: limitPrice, timeInForce } = terms;
  return {
    type,
    clientOrderId,
    intentId,
    instrumentId,
    side,
    action,
    quantity,
    unit,
    limitPrice,
    timeInForce,
  };
}
