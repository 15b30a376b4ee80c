import {
  createOrderRequest,
  type Fixed,
  type OrderRequest,
  type RiskApproved,
  type RiskChange,
  type RiskDecision,
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
  const { proposal, terms, sent } = draft;
  const order = createOrderRequest(proposal.clientOrderId(0), sent, proposal, terms);
  return approve([order], draft.changes, reserved);
}

/** Builds the orders that a draft was split or cut into. Refuses ids that the venue would not take. */
export function approveLegs(draft: OrderDraft, { sent, changes }: Legs): RiskDecision {
  const { proposal, terms } = draft;
  const orders = sent.map((quantity, leg) =>
    createOrderRequest(proposal.clientOrderId(leg), quantity, proposal, terms),
  );
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

function refuseId(id: string): Refused {
  return createRefusal({
    check: 'client-order-id',
    limit: String(CLIENT_ORDER_ID_LIMIT - 1),
    actual: String(id.length),
    unit: 'characters',
    text: `the client order id "${id}" has ${String(id.length)} characters, expected 1 to ${String(CLIENT_ORDER_ID_LIMIT - 1)}: shorten the bot's name`,
  });
}
