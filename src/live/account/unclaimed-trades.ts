import { compareIds, type EpochMs, type InstrumentId } from '../../domain/index.js';
import type { FillBook } from '../../feed/index.js';
import type { VenueTrade } from '../../venue/index.js';
import { canBeTradeOf } from '../recovery/order-likeness.js';
import type { SeenBefore, SentOrders } from '../session/sent-orders.js';

interface UnclaimedTradesOptions {
  readonly book: Pick<FillBook, 'external'>;
  readonly orders: Pick<SentOrders, 'list'>;
  /** Number of polls in a row that may find one before fills no longer wait for it. */
  readonly patience: number;
  /** The bot's time. */
  readonly now: () => EpochMs;
}

/** Longest wait from when it was first found, in ms: polls of many contracts are far apart. */
const LONGEST_WAIT_MS = 30_000;

/** What is known of such an execution of an instrument. */
interface Wait {
  /** When it was first found. */
  readonly since: EpochMs;
  /** Number of polls in a row that found one. */
  polls: number;
}

/**
 * Executions of unknown orders that an own order without an id may have made: its submit has no known outcome yet.
 *
 * The ledger books in the order of reports. So fills after such an execution wait until it is known whose it is, or until patience ends: a position
 * must not stay unknown, and unguarded, for long. A failed poll ends it at once, because nobody knows when the next one succeeds.
 */
export class UnclaimedTrades {
  readonly #options: UnclaimedTradesOptions;
  readonly #waits = new Map<InstrumentId, Wait>();

  constructor(options: UnclaimedTradesOptions) {
    this.#options = options;
  }

  /** To be called once for each poll, after executions were read. */
  polled(instrumentId: InstrumentId): void {
    if (this.#oldest(instrumentId) === undefined) this.#waits.delete(instrumentId);
    else this.#waitOf(instrumentId).polls += 1;
  }

  /** To be called for each poll that has failed. Returns whether such an execution is there. */
  pollFailed(instrumentId: InstrumentId): boolean {
    if (this.#oldest(instrumentId) === undefined) return false;
    this.#waitOf(instrumentId).polls = this.#options.patience;
    return true;
  }

  /** Id of the oldest such execution: only fills before it may be reported. Undefined if nothing waits. */
  reportedUntil(instrumentId: InstrumentId): string | undefined {
    const oldest = this.#oldest(instrumentId);
    if (oldest === undefined) return undefined;
    const { since, polls } = this.#waitOf(instrumentId);
    const { now, patience } = this.#options;
    return polls >= patience || now() - since >= LONGEST_WAIT_MS ? undefined : oldest;
  }

  #waitOf(instrumentId: InstrumentId): Wait {
    const wait = this.#waits.get(instrumentId) ?? { since: this.#options.now(), polls: 0 };
    this.#waits.set(instrumentId, wait);
    return wait;
  }

  #oldest(instrumentId: InstrumentId): string | undefined {
    const { book, orders } = this.#options;
    const sought = orders
      .list(instrumentId)
      .filter(({ venueOrderId }) => venueOrderId === undefined);
    if (sought.length === 0) return undefined;
    return book.external
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
