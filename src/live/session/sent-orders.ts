import {
  present,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type OrderRequest,
  type VenueOrderId,
} from '../../domain/index.js';

/** Trades and orders of an instrument that were known when an order was sent. None of them can be that order, whatever their times say. */
export interface SeenBefore {
  /** Newest own trade. Trade ids rise. */
  readonly tradeId: string | undefined;
  /** Working orders that are not the bot's. */
  readonly orders: ReadonlySet<VenueOrderId>;
}

export const NOTHING_SEEN: SeenBefore = { tradeId: undefined, orders: new Set() };

/** State of an order of the bot at the venue. */
export interface SentOrderState {
  readonly request: OrderRequest;
  /** Time at which it was given to the client, in the venue's time. */
  readonly sentAt: EpochMs;
  readonly before: SeenBefore;
  venueOrderId: VenueOrderId | undefined;
  /** Quantity of fills that were reported to the engine. */
  filled: Fixed;
  /** Whether the venue has accepted a cancel of ours. */
  isCancelRequested: boolean;
  /** Whether its end was reported to the engine. */
  isEnded: boolean;
  /** Number of readings after its end in which executions did not explain its filled quantity. */
  unexplained: number;
  /** Set while its submit has no known outcome; settles when it is known. */
  resolving: Promise<void> | undefined;
  /** Called when the search for it finds several orders that could be it. */
  readonly onUnclear: () => void;
  /** Settles with that call. */
  readonly unclear: Promise<void>;
}

/** The bot's orders that were sent and have not ended, by our id. */
export class SentOrders {
  readonly #orders = new Map<ClientOrderId, SentOrderState>();

  begin(
    request: OrderRequest,
    { sentAt, before }: Pick<SentOrderState, 'sentAt' | 'before'>,
  ): SentOrderState {
    let onUnclear = (): void => undefined;
    const unclear = new Promise<void>((resolve) => {
      onUnclear = resolve;
    });
    const order = {
      request,
      sentAt,
      before,
      venueOrderId: undefined,
      filled: 0n,
      isCancelRequested: false,
      isEnded: false,
      unexplained: 0,
      resolving: undefined,
      onUnclear,
      unclear,
    };
    this.#orders.set(request.clientOrderId, order);
    return order;
  }

  /** Adds an order that the venue made from a trigger of ours. */
  adopt(request: OrderRequest, sentAt: EpochMs, venueOrderId: VenueOrderId): SentOrderState {
    const order = this.begin(request, { sentAt, before: NOTHING_SEEN });
    order.venueOrderId = venueOrderId;
    return order;
  }

  find(clientOrderId: ClientOrderId): SentOrderState | undefined {
    return this.#orders.get(clientOrderId);
  }

  get(clientOrderId: ClientOrderId): SentOrderState {
    return present(this.#orders.get(clientOrderId), `order ${clientOrderId}`);
  }

  /** Orders that the venue knows and that have not ended, oldest first. */
  accepted(instrumentId?: InstrumentId): readonly SentOrderState[] {
    return this.list(instrumentId).filter(({ venueOrderId }) => venueOrderId !== undefined);
  }

  /** Orders that have not ended, oldest first. */
  list(instrumentId?: InstrumentId): readonly SentOrderState[] {
    return [...this.#orders.values()].filter(
      ({ request }) => instrumentId === undefined || request.instrumentId === instrumentId,
    );
  }

  /** Ends an order: its end was reported to the engine, and it is no longer read. */
  end(order: SentOrderState): void {
    order.isEnded = true;
    this.#orders.delete(order.request.clientOrderId);
  }
}
