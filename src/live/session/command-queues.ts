import {
  CANCELED_ON_REQUEST,
  ConfigError,
  DomainError,
  InvariantError,
  OutcomeUnknownError,
  TradingError,
  TransportError,
  type ClientOrderId,
  type EpochMs,
  type InstrumentId,
  type OrderReason,
  type OrderRequest,
  type RiskApproved,
  type VenueOrderId,
} from '../../domain/index.js';
import type { ExecutionAdapter, OrderTarget, OrderUpdate } from '../../venue/index.js';
import type { Command } from '../../engine/index.js';
import type { AccountReader } from '../account/account-reader.js';
import type { Activity } from '../bot/activity.js';
import { askForEnd, CancelGroup } from './cancel-group.js';
import { OrderPatience } from './order-patience.js';
import type { VenueTriggers } from '../stops/venue-triggers.js';
import type { SentOrders, SentOrderState } from './sent-orders.js';
import type { SessionTime } from './session-time.js';

export interface CommandQueuesOptions {
  readonly adapter: ExecutionAdapter;
  /** Takes trigger orders. @defaultValue there are none */
  readonly triggers?: Pick<VenueTriggers, 'submit' | 'cancel'> | undefined;
  readonly reader: AccountReader;
  readonly orders: SentOrders;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  /** Aborted when the bot stops. Calls that still wait for their turn are then not sent. @defaultValue never */
  readonly leaving?: AbortSignal | undefined;
  /** How long after its decision an order that opens may still be sent, in ms. @defaultValue for ever */
  readonly entryLifeMs?: number | undefined;
  /** Whether all commands go one after the other. Otherwise only those of one instrument do. */
  readonly isSequential: boolean;
  /** Last price of an instrument; NaN if unknown. */
  readonly lastPrice: (instrumentId: InstrumentId) => number;
  readonly onUpdate: (update: OrderUpdate) => void;
  /** Searches for an order whose submit has no known outcome. Resolves when the outcome is known. */
  readonly resolveUnknown: (order: SentOrderState) => Promise<void>;
  /** Called when the venue has taken an order, or refused it (with a reason). */
  readonly onJudged?: ((instrumentId: InstrumentId, reason?: OrderReason) => void) | undefined;
  /** Takes an unexpected error. */
  readonly onFailure: (error: unknown) => void;
}

type Cancel = Extract<Command, { readonly kind: 'cancel' }>;

/**
 * Carries out an engine's commands at the venue and reports what came of them.
 *
 * Commands of one instrument go in their order, one at a time; cancels that follow each other go together. No submit is ever sent twice: an order
 * without a known outcome is searched for. On futures, orders that could be mistaken for it wait until it is found or proved absent (DESIGN §7):
 * entries of that contract wait, and exits on the other side of the market go out.
 */
export class CommandQueues {
  readonly #options: CommandQueuesOptions;
  readonly #queues = new Map<string, Promise<void>>();
  /** The group of cancels at the end of each queue, if the queue ends with cancels. */
  readonly #cancels = new Map<string, CancelGroup>();
  readonly #groups = new Set<CancelGroup>();
  /** Orders that wait for the search of an order they could be mistaken for, by our id, with the function that ends their wait. */
  readonly #unsent = new Map<ClientOrderId, () => void>();
  readonly #entriesEnd = new AbortController();
  readonly #patience: OrderPatience;
  /** Commands that wait or are on their way. */
  #underWay = 0;
  /** Those of them that wait for the search of an order. */
  #held = 0;

  constructor(options: CommandQueuesOptions) {
    this.#options = options;
    const { time, leaving, entryLifeMs } = options;
    const entriesEnd = this.#entriesEnd.signal;
    this.#patience = new OrderPatience({ time, leaving, entryLifeMs, entriesEnd });
  }

  /** Commands that wait or are on their way. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Commands at the venue without an answer, or waiting for a call. Those that wait for the search of an order can wait in the next process, too. */
  get unsettled(): number {
    return this.#underWay - this.#held;
  }

  /** Whether the outcome of something is pending: an order is searched for, or a cancel is unanswered. */
  get awaitsOutcome(): boolean {
    const { orders } = this.#options;
    return (
      orders.list().some(({ resolving }) => resolving !== undefined) ||
      [...this.#groups].some(({ unanswered }) => unanswered > 0)
    );
  }

  /** Cancels that the venue has not answered yet, by instrument. */
  get unanswered(): ReadonlyMap<InstrumentId, number> {
    const counts = new Map<InstrumentId, number>();
    for (const { instrumentId, unanswered } of this.#groups)
      if (unanswered > 0) counts.set(instrumentId, (counts.get(instrumentId) ?? 0) + unanswered);
    return counts;
  }

  /** From now on no order that opens is sent: waiting and new ones are dropped. Orders that were sent go on. */
  closeEntries(): void {
    const text = 'the bot is being stopped: nothing opens any more; nothing was sent';
    this.#entriesEnd.abort(new TransportError('E_CLOSED', text));
  }

  /** Takes a command that is stored on disk and was decided at `time`. Resolves when it has been carried out. */
  give(command: Command, time: EpochMs = this.#options.time.now()): Promise<void> {
    this.#underWay += 1;
    return this.#carryOut(command, time).finally(() => {
      this.#underWay -= 1;
    });
  }

  #carryOut(command: Command, time: EpochMs): Promise<void> {
    const done = this.#giveToTriggers(command);
    if (done !== undefined) return done;
    return command.kind === 'submit' ? this.#send(command.order, time) : this.#cancel(command);
  }

  /** Gives commands of trigger orders to the triggers, in their turn; undefined for any other command. */
  #giveToTriggers(command: Command): Promise<void> | undefined {
    const { triggers } = this.#options;
    if (command.kind === 'cancel') {
      const { clientOrderId, instrumentId, isCondition } = command;
      if (isCondition !== true) return undefined;
      return this.#queue(this.#queueNameOf({ instrumentId }), async () =>
        triggers?.cancel(clientOrderId, instrumentId),
      );
    }
    const { order, condition } = command;
    if (condition === undefined) return undefined;
    return this.#queue(this.#queueNameOf(order), async () => triggers?.submit(order, condition));
  }

  /** Sends an order in its turn, after the search for every order that it could be mistaken for. Does not send it if the session ends before. */
  async #send(order: RiskApproved<OrderRequest>, decidedAt: EpochMs): Promise<void> {
    for (;;) {
      const sought = this.#soughtBeside(order);
      if (sought.length > 0 && !(await this.#outlasts(order, sought))) return;
      const turn = { isTaken: true };
      await this.#queue(this.#queueNameOf(order), () => {
        // An order sent before it in the queue may have had no answer.
        turn.isTaken = this.#soughtBeside(order).length === 0;
        return turn.isTaken ? this.#submit(order, decidedAt) : Promise.resolve();
      });
      if (turn.isTaken) return;
    }
  }

  /**
   * Waits for searches to end. Returns whether the order may be sent: false if it was canceled, or if the session ended before the outcome was known.
   */
  async #outlasts(
    { clientOrderId }: OrderRequest,
    sought: readonly SentOrderState[],
  ): Promise<boolean> {
    const wait = { isCanceled: false };
    const canceled = new Promise<void>((resolve) => {
      this.#unsent.set(clientOrderId, () => {
        wait.isCanceled = true;
        resolve();
      });
    });
    const found = Promise.all(sought.map(async ({ resolving }) => resolving));
    await this.#hold(Promise.race([canceled, found]));
    this.#unsent.delete(clientOrderId);
    return !wait.isCanceled && sought.every((one) => one.venueOrderId !== undefined || one.isEnded);
  }

  /** Ends an order that was not sent yet, because its cancel came first. Returns whether the order is one. */
  #dropUnsent(clientOrderId: ClientOrderId): boolean {
    const end = this.#unsent.get(clientOrderId);
    if (end === undefined) return false;
    this.#unsent.delete(clientOrderId);
    end();
    const { onUpdate, time } = this.#options;
    const [status, reason] = ['canceled', CANCELED_ON_REQUEST] as const;
    onUpdate({ kind: 'ended', clientOrderId, status, reason, eventTime: time.now() });
    return true;
  }

  /** Orders that are searched for by their fields and that this one could be mistaken for. The venue always shows the side. */
  #soughtBeside({ instrumentId, action, side }: OrderRequest): readonly SentOrderState[] {
    if (!isSilent(instrumentId)) return [];
    return this.#options.orders
      .list(instrumentId)
      .filter(
        ({ resolving, request }) =>
          resolving !== undefined && (action === 'open' || request.side === side),
      );
  }

  /** Cancels an order. While the order is searched for, the cancel waits beside the queue, so that an exit need not wait for it. */
  async #cancel(command: Cancel): Promise<void> {
    while (!(await this.#addCancel(command)))
      await this.#hold(this.#options.orders.find(command.clientOrderId)?.resolving);
  }

  /** Waits for searches of orders. */
  async #hold(searches: Promise<unknown> | undefined): Promise<void> {
    this.#held += 1;
    try {
      await searches;
    } finally {
      this.#held -= 1;
    }
  }

  /** Returns whether the cancel was carried out, or cannot be. */
  #addCancel({ clientOrderId, instrumentId }: Cancel): Promise<boolean> {
    const name = this.#queueNameOf({ instrumentId });
    const last = this.#cancels.get(name);
    const isJoined = last?.isOpen === true && last.instrumentId === instrumentId;
    const group = isJoined ? last : this.#beginGroup(name, instrumentId);
    return group.add(clientOrderId);
  }

  #beginGroup(name: string, instrumentId: InstrumentId): CancelGroup {
    const group = new CancelGroup(instrumentId, {
      ...this.#options,
      read: (order) => this.#unlessFailed(this.#options.reader.readOrder(order)),
      dropUnsent: (id) => this.#dropUnsent(id),
    });
    void this.#queue(name, async () => {
      try {
        await group.run();
      } finally {
        this.#groups.delete(group);
      }
    });
    this.#groups.add(group);
    this.#cancels.set(name, group);
    return group;
  }

  /**
   * Searches for an order that an earlier process may have sent, in parallel to everything else. Resolves when its outcome is known, or is unclear: then
   * the search goes on, and nothing but orders that could be mistaken waits for it.
   */
  async seek(order: SentOrderState): Promise<void> {
    order.resolving ??= this.#beginSearch(order);
    await Promise.race([order.resolving, order.unclear]);
  }

  #beginSearch(order: SentOrderState): Promise<void> {
    return this.#search(order).finally(this.#options.activity.begin());
  }

  async #search(order: SentOrderState): Promise<void> {
    const { onFailure, resolveUnknown } = this.#options;
    try {
      await resolveUnknown(order);
    } catch (error: unknown) {
      onFailure(error);
    } finally {
      order.resolving = undefined;
    }
  }

  /** Cancels an order that no part of the bot follows any more. A later reading shows whether it ended. */
  withdraw(target: OrderTarget): Promise<void> {
    return this.#queue(this.#queueNameOf(target), async () => {
      await askForEnd(target, this.#options);
    });
  }

  #queueNameOf({ instrumentId }: Pick<OrderTarget, 'instrumentId'>): string {
    return this.#options.isSequential ? '' : instrumentId;
  }

  #queue(name: string, work: () => Promise<void>): Promise<void> {
    const { activity, onFailure } = this.#options;
    // Other work comes after the last cancels: later cancels begin a new group.
    this.#cancels.delete(name);
    const before = this.#queues.get(name) ?? Promise.resolve();
    const done = before.then(work).catch(onFailure).finally(activity.begin());
    this.#queues.set(name, done);
    return done;
  }

  async #submit(request: RiskApproved<OrderRequest>, decidedAt: EpochMs): Promise<void> {
    const { adapter, orders, reader, signal, time } = this.#options;
    const before = reader.seen(request.instrumentId);
    const order = orders.begin(request, { sentAt: time.now(), before });
    const patience = this.#patience.of(request, decidedAt);
    try {
      for (const end of patience.signals) end.throwIfAborted();
      const outcome = await adapter.submit(request, { signal, waitSignals: patience.signals });
      if (outcome.kind === 'rejected') {
        this.#end(order, outcome.reason);
        this.#options.onJudged?.(request.instrumentId, outcome.reason);
      } else {
        this.#requireNewId(request, outcome.venueOrderId);
        this.#options.onJudged?.(request.instrumentId);
        order.venueOrderId = outcome.venueOrderId;
        await this.acknowledge(order);
      }
    } catch (error: unknown) {
      this.#notAnswered(order, error);
    } finally {
      patience.release();
    }
  }

  /**
   * Checks that an answer gives an order no id of another one: the fills of that order would be booked as this one's, and nobody would look for this one.
   *
   * @throws {OutcomeUnknownError} `E_OUTCOME_UNKNOWN`
   */
  #requireNewId({ instrumentId, clientOrderId }: OrderRequest, id: VenueOrderId): void {
    if (!this.#options.reader.knows(instrumentId, id)) return;
    const text = `expected an id of its own for order ${clientOrderId}, received ${id} of another order of ${instrumentId}`;
    throw new OutcomeUnknownError('E_OUTCOME_UNKNOWN', text);
  }

  /** The venue has the order: reports that, and what the order did on arrival. */
  async acknowledge(order: SentOrderState): Promise<void> {
    const { reader } = this.#options;
    reader.accepted(order);
    await this.#unlessFailed(reader.readArrival(order));
  }

  /** Ignores a failed reading: the next poll reads again. */
  async #unlessFailed(reading: Promise<void>): Promise<void> {
    try {
      await reading;
    } catch (error: unknown) {
      if (!(error instanceof TradingError)) throw error;
    }
  }

  #notAnswered(order: SentOrderState, error: unknown): void {
    const { onUpdate, time } = this.#options;
    if (!(error instanceof TradingError)) throw error;
    const reason = reasonOf(error);
    if (error instanceof OutcomeUnknownError) {
      const { clientOrderId } = order.request;
      onUpdate({ kind: 'outcome-unknown', clientOrderId, reason, eventTime: time.now() });
      order.resolving = this.#beginSearch(order);
      return;
    }
    // The error says that the order did not arrive and never will.
    this.#end(order, reason);
    if (isOurDefect(error)) throw error;
  }

  #end(order: SentOrderState, reason: OrderReason): void {
    const { orders, onUpdate, time } = this.#options;
    const { clientOrderId } = order.request;
    orders.end(order);
    onUpdate({
      kind: 'ended',
      clientOrderId,
      status: 'rejected',
      reason,
      eventTime: time.now(),
    });
  }
}

/** Whether the venue does not show our id of orders. On spot and margin it does, so other orders may go while one is searched for. */
function isSilent(instrumentId: InstrumentId): boolean {
  return instrumentId.startsWith('futures:');
}

/** Whether the command itself is wrong. Errors of the venue or of a clock may pass: polls meet them too, and degrade the bot. */
function isOurDefect(error: TradingError): boolean {
  return (
    error instanceof DomainError || error instanceof ConfigError || error instanceof InvariantError
  );
}

function reasonOf({ code, message }: TradingError): OrderReason {
  return { code, text: message };
}
