import type { RunMode } from './epoch.js';
import type { CandleRow, CommandRow, EventRow, IntentRow } from './event-rows.js';

/** Entries per read. */
export const PAGE = 1_024;

export const EVENTS = `SELECT events.id, time, kind, instrument, content, body, digest FROM events LEFT JOIN streams ON streams.id = events.stream
  WHERE events.id >= ? AND events.id < ? ORDER BY events.id`;
export const CANDLES = `SELECT event, instrument, content, open_time AS openTime, open, high, low, close, volume
  FROM candles JOIN streams ON streams.id = candles.stream WHERE event >= ? AND event < ? ORDER BY event, position`;
/** An event has at most one candle of a series. */
export const TOLD = `SELECT event, open_time AS openTime, open, high, low, close, volume FROM candles
  WHERE stream = (SELECT id FROM streams WHERE instrument = ? AND content = ?) AND event < ? ORDER BY event DESC LIMIT ?`;
export const COMMANDS_BETWEEN = `SELECT event, kind, client_order_id AS clientOrderId, instrument, body FROM commands
  WHERE event >= ? AND event < ? ORDER BY event, position`;
export const INTENTS = `SELECT event, intent AS intentId, time, body FROM intents WHERE event >= ? AND event < ?
  ORDER BY event, position`;
export const STATES =
  'SELECT event, body FROM states WHERE event >= ? AND event < ? ORDER BY event';
export const KEPT = `SELECT event, time, checkpoints.body, checkpoints.digest, events.digest AS chain
  FROM checkpoints JOIN events ON events.id = event WHERE event >= ? ORDER BY event DESC LIMIT 1`;
export const COMMAND_TIMES =
  'SELECT DISTINCT time FROM commands JOIN events ON events.id = event ORDER BY event DESC LIMIT ?';
export const LAST_TIME = 'SELECT time FROM events ORDER BY id DESC LIMIT 1';
export const REQUESTS = "SELECT body FROM commands WHERE kind = 'submit' ORDER BY event, position";
/** Between two events: the first is included. */
export const UPDATES =
  "SELECT body FROM events WHERE kind = 'venue' AND id >= ? AND id < ? ORDER BY id";

export interface EventColumns {
  readonly id: number;
  readonly time: number;
  readonly kind: string;
  readonly instrument: string | null;
  readonly content: string | null;
  readonly body: string | null;
  readonly digest: Uint8Array;
}

export interface KeptColumns {
  readonly event: number;
  readonly time: number;
  readonly body: string;
  readonly digest: Uint8Array;
  readonly chain: Uint8Array;
}

export interface StoredCandleColumns extends Omit<CandleRow, 'stream'> {
  readonly event: number;
  readonly instrument: string;
  readonly content: string;
}

export interface ToldColumns extends Omit<CandleRow, 'stream'> {
  readonly event: number;
}

export interface CommandColumns extends CommandRow {
  readonly event: number;
}

export interface IntentColumns extends IntentRow {
  readonly event: number;
}

export interface StateColumns {
  readonly event: number;
  readonly body: string;
}

export interface EpochRow {
  readonly id: number;
  readonly first_event: number;
  readonly bot: string;
  readonly mode: RunMode;
  readonly plugin_hash: string;
  readonly parameters_hash: string;
  readonly config_hash: string;
  readonly terms_hash: string;
  readonly engine: string;
  readonly seed: number;
  readonly constructed: number;
  readonly started: number;
  readonly source: string;
  readonly checkpoint: string;
  readonly closed: string | null;
  readonly ending: string | null;
  /** Null if a version without digests wrote the row. */
  readonly digest: Uint8Array | null;
}

export function eventRowOf({ time, kind, instrument, content, body }: EventColumns): EventRow {
  const stream = instrument === null || content === null ? undefined : { instrument, content };
  return { time, kind, stream, body };
}

export function candleRowOf({ instrument, content, ...row }: StoredCandleColumns): CandleRow {
  return { ...row, stream: { instrument, content } };
}

/** Rows of one table in the order of their events; the reader takes them event by event. */
export class RowsByEvent<Row extends { readonly event: number }> {
  readonly #rows: readonly Row[];
  #next = 0;

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  /** Takes the rows of one event. Rows of earlier events that were not taken are skipped. */
  take(event: number): readonly Row[] {
    const rows = this.#rows;
    while ((rows[this.#next]?.event ?? event) < event) this.#next += 1;
    const first = this.#next;
    while (rows[this.#next]?.event === event) this.#next += 1;
    return rows.slice(first, this.#next);
  }
}
