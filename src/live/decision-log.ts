import type { ClientOrderId, EpochMs, InstrumentId } from '../domain/index.js';
import type { Command, EngineEvent, Verdict, WorkingOrder } from '../engine/index.js';
import { isOrderUpdate, type OrderUpdate } from '../venue/index.js';
import type { BotStatus } from './bot-control.js';
import type { BotLog, LogDecision } from './bot-log.js';

/** Writes down what a bot decides, and what it learns of its orders. */
export class DecisionLog {
  readonly #log: Pick<BotLog, 'decision'>;
  /** Where orders belong that have not ended: what is told of them names their ids. */
  readonly #instruments: Map<ClientOrderId, InstrumentId>;
  #last: BotStatus['lastDecision'];

  /** `orders`: those that work when the bot begins. */
  constructor(log: Pick<BotLog, 'decision'>, orders: readonly Pick<WorkingOrder, 'request'>[]) {
    this.#log = log;
    this.#instruments = new Map(
      orders.map(({ request }) => [request.clientOrderId, request.instrumentId]),
    );
  }

  get last(): BotStatus['lastDecision'] {
    return this.#last;
  }

  /** What risk said to an intent. */
  verdict(verdict: Verdict, instrumentId: InstrumentId): void {
    this.#write({ kind: 'verdict', time: verdict.time, instrumentId, verdict });
  }

  /** An event with what the engine wants for it. */
  processed({ time, ...event }: EngineEvent, commands: readonly Command[]): void {
    if (event.kind === 'venue') {
      const { update } = event;
      if (update.kind === 'fill') this.#write({ kind: 'fill', time, fill: update.fill });
      if (update.kind === 'forced-fill')
        this.#write({ kind: 'fill', time, fill: update.fill, cause: update.cause });
      if (isOrderUpdate(update)) this.#writeChange(update, time);
    }
    for (const command of commands) this.#writeCommand(command, time);
  }

  #writeCommand(command: Command, time: EpochMs): void {
    if (command.kind === 'cancel') {
      this.#write({ ...command, time });
      return;
    }
    const { order } = command;
    this.#instruments.set(order.clientOrderId, order.instrumentId);
    this.#write({ ...command, time });
  }

  /** An end, or a doubt: that an order rests and fills is said by others. */
  #writeChange(update: OrderUpdate, time: EpochMs): void {
    const { clientOrderId } = update;
    const instrumentId = this.#instruments.get(clientOrderId);
    if (update.kind === 'ended' || (update.kind === 'fill' && update.isFilled))
      this.#instruments.delete(clientOrderId);
    if (instrumentId === undefined) return;
    const write = (status: Extract<LogDecision, { kind: 'order' }>['status']): void => {
      const reason = 'reason' in update ? update.reason : undefined;
      this.#write({ kind: 'order', time, clientOrderId, instrumentId, status, reason });
    };
    if (update.kind === 'ended') write(update.status);
    else if (update.kind === 'outcome-unknown') write('unknown');
  }

  #write(decision: LogDecision): void {
    this.#log.decision(decision);
    const { time } = decision;
    this.#last = { time, text: decision.kind };
  }
}
