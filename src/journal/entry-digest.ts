import { hash } from 'node:crypto';
import type { CandleRow, CommandRow, EventRow, IntentRow } from './event-rows.js';

/** Bytes kept of a SHA-256: enough to find every accidental change. They give no protection against a person who recomputes them. */
const DIGEST_BYTES = 8;

/** First digest of the chain of an epoch. */
export const FIRST_DIGEST: Uint8Array = new Uint8Array(DIGEST_BYTES);

/** The rows of one entry. */
export interface EntryRows {
  readonly event: EventRow;
  readonly candles: readonly CandleRow[];
  readonly commands: readonly CommandRow[];
  readonly intents: readonly IntentRow[];
  /** The strategy's state after the event; undefined if the event did not change it. */
  readonly state: string | undefined;
}

/** Digest of an entry and of all entries before it in its epoch. So the reader finds altered and missing entries. */
export function digestEntry(
  before: Uint8Array,
  { event, candles, commands, intents, state }: EntryRows,
): Uint8Array {
  const { time, kind, stream, body } = event;
  // Each text has its length before it, so that two different entries never give the same text.
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

/** Digest of all columns of a row of `epochs` except the digest. */
export function digestEpoch(row: object): Uint8Array {
  return shortened(JSON.stringify({ ...row, digest: undefined }));
}

/** Digest of a checkpoint. It also depends on the entry before the checkpoint, and on all entries before that. */
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
