import { compareIds, type InstrumentId } from '../domain/index.js';
import type { FillBook } from '../feed/index.js';
import type { VenueTrade } from '../venue/index.js';
import { canBeTradeOf } from './recovery/order-likeness.js';
import type { SeenBefore, SentOrders } from './sent-orders.js';

export interface UnclaimedTradesOptions {
  readonly book: Pick<FillBook, 'foreign'>;
  readonly orders: Pick<SentOrders, 'list'>;
  /** Number of polls in a row that may find one before fills no longer wait for it. */
  readonly patience: number;
}

/**
 * Executions of unknown orders that an own order without an id may have made: its submit has no known outcome yet.
 *
 * The ledger books in the order of reports. So fills after such an execution wait until it is known whose it is, or until patience ends: a position
 * must not stay unknown, and unguarded, for long.
 */
export class UnclaimedTrades {
  readonly #options: UnclaimedTradesOptions;
  /** Number of polls in a row that found one. */
  readonly #polls = new Map<InstrumentId, number>();

  constructor(options: UnclaimedTradesOptions) {
    this.#options = options;
  }

  /** To be called once for each poll, after executions were read. */
  polled(instrumentId: InstrumentId): void {
    const isThere = this.#oldest(instrumentId) !== undefined;
    this.#polls.set(instrumentId, isThere ? this.#pollsOf(instrumentId) + 1 : 0);
  }

  /** Id of the oldest such execution: only fills before it may be reported. Undefined if nothing waits. */
  reportedUntil(instrumentId: InstrumentId): string | undefined {
    if (this.#pollsOf(instrumentId) >= this.#options.patience) return undefined;
    return this.#oldest(instrumentId);
  }

  #pollsOf(instrumentId: InstrumentId): number {
    return this.#polls.get(instrumentId) ?? 0;
  }

  #oldest(instrumentId: InstrumentId): string | undefined {
    const { book, orders } = this.#options;
    const sought = orders
      .list(instrumentId)
      .filter(({ venueOrderId }) => venueOrderId === undefined);
    if (sought.length === 0) return undefined;
    return book.foreign
      .filter((trade) =>
        sought.some((order) => isAfter(trade, order.before) && canBeTradeOf(trade, order)),
      )
      .map(({ venueTradeId }) => venueTradeId)
      .toSorted(compareIds)[0];
  }
}

/** Whether an execution is newer than all that were known when an order was sent. */
function isAfter({ venueTradeId }: VenueTrade, { tradeId }: SeenBefore): boolean {
  return tradeId === undefined || compareIds(venueTradeId, tradeId) > 0;
}
