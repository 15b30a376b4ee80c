import type { ClientOrderId, InstrumentId, OrderRequest } from '../../domain/index.js';

import type { ConditionalRequest } from '../conditional-orders.js';

/** What a venue is asked to do. */
export type VenueCommand =
  | {
      readonly kind: 'submit';
      readonly order: OrderRequest;
      /** What the order waits for at the venue. @defaultValue it does not wait */
      readonly condition?: Omit<ConditionalRequest, 'order'> | undefined;
    }
  | {
      readonly kind: 'cancel';
      readonly clientOrderId: ClientOrderId;
      readonly instrumentId: InstrumentId;
      /** Whether it takes away a condition, and not the order that one has sent. @defaultValue false */
      readonly isCondition?: boolean | undefined;
    };
