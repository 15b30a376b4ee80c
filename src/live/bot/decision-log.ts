import type { ClientOrderId, EpochMs, InstrumentId } from '../../domain/index.js';
import type { Command, EngineEvent, Verdict, WorkingOrder } from '../../engine/index.js';
import { isOrderUpdate, type OrderUpdate } from '../../venue/index.js';
import type { BotStatus } from './bot-control.js';
import type { BotLog, LogDecision } from './bot-log.js';

/** Logs a bot's decisions and news of its orders. */
export class DecisionLog {
  readonly #log: Pick<BotLog, 'decision'>;
  /** Instruments of orders that have not ended. Updates name only the order's id. */
  readonly #instruments: Map<ClientOrderId, InstrumentId>;
  #last: BotStatus['lastDecision'];

  /** `orders`: the working orders when the bot begins. */
  constructor(log: Pick<BotLog, 'decision'>, orders: readonly Pick<WorkingOrder, 'request'>[]) {
    this.#log = log;
    this.#instruments = new Map(
      orders.map(({ request }) => [request.clientOrderId, request.instrumentId]),
    );
  }

  get last(): BotStatus['lastDecision'] {
    return this.#last;
  }

  /** Logs the verdict of risk on an intent. */
  verdict(verdict: Verdict, instrumentId: InstrumentId): void {
    this.#write({ kind: 'verdict', time: verdict.time, instrumentId, verdict });
  }

  /** Logs an event and the engine's commands for it. */
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

  /** Logs only ends and unknown outcomes. Other records show that an order rests and fills. */
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
