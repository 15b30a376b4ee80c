import { formatFixed } from '../../../domain/index.js';
import type { Exits } from '../exits.js';
import { isExit } from '../working/order-cause.js';
import type { OwnOrders } from '../own-orders.js';
import { expiringAt } from '../planned-order.js';
import type { PositionSide, Remainder } from '../position-side.js';

/**
 * Sends the remaining quantity of an intent, unless its time is over. An exit runs through all steps of an exit again, because other orders may work
 * by now.
 */
export function resend(
  { intentId, intent: before, role, unit, quantity, origin, parent, until }: Remainder,
  positionSide: PositionSide,
  ownOrders: OwnOrders,
  exits: Exits,
): void {
  const { now } = ownOrders.account;
  if (until !== undefined && until <= now) return;
  const intent = expiringAt(before, until, now);
  const amount = formatFixed(quantity);
  if (intent.kind === 'exit' && (isExit(role) || role === 'stop')) {
    const isPart = intent.size !== undefined;
    const whole = isPart ? { ...intent, size: { quantity: amount } } : intent;
    const withdrawsEntries = role === 'stop';
    exits.exit(positionSide, { intentId, intent: whole, role, withdrawsEntries, parent });
  } else {
    const size = unit === 'quote' ? { notional: amount } : { quantity: amount };
    ownOrders.propose(positionSide, { intentId, intent, role, size, origin, parent });
  }
}
