import type {
  Fixed,
  OrderRequest,
  RiskApproved,
  RiskChange,
  RiskDecision,
} from '../domain/index.js';
import { reservedByEntry } from './funds.js';
import type { Legs, OrderDraft } from './order-draft.js';
import type { RiskPolicy } from './policy.js';
import { createRefusal, type Refused } from './refusal.js';

/** The interface requires ids shorter than 32 characters. */
const CLIENT_ORDER_ID_LIMIT = 32;

/** Builds the order of a draft. Refuses an id that the venue would not take. */
export function approveWhole(draft: OrderDraft, policy: RiskPolicy): RiskDecision {
  const reserved = reservedByEntry(draft, policy);
  return approve([buildOrder(draft, 0, draft.sent)], draft.changes, reserved);
}

/** Builds the orders that a draft was split or cut into. Refuses ids that the venue would not take. */
export function approveLegs(draft: OrderDraft, { sent, changes }: Legs): RiskDecision {
  const orders = sent.map((quantity, leg) => buildOrder(draft, leg, quantity));
  return approve(orders, [...draft.changes, ...changes], undefined);
}

/** Marks orders approved; the only place that does. */
function approve(
  orders: readonly OrderRequest[],
  changes: readonly RiskChange[],
  reserved: Fixed | undefined,
): RiskDecision {
  for (const { clientOrderId } of orders) {
    const { length } = clientOrderId;
    if (length === 0 || length >= CLIENT_ORDER_ID_LIMIT) return refuseId(clientOrderId);
  }
  const approved = orders as readonly RiskApproved<OrderRequest>[];
  return { kind: 'approved', orders: approved, changes, reserved };
}

/** All forms are written out, because a spread costs as much as all the checks before it. */
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

function refuseId(id: string): Refused {
  return createRefusal({
    check: 'client-order-id',
    limit: String(CLIENT_ORDER_ID_LIMIT - 1),
    actual: String(id.length),
    unit: 'characters',
    text: `the client order id "${id}" has ${String(id.length)} characters, expected 1 to ${String(CLIENT_ORDER_ID_LIMIT - 1)}: shorten the bot's name`,
  });
}
