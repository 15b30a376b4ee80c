import type { Engine } from '../../engine/index.js';
import type { MarketSession } from '../session/market-session.js';
import type { SentOrderState } from '../session/sent-orders.js';

/**
 * Makes the orders of a replayed engine known to its session. Returns the orders without a venue id: they must be searched for. The others are read.
 *
 * Call it before any poll, so that no execution is taken for external.
 */
export function restoreSessionOrders(
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
 * Finds out the outcomes of the orders of a replayed engine: new fills, whether a submit without an answer arrived, and whether a cancel did. Stops
 * of confirmed positions are sampled as soon as executions are read, even if other things are unknown. Resolves when nothing about an order is
 * unknown, except of ambiguous orders: they have been reported, and their search goes on.
 *
 * `lost`: the result of {@link restoreSessionOrders}. It does not include orders that are sent meanwhile.
 * @throws errors of the venue; may be called again.
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
  // Nothing can be found out about a gone instrument until it is there again.
  const searches = sought.filter(({ order }) => isThere(order)).map(({ search }) => search);
  session.triggers?.restore();
  await session.readAccount();
  session.guard();
  await session.triggers?.compare();
  await Promise.all(searches);
  // Repeating a cancel is safe.
  await Promise.all(
    canceling
      .filter(({ request }) => orders.find(request.clientOrderId) !== undefined)
      .map(({ request: { clientOrderId, instrumentId } }) =>
        commands.give({ kind: 'cancel', clientOrderId, instrumentId }),
      ),
  );
}
