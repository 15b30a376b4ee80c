import type { ClientOrderId, InstrumentId, OrderRequest } from '../../domain/index.js';

import type { ConditionalRequest } from '../orders/conditional-orders.js';

export type VenueCommand =
  | {
      readonly kind: 'submit';
      readonly order: OrderRequest;
      /** The condition at the venue that sends the order. @defaultValue the order is sent at once */
      readonly condition?: Omit<ConditionalRequest, 'order'> | undefined;
    }
  | {
      readonly kind: 'cancel';
      readonly clientOrderId: ClientOrderId;
      readonly instrumentId: InstrumentId;
      /** Whether it cancels a condition, and not the order that the condition sent. @defaultValue false */
      readonly isCondition?: boolean | undefined;
    };
