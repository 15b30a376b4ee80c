import type { AccountUpdate } from './account-update.js';
import type { OrderUpdate } from './order-update.js';

/** An update of our orders or of our account. Only an update of an order names an order of ours. */
export type VenueUpdate = OrderUpdate | AccountUpdate;

/** Whether an update is of an order of ours. */
export function isOrderUpdate(update: VenueUpdate): update is OrderUpdate {
  return 'clientOrderId' in update;
}
