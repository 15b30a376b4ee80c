import { pino, type Logger } from 'pino';
import { redact, type Secret } from '../client/index.js';
import { formatFixed, type Clock, type EpochMs, type OrderRequest } from '../domain/index.js';
import {
  describeDecision,
  type BotLog,
  type LogDecision,
  type LogHeartbeat,
  type LogStateChange,
  type LogWarning,
} from '../live/index.js';
import type { StrategyLog } from '../strategy/index.js';

export type LogLevel = 'debug' | 'info' | 'warn';

interface BotLoggerOptions {
  /** Name of the bot. */
  readonly bot: string;
  readonly mode: 'paper' | 'live' | 'dry-run';
  /** Lines below this level are left out. */
  readonly level: LogLevel;
  /** Clock for the time of lines. */
  readonly clock: Clock;
  /** Secrets that no line may contain, from any source. */
  readonly secrets: readonly Secret[];
  /** Takes a line of JSON including its line end. */
  readonly write: (line: string) => void;
}

type Fields = Readonly<Record<string, unknown>>;

/** A bot's log as lines of JSON: `time` is the machine's, `eventTime` the engine's, amounts are decimal text. */
export function createBotLogger(options: BotLoggerOptions): BotLog {
  const { bot, mode, level, clock, write } = options;
  const { secrets } = options;
  const logger = pino(
    {
      level,
      base: { bot, mode },
      timestamp: () => `,"time":${String(clock.now())}`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => write(redact(line, secrets)) },
  );
  return new PinoBotLog(logger, mode !== 'dry-run');
}

class PinoBotLog implements BotLog {
  readonly #logger: Logger;
  readonly #sends: boolean;

  constructor(logger: Logger, sends: boolean) {
    this.#logger = logger;
    this.#sends = sends;
  }

  decision(decision: LogDecision): void {
    const isForced = decision.kind === 'fill' && decision.cause !== undefined;
    const isRejected = decision.kind === 'order' && decision.status === 'rejected';
    this.#say(isForced || isRejected ? 'warn' : 'info', describeDecision(decision, this.#sends), {
      kind: decision.kind,
      eventTime: decision.time,
      ...fieldsOf(decision),
    });
  }

  stateChanged({ time, from, to, reasons }: LogStateChange): void {
    const why = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
    const level = to === 'halted' || to === 'degraded' || to === 'frozen' ? 'warn' : 'info';
    this.#say(level, `${to}${why}`, { kind: 'state', eventTime: time, from, to, reasons });
  }

  heartbeat({ time, state, ...fields }: LogHeartbeat): void {
    const late = fields.streams.filter((stream) => stream.state !== 'live').length;
    const streams = `${String(fields.streams.length - late)} of ${String(fields.streams.length)} streams live`;
    this.#say('info', `${state}, ${streams}`, {
      kind: 'heartbeat',
      eventTime: time,
      state,
      ...fields,
    });
  }

  warning({ time, code, text, fields }: LogWarning): void {
    this.#say('warn', text, { kind: 'warning', eventTime: time, code, fields });
  }

  strategy(now: () => EpochMs): StrategyLog {
    const say =
      (level: LogLevel): StrategyLog['debug'] =>
      (message, fields) => {
        this.#say(level, message, { kind: 'strategy', eventTime: now(), fields });
      };
    return { debug: say('debug'), info: say('info'), warn: say('warn') };
  }

  /** A strategy may pass values that cannot be written. The line is then written without them. */
  #say(level: LogLevel, message: string, fields: Fields): void {
    try {
      this.#logger[level](fields, message);
    } catch (error: unknown) {
      const { kind, eventTime } = fields;
      const unwritable = error instanceof Error ? error.message : 'an unknown failure';
      this.#logger[level]({ kind, eventTime, unwritable }, message);
    }
  }
}

function fieldsOf(decision: LogDecision): Fields {
  switch (decision.kind) {
    case 'verdict': {
      const { verdict, instrumentId } = decision;
      const { intentId, intent } = verdict;
      const said =
        verdict.decision.kind === 'refused'
          ? { refusal: verdict.decision.refusal }
          : {
              changes: verdict.decision.changes,
              clientOrderIds: verdict.decision.orders.map(({ clientOrderId }) => clientOrderId),
            };
      return { instrumentId, intentId, intent, verdict: verdict.decision.kind, ...said };
    }
    case 'submit': {
      const { order, condition } = decision;
      if (condition === undefined) return orderFields(order);
      const { trigger, triggerPrice } = condition;
      return { ...orderFields(order), trigger, triggerPrice: formatFixed(triggerPrice) };
    }
    case 'cancel': {
      const { clientOrderId, instrumentId, isCondition } = decision;
      return { clientOrderId, instrumentId, ...(isCondition === true && { isCondition }) };
    }
    case 'order': {
      const { clientOrderId, instrumentId, status, reason } = decision;
      return { clientOrderId, instrumentId, status, reason };
    }
    case 'fill': {
      const { price, quantity, fee, eventTime, ...fill } = decision.fill;
      return {
        ...fill,
        price: formatFixed(price),
        quantity: formatFixed(quantity),
        fee: formatFixed(fee),
        venueTime: eventTime,
        cause: decision.cause,
      };
    }
  }
}

function orderFields(order: OrderRequest): Fields {
  const limitPrice = order.type === 'limit' ? formatFixed(order.limitPrice) : undefined;
  return { ...order, quantity: formatFixed(order.quantity), limitPrice };
}
