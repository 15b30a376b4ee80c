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
import type { SeenBefore } from '../session/sent-orders.js';
import { pauseFor } from '../session/session-time.js';
import {
  canBeTradeOf,
  isTradedSince,
  likenessOf,
  type Likeness,
  type SoughtOrder,
} from './order-likeness.js';
import type { ExternalOrders } from './read-external-orders.js';
import { SearchReadings } from './search-readings.js';

/** How long an event at the venue may be missing from all of its lists (DESIGN §7). */
export const VISIBILITY_MS = 10_000;
/** Pause between two looks, doubled up to a limit. Most orders with a lost answer are there at the first look. */
const LOOK_MS = 2_000;
const MAX_LOOK_MS = 5_000;
/** Longest pause after a failed look. It is short because the position of a lost exit is unguarded until its outcome is known. */
const MAX_RETRY_MS = 5_000;

/** Result of a search after one reading. */
export type SearchVerdict =
  /**
   * The venue has it. If found by `fields`, the order may belong to another sender of the same order at the same time. The second order then shows up
   * as `order-unknown-foreign`.
   */
  | {
      readonly kind: 'found';
      readonly order: VenueOrder;
      readonly by: 'client-order-id' | 'fields';
    }
  /**
   * The venue never made it; or, on spot and margin, where ended orders cannot be listed, it ended without a trade. In both cases it holds nothing
   * and never will.
   */
  | { readonly kind: 'absent' }
  /** Its instrument has been gone for so long that the outcome will never be known. */
  | { readonly kind: 'lost' }
  /** Several orders could be it, or one order could be it but has contradicting fields. Entries halt; a later look may decide. */
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
      /** Set if the reading failed. */
      readonly error?: TradingError;
    };

export type Undecided = Extract<SearchVerdict, { readonly kind: 'undecided' }>;

interface SettleListeners {
  readonly isLost?: () => boolean;
  readonly onUndecided?: (verdict: Undecided) => void;
}

export interface OutcomeSearchOptions {
  readonly request: OrderRequest;
  /** Venue's time of the request: its timestamp, or when the request was given to the client. */
  readonly sentAt: EpochMs;
  /** Venue's time after which the request was certainly not sent: its failure, or the start after a crash. @defaultValue `sentAt` */
  readonly sentUntil?: EpochMs;
  /** How long after its timestamp the venue accepts a request, in ms. */
  readonly recvWindowMs: number;
  /** Possible error of our estimate of the venue's time, in ms. */
  readonly clockBoundMs: number;
  /** Possible difference between the clock with which the venue dates orders and the time that it tells, in ms. */
  readonly orderClockBoundMs: number;
  /** @defaultValue by our id if answers carry it (spot, margin), otherwise `fields` */
  readonly matchBy?: SoughtOrder['matchBy'];
  readonly before: SeenBefore;
  readonly source: AccountSource;
  /** Readings shared with other searches. @defaultValue own readings */
  readonly readings?: SearchReadings | undefined;
  /** The venue's time. It may jump when it is corrected. */
  readonly time: FeedTime;
  /** The machine's time, which measures waits. Nobody sets it. */
  readonly machine: Clock;
  /** Ends the current look and all later ones. */
  readonly signal: AbortSignal;
  /** Whether an order of the instrument is in the journal. */
  readonly isKnown: (id: VenueOrderId) => boolean;
}

/**
 * Searches for an order whose submit has no known outcome (DESIGN §7). It only reads and never sends.
 *
 * For contracts, no order that could be mistaken for it is sent during the search: answers do not carry our ids.
 */
export class OutcomeSearch {
  readonly #options: OutcomeSearchOptions;
  readonly #sought: SoughtOrder;
  readonly #readings: SearchReadings;
  /**
   * Time from which a reading without the order counts as evidence: by the venue's clock (first) and by the machine's (second). The later one
   * applies.
   */
  readonly #visibleBy: EpochMs;
  readonly #dueAt: EpochMs;
  #looks = 0;
  /** Start of the latest reading, by the machine's clock. */
  #startedAt: EpochMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  /** The common finding of the latest complete readings that had to show the order, and the start of the first of them by the machine's clock. */
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
   * Makes one reading. Concurrent calls share it. May be called after any verdict.
   *
   * @throws the signal's reason when aborted, and {@link InvariantError}. Every failure of the venue is `undecided`: the search for an order that may
   * exist never ends by a failure.
   */
  async look(): Promise<SearchVerdict> {
    this.#looking ??= this.#read().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /**
   * Looks until the outcome is known. After a failed reading, `isLost` says whether the instrument counts as lost. `onUndecided` takes each look that decides
   * nothing. @throws as {@link look}
   */
  async settle({
    isLost = () => false,
    onUndecided = () => undefined,
  }: SettleListeners = {}): Promise<Exclude<SearchVerdict, Undecided>> {
    for (;;) {
      const verdict = await this.look();
      if (verdict.kind !== 'undecided') return verdict;
      if (verdict.error !== undefined && isLost()) return { kind: 'lost' };
      onUndecided(verdict);
      await pauseFor(this.#options.time, verdict.waitMs, this.#options.signal);
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
    // An unclear order may become clear when the venue shows more of it. Two equal orders never do.
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
   * Whether a finding was the same in two complete readings: the first began when the order had to be visible, and the second so much later that
   * events missing in the first (such as the trade of an order that had just left the list) must show.
   */
  #persists(finding: 'nothing' | 'unclear', startedAt: EpochMs): boolean {
    if (this.#since?.finding !== finding) this.#since = { finding, at: startedAt };
    return startedAt >= this.#since.at + VISIBILITY_MS;
  }

  /** Time until a reading without the order counts as evidence, by the clock that says longer, in ms. */
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
    // Looks no later than the time from which a reading counts. If calls are scarce, no reading should still be under way at that time.
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
}
