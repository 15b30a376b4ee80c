import type { Engine } from '../../engine/index.js';
import type { MarketSession } from '../market-session.js';
import type { SentOrderState } from '../sent-orders.js';

/**
 * Makes the orders of a replayed engine known to its session, and returns those without an id of the venue: they are to be looked for, the
 * others are read.
 *
 * Before anything is polled, so that no execution is taken for external.
 */
export function restoreOrders(
  { orders, reader }: Pick<MarketSession, 'orders' | 'reader'>,
  { workingOrders }: Pick<Engine, 'workingOrders'>,
): readonly SentOrderState[] {
  return workingOrders.flatMap(({ request, createdTime, venueOrderId, filledQuantity }) => {
    const before = reader.seen(request.instrumentId);
    const order = orders.begin(request, { sentAt: createdTime, before });
    order.venueOrderId = venueOrderId;
    order.filled = filledQuantity;
    reader.accepted(order);
    return venueOrderId === undefined ? [order] : [];
  });
}

/**
 * Finds out what became of the orders of a replayed engine: what was filled meanwhile, whether a submit without an answer arrived, and
 * whether a cancel did. What is certainly held is guarded as soon as executions are read, whatever else is not known yet. Resolves when nothing about an order is unknown, or it cannot be told apart and has been reported.
 *
 * `lost`: as {@link restoreOrders} returned them. An order that is sent meanwhile, because of what is learned here, is not one of them.
 * @throws errors of the venue; it may be called again.
 */
export async function resolveOrders(
  session: Pick<MarketSession, 'commands' | 'orders' | 'readAccount' | 'guard'> &
    Partial<Pick<MarketSession, 'triggers' | 'isGone'>>,
  { workingOrders }: Pick<Engine, 'workingOrders'>,
  lost: readonly SentOrderState[],
): Promise<void> {
  const { orders, commands } = session;
  const isThere = ({ request }: Pick<SentOrderState, 'request'>): boolean =>
    session.isGone?.(request.instrumentId) !== true;
  const canceling = workingOrders.filter((order) => order.status === 'canceling' && isThere(order));
  const sought = lost
    .filter(({ venueOrderId, isEnded }) => venueOrderId === undefined && !isEnded)
    .map((order) => ({ order, search: commands.seek(order) }));
  // Of what is gone nothing can be found out until it is there again.
  const searches = sought.filter(({ order }) => isThere(order)).map(({ search }) => search);
  session.triggers?.restore();
  await session.readAccount();
  session.guard();
  await session.triggers?.compare();
  await Promise.all(searches);
  // Asking again for the end of an order is safe.
  await Promise.all(
    canceling
      .filter(({ request }) => orders.find(request.clientOrderId) !== undefined)
      .map(({ request: { clientOrderId, instrumentId } }) =>
        commands.give({ kind: 'cancel', clientOrderId, instrumentId }),
      ),
  );
}
