import { formatFixed } from '../../domain/index.js';
import type { Exits } from './exits.js';
import { isExit } from './order-cause.js';
import type { OwnOrders } from './own-orders.js';
import type { PositionSide, Remainder } from './position-side.js';

/** Sends the remaining quantity of an intent. An exit runs through all steps of an exit again, because other orders may work by now. */
export function resend(
  { intentId, intent, role, unit, quantity, origin }: Remainder,
  positionSide: PositionSide,
  ownOrders: OwnOrders,
  exits: Exits,
): void {
  const amount = formatFixed(quantity);
  if (intent.kind === 'exit' && (isExit(role) || role === 'stop')) {
    const isPart = intent.size !== undefined;
    const whole = isPart ? { ...intent, size: { quantity: amount } } : intent;
    exits.exit(positionSide, { intentId, intent: whole, role, withdrawsEntries: role === 'stop' });
  } else {
    const size = unit === 'quote' ? { notional: amount } : { quantity: amount };
    ownOrders.propose(positionSide, { intentId, intent, role, size, origin });
  }
}
