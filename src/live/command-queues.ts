import {
  AuthError,
  ConfigError,
  DomainError,
  InvariantError,
  OutcomeUnknownError,
  TradingError,
  type ClientOrderId,
  type InstrumentId,
  type OrderReason,
  type OrderRequest,
  type RiskApproved,
} from '../domain/index.js';
import type { CancelOutcome, ExecutionAdapter, OrderTarget, OrderUpdate } from '../venue/index.js';
import type { Command } from '../engine/index.js';
import type { AccountReader } from './account-reader.js';
import type { Activity } from './activity.js';
import type { SentOrders, SentOrderState } from './sent-orders.js';
import type { SessionTime } from './session-time.js';

export interface CommandQueuesOptions {
  readonly adapter: ExecutionAdapter;
  readonly reader: AccountReader;
  readonly orders: SentOrders;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  /** Whether all commands go one after the other; otherwise those of one instrument do. */
  readonly isSequential: boolean;
  readonly onUpdate: (update: OrderUpdate) => void;
  /** A submit has no known outcome: looks for it, and resolves when it is known, whatever it was. */
  readonly resolveUnknown: (order: SentOrderState) => Promise<void>;
  /** Key or permission is refused: nothing can be sent any more. */
  readonly onRefusedKey: (error: AuthError) => void;
  /** Something went wrong that is no expected outcome. */
  readonly onFailure: (error: unknown) => void;
}

/** Tries of a cancel whose request or answer was lost: asking again for the end of an order is safe. */
const CANCEL_TRIES = 5;
const CANCEL_PAUSE_MS = 1_000;

/**
 * Carries out an engine's commands at the venue and tells what came of them.
 *
 * Commands of one instrument go in their order, one at a time. No submit is sent twice, whatever happens: one without a known outcome is
 * looked for, and on futures no other is sent for that contract until it is found or proved absent (DESIGN §7).
 */
export class CommandQueues {
  readonly #options: CommandQueuesOptions;
  readonly #queues = new Map<string, Promise<void>>();
  /** Commands that wait or are on their way. */
  #underWay = 0;

  constructor(options: CommandQueuesOptions) {
    this.#options = options;
  }

  /** Commands that wait or are on their way. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Takes a command that is on the disk. Resolves when it has been carried out. */
  give(command: Command): Promise<void> {
    this.#underWay += 1;
    return this.#queue(
      this.#queueNameOf(command.kind === 'submit' ? command.order : command),
      async () => {
        try {
          await this.#carryOut(command);
        } finally {
          this.#underWay -= 1;
        }
      },
    );
  }

  /**
   * Looks for an order that an earlier process may have sent, after those of its instrument that were to be looked for before. On futures
   * no command is sent for its contract meanwhile: without our ids in the answers what is sent would be taken for it. Resolves when its
   * outcome is known.
   */
  seek(order: SentOrderState): Promise<void> {
    const { instrumentId } = order.request;
    const name = hasSilentAnswers(order) ? instrumentId : `search ${instrumentId}`;
    order.resolving ??= this.#queue(name, () => this.#options.resolveUnknown(order));
    return order.resolving;
  }

  /** Asks for the end of an order that nobody follows any more. Whether it came shows at a later reading. */
  withdraw(target: OrderTarget): Promise<void> {
    return this.#queue(this.#queueNameOf(target), async () => {
      await this.#askForEnd(target);
    });
  }

  #queueNameOf({ instrumentId }: Pick<OrderTarget, 'instrumentId'>): string {
    return this.#options.isSequential ? '' : instrumentId;
  }

  #queue(name: string, work: () => Promise<void>): Promise<void> {
    const { activity, onFailure } = this.#options;
    const before = this.#queues.get(name) ?? Promise.resolve();
    const done = before.then(work).catch(onFailure).finally(activity.begin());
    this.#queues.set(name, done);
    return done;
  }

  async #carryOut(command: Command): Promise<void> {
    if (command.kind === 'submit') await this.#submit(command.order);
    else await this.#cancel(command.clientOrderId, command.instrumentId);
  }

  async #submit(request: RiskApproved<OrderRequest>): Promise<void> {
    const { adapter, orders, reader, signal, time } = this.#options;
    const before = reader.seen(request.instrumentId);
    const order = orders.begin(request, { sentAt: time.now(), before });
    try {
      const outcome = await adapter.submit(request, { signal });
      if (outcome.kind === 'rejected') this.#end(order, outcome.reason);
      else {
        order.venueOrderId = outcome.venueOrderId;
        await this.acknowledge(order);
      }
    } catch (error: unknown) {
      await this.#notAnswered(order, error);
    }
  }

  /** The venue has the order: tells so, and what it has done with it on arrival. */
  async acknowledge(order: SentOrderState): Promise<void> {
    const { reader } = this.#options;
    reader.accepted(order);
    await this.#unlessFailed(reader.readArrival(order));
  }

  #read(order: SentOrderState): Promise<void> {
    return this.#unlessFailed(this.#options.reader.readOrder(order));
  }

  /** Where a reading fails the next poll will do. */
  async #unlessFailed(reading: Promise<void>): Promise<void> {
    try {
      await reading;
    } catch (error: unknown) {
      if (!(error instanceof TradingError) || error instanceof AuthError) throw error;
    }
  }

  async #notAnswered(order: SentOrderState, error: unknown): Promise<void> {
    const { onUpdate, resolveUnknown, time, onRefusedKey, onFailure } = this.#options;
    if (!(error instanceof TradingError)) throw error;
    const reason = reasonOf(error);
    if (error instanceof OutcomeUnknownError) {
      const { clientOrderId } = order.request;
      onUpdate({ kind: 'outcome-unknown', clientOrderId, reason, eventTime: time.now() });
      order.resolving = resolveUnknown(order).catch(onFailure);
      if (hasSilentAnswers(order)) await order.resolving;
      return;
    }
    // Nothing arrived, and nothing will: the error says so.
    this.#end(order, reason);
    if (error instanceof AuthError) onRefusedKey(error);
    else if (isOurDefect(error)) throw error;
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

  async #cancel(clientOrderId: ClientOrderId, instrumentId: InstrumentId): Promise<void> {
    const { orders } = this.#options;
    const order = orders.find(clientOrderId);
    if (order === undefined) {
      this.#refuseCancel(clientOrderId, { code: 'has-ended', text: 'the order has ended' });
      return;
    }
    await order.resolving;
    for (let tries = 1; orders.find(clientOrderId) !== undefined; tries += 1) {
      const { venueOrderId } = order;
      const outcome =
        venueOrderId === undefined
          ? undefined
          : await this.#askForEnd({ instrumentId, venueOrderId });
      if (outcome?.kind === 'requested') {
        order.isCancelRequested = true;
        // What it filled before its end comes with it. One that takes its time is polled.
        await this.#read(order);
        return;
      }
      await this.#read(order);
      if (orders.find(clientOrderId) === undefined) return;
      if (outcome !== undefined || tries >= CANCEL_TRIES) {
        const text = 'the cancel could not be delivered';
        this.#refuseCancel(clientOrderId, outcome?.reason ?? { code: 'not-delivered', text });
        return;
      }
      await this.#pause(CANCEL_PAUSE_MS);
    }
  }

  /**
   * Undefined when it is not known whether the cancel arrived. By the venue's id alone: several orders may have had ours, and one that was
   * claimed has none.
   */
  async #askForEnd(target: OrderTarget): Promise<CancelOutcome | undefined> {
    const { adapter, signal, onRefusedKey } = this.#options;
    try {
      return await adapter.cancel(target, { signal });
    } catch (error: unknown) {
      if (!(error instanceof TradingError)) throw error;
      if (error instanceof AuthError) onRefusedKey(error);
      return undefined;
    }
  }

  #refuseCancel(clientOrderId: ClientOrderId, reason: OrderReason): void {
    const { onUpdate, time } = this.#options;
    onUpdate({ kind: 'cancel-rejected', clientOrderId, reason, eventTime: time.now() });
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.time.after('arrivals', delayMs, resolve);
    });
  }
}

/** Whether orders cannot be told apart by our id: on spot others may go while one is looked for. */
function hasSilentAnswers({ request }: SentOrderState): boolean {
  return request.instrumentId.startsWith('futures:');
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
