import type {
  ClientOrderId,
  EpochMs,
  FillRecord,
  OrderReason,
  VenueOrderId,
} from '../domain/index.js';

/**
 * What a venue did with one order of ours. Execution adapters report each change once, in the order in which it happened at the venue.
 *
 * `eventTime` is the time at the venue. The engine learns of the change at the time of the event that carries the update.
 */
export type OrderUpdate =
  | {
      /** The order rests, or has rested before it was filled. */
      readonly kind: 'accepted';
      readonly clientOrderId: ClientOrderId;
      readonly venueOrderId: VenueOrderId;
      readonly eventTime: EpochMs;
    }
  | {
      readonly kind: 'fill';
      readonly clientOrderId: ClientOrderId;
      readonly fill: FillRecord;
      /** Whether this was the order's last fill. An order that ends otherwise reports `ended`. */
      readonly isFilled: boolean;
      /** The venue's id, if it gave one: an order that is filled at once is never reported as accepted. */
      readonly venueOrderId?: VenueOrderId;
      readonly eventTime: EpochMs;
    }
  | {
      readonly kind: 'ended';
      readonly clientOrderId: ClientOrderId;
      readonly status: 'canceled' | 'rejected' | 'expired';
      readonly reason: OrderReason;
      /** The venue's id, if it gave one. */
      readonly venueOrderId?: VenueOrderId;
      readonly eventTime: EpochMs;
    }
  | {
      readonly kind: 'cancel-rejected';
      readonly clientOrderId: ClientOrderId;
      readonly reason: OrderReason;
      readonly eventTime: EpochMs;
    }
  | {
      /** A submit or a cancel got no answer. Its outcome is unknown until the venue reports it, so the order may still fill. */
      readonly kind: 'outcome-unknown';
      readonly clientOrderId: ClientOrderId;
      readonly reason: OrderReason;
      readonly eventTime: EpochMs;
    };
