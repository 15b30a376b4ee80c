import { hash } from 'node:crypto';
import type { CandleRow, CommandRow, EventRow, IntentRow } from './event-rows.js';

/** Bytes kept of a SHA-256: enough that no accident passes unseen. They are no defense against who writes them anew. */
const DIGEST_BYTES = 8;

/** What the chain of an epoch begins with. */
export const FIRST_DIGEST: Uint8Array = new Uint8Array(DIGEST_BYTES);

/** The rows of one entry. */
export interface EntryRows {
  readonly event: EventRow;
  readonly candles: readonly CandleRow[];
  readonly commands: readonly CommandRow[];
  readonly intents: readonly IntentRow[];
  /** What the strategy keeps, where the event has changed it. */
  readonly state: string | undefined;
}

/** Digest of an entry and of all before it in its epoch: an entry that was altered, or a lost one, is seen when it is read. */
export function digestEntry(
  before: Uint8Array,
  { event, candles, commands, intents, state }: EntryRows,
): Uint8Array {
  const { time, kind, stream, body } = event;
  // Texts are set off by their length, so that no two entries read the same.
  let text = `${Buffer.from(before).toString('hex')} ${String(time)} ${kind}${written(stream?.instrument)}${written(body)}`;
  for (const candle of candles) {
    const { stream: of, openTime, open, high, low, close, volume } = candle;
    text += `\n${of.instrument} ${of.content} ${String(openTime)} ${String(open)} ${String(high)} ${String(low)} ${String(close)} ${String(volume)}`;
  }
  for (const { kind: commandKind, clientOrderId, instrument, body: order } of commands) {
    text += `\n${commandKind}${written(clientOrderId)}${written(instrument)}${written(order)}`;
  }
  for (const { intentId, time: judged, body: intent } of intents) {
    text += `\nintent ${String(intentId)} ${String(judged)}${written(intent)}`;
  }
  if (state !== undefined) text += `\nstate${written(state)}`;
  return shortened(text);
}

/** Digest of all that a row of `epochs` says but its digest. */
export function digestEpoch(row: object): Uint8Array {
  return shortened(JSON.stringify({ ...row, digest: undefined }));
}

/** Digest of what was kept after an entry: it belongs to that entry, and to all before it. */
export function digestCheckpoint(entry: Uint8Array, body: string): Uint8Array {
  return shortened(`${Buffer.from(entry).toString('hex')} checkpoint${written(body)}`);
}

function shortened(text: string): Uint8Array {
  return new Uint8Array(hash('sha256', text, 'buffer').subarray(0, DIGEST_BYTES));
}

function written(text: string | null | undefined): string {
  return text === null || text === undefined ? ' -' : ` ${String(text.length)}:${text}`;
}

export function isSameDigest(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
