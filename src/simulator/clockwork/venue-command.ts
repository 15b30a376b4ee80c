import type { ClientOrderId, InstrumentId, OrderRequest } from '../../domain/index.js';

/** What a venue is asked to do. */
export type VenueCommand =
  | { readonly kind: 'submit'; readonly order: OrderRequest }
  | {
      readonly kind: 'cancel';
      readonly clientOrderId: ClientOrderId;
      readonly instrumentId: InstrumentId;
    };
