import type { InstrumentId, VenueOrderId } from '../../domain/index.js';
import type { VenueOrder } from '../../venue/index.js';

/** Own orders that the venue lists after their end was reported. An order may end while a list is on its way, so only the second list counts. */
export class UnendedOrders {
  readonly #onUnended: (instrumentId: InstrumentId, orders: readonly VenueOrder[]) => void;
  /** Those of the latest list, by instrument. */
  readonly #before = new Map<InstrumentId, ReadonlySet<VenueOrderId>>();

  constructor(onUnended: (instrumentId: InstrumentId, orders: readonly VenueOrder[]) => void) {
    this.#onUnended = onUnended;
  }

  /** Takes those of a list, and reports which of them the list before showed too. */
  listed(instrumentId: InstrumentId, orders: readonly VenueOrder[]): void {
    const before = this.#before.get(instrumentId);
    if (before === undefined && orders.length === 0) return;
    if (orders.length === 0) this.#before.delete(instrumentId);
    else this.#before.set(instrumentId, new Set(orders.map(({ venueOrderId }) => venueOrderId)));
    this.#onUnended(
      instrumentId,
      orders.filter(({ venueOrderId }) => before?.has(venueOrderId)),
    );
  }
}
