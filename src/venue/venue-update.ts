import type { AccountUpdate } from './account-update.js';
import type { OrderUpdate } from './order-update.js';

/** Everything a venue tells of us. Only an order's update names an order of ours. */
export type VenueUpdate = OrderUpdate | AccountUpdate;

/** Whether an update is of an order of ours. */
export function isOrderUpdate(update: VenueUpdate): update is OrderUpdate {
  return 'clientOrderId' in update;
}
