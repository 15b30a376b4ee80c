import {
  InvariantError,
  RateLimitError,
  splitInstrumentId,
  TradingError,
  type Clock,
  type EpochMs,
  type OrderRequest,
  type VenueOrderId,
} from '../../domain/index.js';
import type { FeedTime } from '../../feed/index.js';
import type { AccountSource, VenueOrder } from '../../venue/index.js';
import type { SeenBefore } from '../sent-orders.js';
import {
  canBeTradeOf,
  isTradedSince,
  likenessOf,
  type Likeness,
  type SoughtOrder,
} from './order-likeness.js';
import type { ExternalOrders } from './read-external-orders.js';
import { SearchReadings } from './search-readings.js';

/** How long what happened at the venue may be missing from every list (DESIGN §7). */
export const VISIBILITY_MS = 10_000;
/** From one look to the next, doubled up to a bound: most lost answers are of orders that are there at the first look. */
const LOOK_MS = 2_000;
const MAX_LOOK_MS = 5_000;
/** A venue that comes back is asked soon: what a lost exit was to leave is watched by nobody until that is known. */
const MAX_RETRY_MS = 5_000;

/** What is known of an order's outcome after a reading. */
export type SearchVerdict =
  /**
   * The venue has it. By `fields` alone the order may be that of somebody else who ordered the same at the same time; a second one then shows
   * up as `order-unknown-foreign`.
   */
  | {
      readonly kind: 'found';
      readonly order: VenueOrder;
      readonly by: 'client-order-id' | 'fields';
    }
  /**
   * The venue never made it; or, on spot and margin, where ended orders cannot be listed, it ended without a trade: in both cases it
   * holds nothing, did nothing and never will.
   */
  | { readonly kind: 'absent' }
  /** The venue has its instrument no more, for so long that nobody will ever say. */
  | { readonly kind: 'lost' }
  /** Several orders could be it, or one could be it and says something else. Entries halt; a later look may tell them apart. */
  | {
      readonly kind: 'ambiguous';
      readonly candidates: readonly VenueOrderId[];
      readonly text: string;
    }
  | {
      readonly kind: 'undecided';
      /** How long to wait before the next look. */
      readonly waitMs: number;
      readonly why: string;
      /** The reading failed. */
      readonly error?: TradingError;
    };

export interface OutcomeSearchOptions {
  readonly request: OrderRequest;
  /** Venue's time of the request: its timestamp, or when it was handed over. */
  readonly sentAt: EpochMs;
  /** Venue's time after which it was certainly not sent: its failure, or the start after a crash. @defaultValue `sentAt` */
  readonly sentUntil?: EpochMs;
  /** How long the venue takes a request after its timestamp. */
  readonly recvWindowMs: number;
  /** How far our idea of the venue's time may be off. */
  readonly clockBoundMs: number;
  /** How far the clock that the venue dates its orders by may be from the time that it tells. */
  readonly orderClockBoundMs: number;
  /** @defaultValue by our id where answers carry it (spot, margin); `fields` for what was sent without one */
  readonly matchBy?: SoughtOrder['matchBy'];
  readonly before: SeenBefore;
  readonly source: AccountSource;
  /** What it shares with other searches. @defaultValue readings of its own */
  readonly readings?: SearchReadings | undefined;
  /** The venue's time, which jumps when it is found to be another. */
  readonly time: FeedTime;
  /** The machine's: how long was waited. */
  readonly machine: Clock;
  /** Ends a look that is on its way, and every later one. */
  readonly signal: AbortSignal;
  /** Whether an order of the instrument is in the journal, whoever's it is. */
  readonly isKnown: (id: VenueOrderId) => boolean;
}

/**
 * Looks for an order whose submit has no known outcome (DESIGN §7). It reads and never sends.
 *
 * Of a contract no submit that could be taken for it goes beside it: answers have none of our ids.
 */
export class OutcomeSearch {
  readonly #options: OutcomeSearchOptions;
  readonly #sought: SoughtOrder;
  readonly #readings: SearchReadings;
  /** From when on a reading that does not show the order speaks against it, by the venue's clock and by the machine's: later is right. */
  readonly #visibleBy: EpochMs;
  readonly #dueAt: EpochMs;
  #looks = 0;
  /** Of the latest reading, by the machine's clock. */
  #startedAt: EpochMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  /** Of complete readings in a row that had to show the order: what they had in common, and when, by the machine's clock, the first of them began. */
  #since: { readonly finding: 'nothing' | 'unclear'; readonly at: EpochMs } | undefined;
  #looking: Promise<SearchVerdict> | undefined;

  constructor(options: OutcomeSearchOptions) {
    const { request, sentAt, sentUntil = sentAt, before, source, time, machine } = options;
    const { recvWindowMs, clockBoundMs, orderClockBoundMs } = options;
    const isSilent =
      splitInstrumentId(request.instrumentId).kind === 'futures' &&
      !source.capabilities.futuresClientOrderIds;
    this.#options = options;
    this.#readings = options.readings ?? new SearchReadings(source, options.signal);
    this.#visibleBy = Math.max(sentAt, sentUntil) + recvWindowMs + clockBoundMs + VISIBILITY_MS;
    this.#dueAt = machine.now() + this.#visibleBy - time.now();
    this.#sought = {
      request,
      matchBy: options.matchBy ?? (isSilent ? 'fields' : 'client-order-id'),
      before,
      notBefore: sentAt - clockBoundMs - orderClockBoundMs,
      notAfter: this.#visibleBy + orderClockBoundMs,
    };
  }

  /**
   * Does one reading. Calls at once share it; calls after any verdict are welcome.
   *
   * @throws the signal's reason when aborted, and {@link InvariantError}. Every failure of the venue is `undecided`: an order that may exist
   * is never given up.
   */
  async look(): Promise<SearchVerdict> {
    this.#looking ??= this.#read().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Looks until the outcome is known; `isLost` says, when a reading has failed, whether all will. @throws as {@link look} */
  async settle(
    isLost: () => boolean = () => false,
  ): Promise<Exclude<SearchVerdict, { readonly kind: 'undecided' }>> {
    for (;;) {
      const verdict = await this.look();
      if (verdict.kind !== 'undecided') return verdict;
      if (verdict.error !== undefined && isLost()) return { kind: 'lost' };
      await this.#wait(verdict.waitMs);
    }
  }

  async #read(): Promise<SearchVerdict> {
    const { request, sentAt, before, signal, machine, isKnown } = this.#options;
    signal.throwIfAborted();
    const startedAt = machine.now();
    this.#startedAt = startedAt;
    const mustShow = this.#remainingMs() <= 0;
    try {
      const verdict = await this.#readings.read(
        {
          instrumentId: request.instrumentId,
          fromTrade: before.tradeId,
          isKnown: (id) => isKnown(id) || before.orders.has(id),
          isSince: (trade) => isTradedSince(trade, this.#sought),
          isOfInterest: (trade) => canBeTradeOf(trade, this.#sought),
        },
        { sentAt, search: this },
        (externalOrders) => {
          this.#failures = 0;
          return this.#judge(externalOrders, startedAt, mustShow);
        },
      );
      signal.throwIfAborted();
      return verdict;
    } catch (error: unknown) {
      signal.throwIfAborted();
      return this.#survive(error);
    }
  }

  #judge(externalOrders: ExternalOrders, startedAt: EpochMs, mustShow: boolean): SearchVerdict {
    this.#looks += 1;
    const exact = this.#alike(externalOrders, 'exact');
    const certain = exact.length > 0 ? exact : this.#alike(externalOrders, 'equal');
    const unclear = [
      ...this.#alike(externalOrders, 'doubtful').map(({ venueOrderId }) => venueOrderId),
      ...new Set(externalOrders.orphans.map(({ venueOrderId }) => venueOrderId)),
    ];
    const [order, ...others] = certain;
    if (order !== undefined && others.length === 0 && (exact.length > 0 || unclear.length === 0)) {
      this.#since = undefined;
      this.#readings.claim(order, this);
      return { kind: 'found', order, by: exact.length > 0 ? 'client-order-id' : 'fields' };
    }
    const candidates = [...certain.map(({ venueOrderId }) => venueOrderId), ...unclear];
    // What is unclear may explain itself when the venue shows more of it; two that are the same never do.
    if (others.length > 0) return this.#ambiguous(candidates);
    const isNothing = candidates.length === 0;
    const finding = isNothing ? 'nothing' : 'unclear';
    const isProved = externalOrders.isComplete && mustShow && this.#persists(finding, startedAt);
    if (isProved) return isNothing ? { kind: 'absent' } : this.#ambiguous(candidates);
    const why = isNothing
      ? 'the venue does not show it'
      : `order ${candidates.join(', ')} is not explained yet`;
    return this.#undecided(why);
  }

  /**
   * Whether a finding has stood from one complete reading, begun when the order had to be visible, to another so much later that what
   * the first could not see yet, such as the trade of an order that had just left the list, must show.
   */
  #persists(finding: 'nothing' | 'unclear', startedAt: EpochMs): boolean {
    if (this.#since?.finding !== finding) this.#since = { finding, at: startedAt };
    return startedAt >= this.#since.at + VISIBILITY_MS;
  }

  /** How long it takes until a reading that does not show the order speaks against it, by the clock that says longer. */
  #remainingMs(): number {
    const { time, machine } = this.#options;
    return Math.max(this.#visibleBy - time.now(), this.#dueAt - machine.now());
  }

  #alike({ orders, traded }: ExternalOrders, likeness: Likeness): readonly VenueOrder[] {
    return orders.filter((order) => {
      const hasTraded = traded.has(order.venueOrderId);
      return likenessOf(order, this.#sought, { hasTraded }) === likeness;
    });
  }

  #ambiguous(candidates: readonly VenueOrderId[]): SearchVerdict {
    const { clientOrderId, instrumentId } = this.#options.request;
    const [one, ...more] = candidates;
    const text =
      more.length === 0
        ? `order ${String(one)} of ${instrumentId} could be ${clientOrderId} and says something else`
        : `orders ${candidates.join(', ')} of ${instrumentId} could each be ${clientOrderId}`;
    return { kind: 'ambiguous', candidates, text };
  }

  #undecided(why: string): SearchVerdict {
    const { machine } = this.#options;
    const lookMs = Math.min(MAX_LOOK_MS, LOOK_MS * 2 ** (this.#looks - 1));
    const countsInMs =
      this.#since === undefined
        ? this.#remainingMs()
        : this.#since.at + VISIBILITY_MS - machine.now();
    // Not past an instant from which a reading counts; and where calls are scarce, none that would still be under way then.
    const tookMs = machine.now() - this.#startedAt;
    const waitsForIt = countsInMs > 0 && countsInMs < lookMs + tookMs;
    return { kind: 'undecided', waitMs: waitsForIt ? countsInMs : lookMs, why };
  }

  #survive(error: unknown): SearchVerdict {
    if (!(error instanceof TradingError) || error instanceof InvariantError) throw error;
    const backoff = Math.min(MAX_RETRY_MS, LOOK_MS * 2 ** this.#failures);
    const asked = error instanceof RateLimitError ? error.retryAfterMs : 0;
    this.#failures += 1;
    return {
      kind: 'undecided',
      waitMs: Math.max(backoff, asked),
      why: `the reading failed: ${error.message}`,
      error,
    };
  }

  #wait(delayMs: number): Promise<void> {
    const { time, signal } = this.#options;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        cancel();
        reject(signal.reason as Error);
      };
      const cancel = time.after(Math.max(0, delayMs), () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}
