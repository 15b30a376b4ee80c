import {
  compareIds,
  type ClientOrderId,
  type FillRecord,
  type InstrumentId,
} from '../../domain/index.js';

/** Fills that were read and are not yet reported, by order. */
export class WaitingFills {
  readonly #ofOrder = new Map<ClientOrderId, FillRecord[]>();

  add(fills: readonly FillRecord[]): void {
    for (const fill of fills) {
      const ofOrder = this.#ofOrder.get(fill.clientOrderId);
      if (ofOrder === undefined) this.#ofOrder.set(fill.clientOrderId, [fill]);
      else ofOrder.push(fill);
    }
  }

  orders(): readonly ClientOrderId[] {
    return [...this.#ofOrder.keys()];
  }

  of(clientOrderId: ClientOrderId): readonly FillRecord[] {
    return this.#ofOrder.get(clientOrderId) ?? [];
  }

  ofInstrument(instrumentId: InstrumentId): readonly FillRecord[] {
    return [...this.#ofOrder.values()].flat().filter((fill) => fill.instrumentId === instrumentId);
  }

  /** Takes the fills of an order out: all, or those before an execution. A fill without an id was booked from a sum and is before all of them. */
  take(clientOrderId: ClientOrderId, before?: string): readonly FillRecord[] {
    const fills = this.of(clientOrderId);
    const isLater = ({ venueTradeId }: FillRecord): boolean =>
      before !== undefined && venueTradeId !== undefined && compareIds(venueTradeId, before) >= 0;
    const later = fills.filter(isLater);
    if (later.length === 0) this.#ofOrder.delete(clientOrderId);
    else this.#ofOrder.set(clientOrderId, later);
    return fills.filter((fill) => !isLater(fill));
  }
}
