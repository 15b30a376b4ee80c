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
} from '../domain/index.js';
import type { ExecutionAdapter, OrderTarget, OrderUpdate } from '../venue/index.js';
import type { Command } from '../engine/index.js';
import type { AccountReader } from './account-reader.js';
import type { Activity } from './activity.js';
import { askForEnd, CancelGroup } from './cancel-group.js';
import { OrderPatience } from './order-patience.js';
import type { VenueTriggers } from './venue-triggers.js';
import type { SentOrders, SentOrderState } from './sent-orders.js';
import type { SessionTime } from './session-time.js';

export interface CommandQueuesOptions {
  readonly adapter: ExecutionAdapter;
  /** Where conditional orders go. @defaultValue there are none */
  readonly triggers?: Pick<VenueTriggers, 'submit' | 'cancel'> | undefined;
  readonly reader: AccountReader;
  readonly orders: SentOrders;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  /** Ends what waits for its turn, and nothing of it is sent: the bot stops. @defaultValue never */
  readonly leaving?: AbortSignal | undefined;
  /** How long after its decision an order that opens may still be sent, in ms. @defaultValue for ever */
  readonly entryLifeMs?: number | undefined;
  /** Whether all commands go one after the other; otherwise those of one instrument do. */
  readonly isSequential: boolean;
  /** Last price that is known of an instrument; NaN where none is. */
  readonly lastPrice: (instrumentId: InstrumentId) => number;
  readonly onUpdate: (update: OrderUpdate) => void;
  /** A submit has no known outcome: looks for it, and resolves when it is known, whatever it was. */
  readonly resolveUnknown: (order: SentOrderState) => Promise<void>;
  /** The venue has taken an order, or refused it (with a reason). */
  readonly onJudged?: ((instrumentId: InstrumentId, reason?: OrderReason) => void) | undefined;
  /** Something went wrong that is no expected outcome. */
  readonly onFailure: (error: unknown) => void;
}

type Cancel = Extract<Command, { readonly kind: 'cancel' }>;

/**
 * Carries out an engine's commands at the venue and tells what came of them.
 *
 * Commands of one instrument go in their order, one at a time; cancels that wait one after the other go together. No submit is sent twice, whatever happens: one without a known outcome is
 * looked for, and on futures no other that could be taken for it is sent for that contract until it is found or proved absent (DESIGN §7): entries wait, and exits
 * on the other side of the market go out.
 */
export class CommandQueues {
  readonly #options: CommandQueuesOptions;
  readonly #queues = new Map<string, Promise<void>>();
  /** Last piece of work of each queue, where it is cancels. */
  readonly #cancels = new Map<string, CancelGroup>();
  readonly #groups = new Set<CancelGroup>();
  /** Orders that have not left, because one that they could be taken for is looked for: what ends their wait, by our id. */
  readonly #unsent = new Map<ClientOrderId, () => void>();
  readonly #entriesEnd = new AbortController();
  readonly #patience: OrderPatience;
  /** Commands that wait or are on their way. */
  #underWay = 0;

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

  /** Whether something waits for time to pass: an order without an answer is looked for, or a cancel is tried again. */
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

  /** From now on no order that opens leaves: what waits is dropped, and so is what is given. What has left goes on. */
  closeEntries(): void {
    const text = 'the bot is being stopped: nothing opens any more; nothing was sent';
    this.#entriesEnd.abort(new TransportError('E_CLOSED', text));
  }

  /** Takes a command that is on the disk and was decided at `time`. Resolves when it has been carried out. */
  give(command: Command, time: EpochMs = this.#options.time.now()): Promise<void> {
    this.#underWay += 1;
    return this.#carryOut(command, time).finally(() => {
      this.#underWay -= 1;
    });
  }

  #carryOut(command: Command, time: EpochMs): Promise<void> {
    const done = this.#giveToTriggers(command);
    if (done !== undefined) return done;
    return command.kind === 'submit' ? this.#send(command.order, time) : this.#addCancel(command);
  }

  /** Conditional orders, in their turn; undefined for a command that is of none. */
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

  /** Sends an order in its turn, once nothing is sought that it could be taken for; not where the session has ended before that is known. */
  async #send(order: RiskApproved<OrderRequest>, decidedAt: EpochMs): Promise<void> {
    for (;;) {
      const sought = this.#soughtBeside(order);
      if (sought.length > 0 && !(await this.#outlasts(order, sought))) return;
      const turn = { isTaken: true };
      await this.#queue(this.#queueNameOf(order), () => {
        // What was sent before it may have had no answer.
        turn.isTaken = this.#soughtBeside(order).length === 0;
        return turn.isTaken ? this.#submit(order, decidedAt) : Promise.resolve();
      });
      if (turn.isTaken) return;
    }
  }

  /** Waits for the end of searches. Returns whether an order may leave then: not where it was canceled, or the session has ended before that is known. */
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
    await Promise.race([canceled, Promise.all(sought.map(async ({ resolving }) => resolving))]);
    this.#unsent.delete(clientOrderId);
    return !wait.isCanceled && sought.every((one) => one.venueOrderId !== undefined || one.isEnded);
  }

  /** Ends an order that has not left, because its cancel has come first. Returns whether it is one. */
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

  /** Orders that are looked for by their fields, and that this one could be taken for if it were sent now: the side is always shown. */
  #soughtBeside({ instrumentId, action, side }: OrderRequest): readonly SentOrderState[] {
    if (!isSilent(instrumentId)) return [];
    return this.#options.orders
      .list(instrumentId)
      .filter(
        ({ resolving, request }) =>
          resolving !== undefined && (action === 'open' || request.side === side),
      );
  }

  #addCancel({ clientOrderId, instrumentId }: Cancel): Promise<void> {
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

  /** Looks for an order that an earlier process may have sent, beside all others. Resolves when its outcome is known. */
  seek(order: SentOrderState): Promise<void> {
    order.resolving ??= this.#beginSearch(order);
    return order.resolving;
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

  /** Asks for the end of an order that nobody follows any more. Whether it came shows at a later reading. */
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
    // What comes behind other work does not go with the cancels before that.
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

  /** The venue has the order: tells so, and what it has done with it on arrival. */
  async acknowledge(order: SentOrderState): Promise<void> {
    const { reader } = this.#options;
    reader.accepted(order);
    await this.#unlessFailed(reader.readArrival(order));
  }

  /** Where a reading fails the next poll will do. */
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
    // Nothing arrived, and nothing will: the error says so.
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

/** Whether orders cannot be told apart by our id: on spot all others may go while one is looked for. */
function isSilent(instrumentId: InstrumentId): boolean {
  return instrumentId.startsWith('futures:');
}

/** Whether a command is wrong in itself. What the venue or a clock is to blame for may pass: the polls meet it too, and degrade the bot. */
function isOurDefect(error: TradingError): boolean {
  return (
    error instanceof DomainError || error instanceof ConfigError || error instanceof InvariantError
  );
}

function reasonOf({ code, message }: TradingError): OrderReason {
  return { code, text: message };
}
