import type { ClientOrderId, OrderRequest } from '../../domain/index.js';
import type { VenueOrder } from '../../venue/index.js';
import type { EngineOptions } from '../engine-options.js';
import { createEngineParts, takeCheckpoint, type EngineParts } from '../engine-parts.js';
import { NO_JOURNAL } from '../journal.js';
import { wantedBy } from '../orders/unwanted-orders.js';
import type { EngineCheckpoint } from '../state/engine-checkpoint.js';

const CLAIMED = 'claimed';

/** Adds orders at the venue to the state of an engine, with the quantities that may still fill. */
export function claimOrders(
  options: EngineOptions,
  owned: EngineCheckpoint,
  orders: readonly VenueOrder[],
): EngineCheckpoint {
  const parts = createEngineParts({ ...options, checkpoint: owned, journal: NO_JOURNAL });
  for (const order of orders) claimOrder(parts, order);
  return takeCheckpoint(parts);
}

function claimOrder(
  { options, orderManager, intents, clock }: EngineParts,
  state: VenueOrder,
): void {
  const { venueOrderId, filledQuantity, filledNotional, createdTime } = state;
  const request = requestOf(state, options.botId, intents.nextId());
  const order = orderManager.ownOrders.followUnwanted(request, wantedBy(request, CLAIMED));
  order.venueOrderId = venueOrderId;
  order.filledQuantity = filledQuantity;
  order.filledNotional = filledNotional ?? 0n;
  order.moveTo(filledQuantity > 0n ? 'partially-filled' : 'open', createdTime ?? clock.now);
  orderManager.ownOrders.reserve(
    orderManager.ownOrders.account.positionSide(state.instrumentId, order.direction),
    order,
  );
}

function requestOf(state: VenueOrder, botId: string, intentId: number): OrderRequest {
  const { instrumentId, venueOrderId, side, quantity, limitPrice, marginMode } = state;
  const isContract = instrumentId.startsWith('futures:');
  const common = {
    clientOrderId: (state.clientOrderId ?? `${botId}-x${venueOrderId}`) as ClientOrderId,
    intentId,
    instrumentId,
    side,
    // Spot orders have no action at the venue: buys open and sells close.
    action: state.action ?? (side === 'buy' ? 'open' : 'close'),
    quantity,
    unit: isContract ? 'contracts' : 'base',
    ...(marginMode !== undefined && { marginMode }),
  } as const;
  if (limitPrice === undefined) return { ...common, type: 'market' };
  return { ...common, type: 'limit', limitPrice, timeInForce: state.timeInForce ?? 'GTC' };
}
