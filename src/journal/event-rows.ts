import {
  closeTimeOf,
  formatFixed,
  parseFixed,
  parseInstrumentId,
  parseInterval,
  type Candle,
  type EpochMs,
  type OrderIntent,
} from '../domain/index.js';
import {
  plainIntent,
  type Command,
  type EngineEvent,
  type RecordedIntent,
} from '../engine/index.js';
import { readExact, writeExact } from './exact-json.js';

/** Name of a row of `streams`: an instrument, and the interval of its candles or `ticker`. */
export interface StreamName {
  readonly instrument: string;
  readonly content: string;
}

/** One row of `events`, before its stream has a number. */
export interface EventRow {
  readonly time: EpochMs;
  readonly kind: string;
  readonly stream: StreamName | undefined;
  readonly body: string | null;
}

/** One row of `candles`, with its stream. */
export interface CandleRow {
  readonly stream: StreamName;
  readonly openTime: EpochMs;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** One row of `commands`. */
export interface CommandRow {
  readonly kind: string;
  readonly clientOrderId: string;
  readonly instrument: string;
  readonly body: string | null;
}

/** One row of `intents`. */
export interface IntentRow {
  readonly intentId: number;
  readonly time: EpochMs;
  readonly body: string | null;
}

/** Writes an event without its candles: they have rows of their own. */
export function eventToRow(event: EngineEvent): EventRow {
  const { time, kind } = event;
  if (event.kind === 'ticker') {
    const stream = { instrument: event.instrumentId, content: 'ticker' };
    return { time, kind, stream, body: formatFixed(event.last) };
  }
  const body = isWithBody(kind) ? writeExact({ ...event, time: undefined, kind: undefined }) : null;
  return { time, kind, stream: undefined, body };
}

export function candleToRow(candle: Candle): CandleRow {
  const { instrumentId, interval, openTime, open, high, low, close, volume } = candle;
  const stream = { instrument: instrumentId, content: interval };
  return { stream, openTime, open, high, low, close, volume };
}

export function commandToRow(command: Command): CommandRow {
  if (command.kind === 'cancel') {
    const { kind, clientOrderId, instrumentId, isCondition } = command;
    const body = isCondition === true ? CONDITION : null;
    return { kind, clientOrderId, instrument: instrumentId, body };
  }
  const { kind, order, condition } = command;
  const { clientOrderId, instrumentId } = order;
  const body = writeExact(condition === undefined ? order : { ...order, condition });
  return { kind, clientOrderId, instrument: instrumentId, body };
}

/** Body of the cancel of an order that the venue holds back until its condition is met. */
const CONDITION = 'condition';

export function intentToRow({ intentId, time, intent }: RecordedIntent): IntentRow {
  const body = intent === undefined ? null : JSON.stringify(plainIntent(intent));
  return { intentId, time, body };
}

/** @throws {SyntaxError} when the text is damaged. */
export function intentFromRow({ intentId, time, body }: IntentRow): RecordedIntent {
  const intent = body === null ? undefined : (JSON.parse(body) as OrderIntent);
  return { intentId, time, intent };
}

/**
 * Reads an event back.
 *
 * @throws {Error} that says what is wrong with the rows; the reader of the journal names the event.
 */
export function eventFromRows(row: EventRow, candles: readonly CandleRow[]): EngineEvent {
  const { time, kind, stream, body } = row;
  switch (kind) {
    case 'candles':
      return { kind, time, candles: candles.map(candleFromRow) };
    case 'timer':
    case 'end':
      return { kind, time };
    case 'ticker': {
      const instrumentId = parseInstrumentId(stream?.instrument ?? '');
      return { kind, time, instrumentId, last: parseFixed(body ?? '') };
    }
    default:
      if (!isWithBody(kind)) throw new Error(`an event of unknown kind "${kind}"`);
      return { ...readObject(body, MEMBERS[kind]), kind, time } as EngineEvent;
  }
}

/** @throws {Error} as {@link eventFromRows}. */
export function commandFromRow({ kind, clientOrderId, instrument, body }: CommandRow): Command {
  const instrumentId = parseInstrumentId(instrument);
  switch (kind) {
    case 'cancel':
      return {
        ...{ kind, clientOrderId, instrumentId },
        ...(body === CONDITION && { isCondition: true }),
      } as Command;
    case 'submit': {
      const { condition, ...order } = readObject(body, 'clientOrderId');
      return { kind, order, ...(condition !== undefined && { condition }) } as unknown as Command;
    }
    default:
      throw new Error(`a command of unknown kind "${kind}"`);
  }
}

/** The kinds of events that are stored as their body, each with a member that the body must have. */
const MEMBERS = {
  marks: 'marks',
  reading: 'reading',
  margins: 'readings',
  opening: 'prices',
  venue: 'update',
  operator: 'action',
  health: 'isDegraded',
  rules: 'rules',
  stops: 'instrumentId',
  'strategy-failed': 'failure',
} as const satisfies Record<
  Exclude<EngineEvent['kind'], 'candles' | 'timer' | 'end' | 'ticker'>,
  string
>;

function isWithBody(kind: string): kind is keyof typeof MEMBERS {
  return Object.hasOwn(MEMBERS, kind);
}

function candleFromRow({ stream, openTime, ...prices }: CandleRow): Candle {
  const interval = parseInterval(stream.content);
  const { open, high, low, close, volume } = prices;
  return {
    instrumentId: parseInstrumentId(stream.instrument),
    interval,
    openTime,
    closeTime: closeTimeOf(openTime, interval),
    open,
    high,
    low,
    close,
    volume,
  };
}

function readObject(body: string | null, member: string): Readonly<Record<string, unknown>> {
  const value = readExact(body ?? '');
  if (typeof value !== 'object' || value === null || !(member in value)) {
    throw new Error(`a body without "${member}"`);
  }
  return value as Readonly<Record<string, unknown>>;
}
