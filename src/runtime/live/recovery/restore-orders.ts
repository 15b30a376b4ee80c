import type { Engine } from '../../engine.js';
import type { MarketSession } from '../market-session.js';

/**
 * Makes the orders of a replayed engine known to its session: those with the venue's id are read, the others are looked for.
 *
 * Before anything is polled, so that no execution is taken for a stranger's.
 */
export function restoreOrders(
  { orders, reader }: Pick<MarketSession, 'orders' | 'reader'>,
  { workingOrders }: Pick<Engine, 'workingOrders'>,
): void {
  for (const { request, createdTime, venueOrderId, filledQuantity } of workingOrders) {
    const order = orders.begin(request, createdTime);
    order.venueOrderId = venueOrderId;
    order.filled = filledQuantity;
    reader.accepted(order);
  }
}

/**
 * Finds out what became of the orders of a replayed engine: what was filled meanwhile, whether a submit without an answer arrived, and
 * whether a cancel did. Resolves when nothing about an order is unknown, or it cannot be told apart and has been reported.
 */
export async function resolveOrders(
  session: Pick<MarketSession, 'orders' | 'lanes' | 'readAccount'>,
  { workingOrders }: Pick<Engine, 'workingOrders'>,
): Promise<void> {
  const { orders, lanes } = session;
  const canceling = workingOrders.filter(({ status }) => status === 'canceling');
  await session.readAccount();
  // Of one instrument one at a time: without our ids in the answers two would be taken for each other.
  for (const order of orders.list()) {
    if (order.venueOrderId !== undefined) continue;
    order.resolving = lanes.resolveUnknown(order);
    await order.resolving;
  }
  // Asking again for the end of an order is safe.
  for (const { request } of canceling) {
    const { clientOrderId, instrumentId } = request;
    if (orders.find(clientOrderId) !== undefined)
      await lanes.give({ kind: 'cancel', clientOrderId, instrumentId });
  }
}
