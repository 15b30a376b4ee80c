import type { Fixed, OrderRequest, Refusal, RiskApproved } from '../domain/index.js';
import type { OrderDraft } from './order-draft.js';
import { createRefusal } from './refusal.js';

/** The interface wants ids shorter than 32 characters. */
const CLIENT_ORDER_ID_LIMIT = 32;

/** Builds the orders of a draft and marks them approved; the only place that does. Refuses ids the venue would not take. */
export function approveLegs(
  draft: OrderDraft,
  legs: readonly Fixed[],
): readonly RiskApproved<OrderRequest>[] | Refusal {
  const orders: RiskApproved<OrderRequest>[] = [];
  for (let leg = 0; leg < legs.length; leg += 1) {
    const order = buildOrder(draft, leg, legs[leg] ?? 0n);
    const length = order.clientOrderId.length;
    if (length === 0 || length >= CLIENT_ORDER_ID_LIMIT) return refuseId(order.clientOrderId);
    orders.push(order as RiskApproved<OrderRequest>);
  }
  return orders;
}

/** Every form is written out, because a spread costs as much as all the checks before it. */
function buildOrder({ proposal, terms }: OrderDraft, leg: number, quantity: Fixed): OrderRequest {
  const { instrument, intentId, side, action } = proposal;
  const { id: instrumentId } = instrument;
  const { type, unit } = terms;
  const clientOrderId = proposal.clientOrderId(leg);
  if (instrument.kind === 'futures') {
    const { marginMode } = instrument;
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

function refuseId(id: string): Refusal {
  return createRefusal({
    check: 'client-order-id',
    limit: String(CLIENT_ORDER_ID_LIMIT - 1),
    actual: String(id.length),
    unit: 'characters',
    text: `the client order id "${id}" has ${String(id.length)} characters, expected 1 to ${String(CLIENT_ORDER_ID_LIMIT - 1)}: shorten the bot's name`,
  });
}
