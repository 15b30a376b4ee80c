import {
  present,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type OrderRequest,
  type VenueOrderId,
} from '../domain/index.js';

/** What the venue had shown of an instrument when an order was sent: none of it is that order, whatever its times say. */
export interface SeenBefore {
  /** Newest own trade; trade ids rise. */
  readonly tradeId: string | undefined;
  /** Working orders that are not the bot's. */
  readonly orders: ReadonlySet<VenueOrderId>;
}

export const NOTHING_SEEN: SeenBefore = { tradeId: undefined, orders: new Set() };

/** An order of the bot as the venue's side of it is known. */
export interface SentOrderState {
  readonly request: OrderRequest;
  /** When it was handed to the venue, in the venue's time. */
  readonly sentAt: EpochMs;
  readonly before: SeenBefore;
  venueOrderId: VenueOrderId | undefined;
  /** Of fills that the engine was told of. */
  filled: Fixed;
  /** Whether the venue has taken a request of ours to cancel it. */
  isCancelRequested: boolean;
  /** Whether the engine was told of its end. */
  isEnded: boolean;
  /** Readings of its end that its executions did not explain. */
  unexplained: number;
  /** Set while its submit has no known outcome; settles when it is known. */
  resolving: Promise<void> | undefined;
}

/** The bot's orders that were sent and have not ended, by our id. */
export class SentOrders {
  readonly #orders = new Map<ClientOrderId, SentOrderState>();

  begin(
    request: OrderRequest,
    { sentAt, before }: Pick<SentOrderState, 'sentAt' | 'before'>,
  ): SentOrderState {
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
    };
    this.#orders.set(request.clientOrderId, order);
    return order;
  }

  /** An order that the venue has made of a trigger of ours. */
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

  /** The engine has been told of its end: it is not asked for any more. */
  end(order: SentOrderState): void {
    order.isEnded = true;
    this.#orders.delete(order.request.clientOrderId);
  }
}
