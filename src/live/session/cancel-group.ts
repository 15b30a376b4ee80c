import {
  fixedToNumber,
  TradingError,
  type ClientOrderId,
  type InstrumentId,
  type OrderReason,
} from '../../domain/index.js';
import type {
  CancelOutcome,
  ExecutionAdapter,
  OrderTarget,
  OrderUpdate,
} from '../../venue/index.js';
import type { SentOrders, SentOrderState } from './sent-orders.js';
import { pauseFor, timeOfPhase, type SessionTime } from './session-time.js';

interface CancelGroupOptions {
  readonly adapter: ExecutionAdapter;
  readonly orders: SentOrders;
  readonly time: SessionTime;
  readonly signal: AbortSignal;
  /** Aborted when the bot stops. Calls that still wait for their turn are then not sent. @defaultValue never */
  readonly leaving?: AbortSignal | undefined;
  /**
   * Whether cancels are sent and their orders read in the given order, as a simulated venue answers them. Otherwise the orders nearest to the market
   * go first.
   */
  readonly isSequential: boolean;
  /** Last price of an instrument; NaN if unknown. */
  readonly lastPrice: (instrumentId: InstrumentId) => number;
  /** Reads an order and reports what is new. A failed reading is ignored: the next poll reads again. */
  readonly read: (order: SentOrderState) => Promise<void>;
  readonly onUpdate: (update: OrderUpdate) => void;
  /** Ends an order that was not sent yet, and reports its end. Returns whether the order is one. @defaultValue all orders were sent */
  readonly dropUnsent?: ((clientOrderId: ClientOrderId) => boolean) | undefined;
}

/** Tries of a cancel whose request or answer was lost. Repeating a cancel is safe. */
const CANCEL_TRIES = 5;
const CANCEL_PAUSE_MS = 1_000;
const NEVER = new AbortController().signal;

interface Cancel {
  readonly clientOrderId: ClientOrderId;
  /** Its place in the order in which cancels were added. */
  readonly number: number;
  readonly settle: (isDone?: boolean) => void;
  /** Set when its turn comes. */
  order: SentOrderState | undefined;
  /** Whether a batch was answered without taking it. It is then sent alone, because only a single cancel gets a reason. */
  isAlone: boolean;
  tries: number;
  /** Outcome of the last try; undefined if it is unknown whether the cancel arrived. */
  outcome: CancelOutcome | undefined;
}

/**
 * Cancels of one instrument that wait together. All are sent before the first of their orders is read: on spot in batches, otherwise one by one,
 * those nearest to the market first. The end of each order is read separately, whatever the batch answered. The group does not wait for the search of an
 * order: other commands of the instrument come after it.
 */
export class CancelGroup {
  readonly instrumentId: InstrumentId;
  readonly #options: CancelGroupOptions;
  readonly #batchSize: number;
  /** Not yet sent, oldest first. */
  #waiting: Cancel[] = [];
  /** Sent; their orders are not read since. */
  readonly #asked: Cancel[] = [];
  /** To be sent again after a pause. */
  #again: Cancel[] = [];
  readonly #all = new Set<Cancel>();
  #given = 0;
  #isOpen = true;

  constructor(instrumentId: InstrumentId, options: CancelGroupOptions) {
    this.instrumentId = instrumentId;
    this.#options = options;
    const { maxBatchSize } = options.adapter.capabilities;
    this.#batchSize = instrumentId.startsWith('spot:') ? Math.max(1, maxBatchSize) : 1;
  }

  /** Whether cancels may still be added: until all have been carried out. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Cancels without an answer of the venue yet. */
  get unanswered(): number {
    let count = 0;
    for (const { outcome } of this.#all) if (outcome === undefined) count += 1;
    return count;
  }

  /** Adds a cancel. Resolves with true when it was carried out, or cannot be; with false if its order was still searched for when the group ended. */
  add(clientOrderId: ClientOrderId): Promise<boolean> {
    this.#given += 1;
    return new Promise((resolve) => {
      const cancel: Cancel = {
        clientOrderId,
        number: this.#given,
        settle: (isDone = true) => {
          this.#all.delete(cancel);
          resolve(isDone);
        },
        order: undefined,
        isAlone: false,
        tries: 0,
        outcome: undefined,
      };
      this.#all.add(cancel);
      this.#waiting.push(cancel);
    });
  }

  /** Carries out all cancels, also those added meanwhile, except those whose orders are searched for. */
  async run(): Promise<void> {
    try {
      while (await this.#step());
      for (const cancel of this.#waiting) cancel.settle(false);
    } finally {
      this.#isOpen = false;
      for (const cancel of this.#all) cancel.settle();
    }
  }

  /** Returns whether there was anything to do. */
  async #step(): Promise<boolean> {
    this.#meetOrders();
    const next = this.#takeNext();
    if (next.length > 0) {
      await this.#ask(next);
      return true;
    }
    const asked = this.#takeAsked();
    if (asked !== undefined) {
      await this.#judge(asked);
      return true;
    }
    if (this.#again.length === 0) return false;
    await this.#pause(CANCEL_PAUSE_MS);
    this.#waiting = [...this.#again, ...this.#waiting];
    this.#again = [];
    return true;
  }

  get #isLeaving(): boolean {
    return this.#options.leaving?.aborted === true;
  }

  /** Finds the orders of waiting cancels. An order that has ended meanwhile needs no cancel. */
  #meetOrders(): void {
    const { orders, dropUnsent } = this.#options;
    this.#waiting = this.#waiting.filter((cancel) => {
      const order = orders.find(cancel.clientOrderId);
      if (order === undefined) {
        const isDone = cancel.order !== undefined || dropUnsent?.(cancel.clientOrderId) === true;
        if (isDone) cancel.settle();
        else this.#notAsked(cancel);
      }
      cancel.order = order;
      return order !== undefined;
    });
  }

  /** The order has ended before its cancel was sent. The refusal is reported in its turn. */
  #notAsked(cancel: Cancel): void {
    cancel.outcome = {
      kind: 'refused',
      reason: { code: 'has-ended', text: 'the order has ended' },
    };
    this.#asked.push(cancel);
  }

  /** The cancel that is judged next. */
  #takeAsked(): Cancel | undefined {
    if (this.#options.isSequential) this.#asked.sort((a, b) => a.number - b.number);
    return this.#asked.shift();
  }

  /** The cancels to send next: a batch, or a single one. */
  #takeNext(): readonly Cancel[] {
    const ready = this.#waiting.filter(({ order }) => order?.resolving === undefined);
    const [first, ...others] = this.#inOrder(ready);
    if (first === undefined) return [];
    const isBatched = (cancel: Cancel): boolean =>
      !cancel.isAlone && cancel.order?.venueOrderId !== undefined;
    const batch = isBatched(first)
      ? [first, ...others.filter(isBatched).slice(0, this.#batchSize - 1)]
      : [first];
    const taken = new Set(batch);
    this.#waiting = this.#waiting.filter((cancel) => !taken.has(cancel));
    return batch;
  }

  #inOrder(ready: readonly Cancel[]): readonly Cancel[] {
    const { isSequential, lastPrice } = this.#options;
    const last = lastPrice(this.instrumentId);
    if (isSequential || ready.length < 2 || Number.isNaN(last)) return ready;
    return ready.toSorted((a, b) => distanceOf(a, last) - distanceOf(b, last));
  }

  async #ask(cancels: readonly Cancel[]): Promise<void> {
    const { instrumentId } = this;
    const ids = cancels.flatMap(({ order }) => order?.venueOrderId ?? []);
    const [venueOrderId] = ids;
    const outcomes =
      venueOrderId === undefined
        ? undefined
        : ids.length === 1
          ? [await askForEnd({ instrumentId, venueOrderId }, this.#options)]
          : await unlessLost(
              ({ adapter, signal, leaving }) =>
                adapter.cancelBatch(instrumentId, ids, {
                  signal,
                  waitSignals: leaving && [leaving],
                }),
              this.#options,
            );
    for (const [index, cancel] of cancels.entries()) {
      const outcome = outcomes?.[index];
      const isTaken = outcome?.kind === 'requested';
      if (isTaken && cancel.order !== undefined) cancel.order.isCancelRequested = true;
      cancel.tries += 1;
      // A batch gives no reason for a cancel that it did not take.
      cancel.isAlone ||= ids.length > 1 && outcomes !== undefined && !isTaken;
      cancel.outcome = isTaken || ids.length === 1 ? outcome : undefined;
      this.#asked.push(cancel);
    }
  }

  /** Reads the order after its cancel was sent, with the fills before its end. An order that ends later is polled. */
  async #judge(cancel: Cancel): Promise<void> {
    const { orders, read } = this.#options;
    const { clientOrderId, order, outcome, tries } = cancel;
    const hasEnded = (): boolean => orders.find(clientOrderId) === undefined;
    if (order !== undefined && !hasEnded()) await read(order);
    if (outcome?.kind === 'requested' || (order !== undefined && hasEnded())) cancel.settle();
    else if (outcome !== undefined) this.#refuse(cancel, outcome.reason);
    else if (tries >= CANCEL_TRIES || this.#isLeaving) {
      const text = 'the cancel could not be delivered';
      this.#refuse(cancel, { code: 'not-delivered', text });
    } else this.#again.push(cancel);
  }

  #refuse({ clientOrderId, settle }: Cancel, reason: OrderReason): void {
    const { onUpdate, time } = this.#options;
    onUpdate({ kind: 'cancel-rejected', clientOrderId, reason, eventTime: time.now() });
    settle();
  }

  /** Waits, but not after the bot stops: nothing is sent then, and a wait would only delay the stop. */
  async #pause(delayMs: number): Promise<void> {
    const { time, leaving = NEVER } = this.#options;
    try {
      await pauseFor(timeOfPhase(time, 'arrivals'), delayMs, leaving);
    } catch (error: unknown) {
      if (!leaving.aborted) throw error;
    }
  }
}

/** Distance of an order from the last price. An order without a limit price does not rest: it goes first. */
function distanceOf({ order }: Cancel, last: number): number {
  const { request } = order ?? {};
  return request?.type === 'limit' ? Math.abs(fixedToNumber(request.limitPrice) - last) : 0;
}

type Asking = Pick<CancelGroupOptions, 'adapter' | 'signal' | 'leaving'>;

/**
 * Cancels one order; undefined if it is unknown whether the cancel arrived. By the venue's id only: several orders may have had the same id of ours,
 * and a claimed order has none.
 */
export function askForEnd(
  target: OrderTarget,
  options: Asking,
): Promise<CancelOutcome | undefined> {
  return unlessLost(
    ({ adapter, signal, leaving }) =>
      adapter.cancel(target, { signal, waitSignals: leaving && [leaving] }),
    options,
  );
}

async function unlessLost<T>(
  ask: (options: Asking) => Promise<T>,
  options: Asking,
): Promise<T | undefined> {
  try {
    return await ask(options);
  } catch (error: unknown) {
    if (!(error instanceof TradingError)) throw error;
    return undefined;
  }
}
