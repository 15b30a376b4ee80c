import { createHash } from 'node:crypto';
import type { CandleRow, CommandRow, EventRow } from './event-rows.js';

/** Bytes kept of a SHA-256: enough that no accident passes unseen. They are no defense against who writes them anew. */
const DIGEST_BYTES = 8;

/** What the chain of an epoch begins with. */
export const FIRST_DIGEST: Uint8Array = new Uint8Array(DIGEST_BYTES);

/** The rows of one entry. */
export interface EntryRows {
  readonly event: EventRow;
  readonly candles: readonly CandleRow[];
  readonly commands: readonly CommandRow[];
}

/** Digest of an entry and of all before it in its epoch: an entry that was altered, or a lost one, is seen when it is read. */
export function digestEntry(
  before: Uint8Array,
  { event, candles, commands }: EntryRows,
): Uint8Array {
  const { time, kind, stream, body } = event;
  const lines = [line(time, kind, stream?.instrument, stream?.content, body)];
  for (const { stream: of, openTime, open, high, low, close, volume } of candles) {
    lines.push(line(of.instrument, of.content, openTime, open, high, low, close, volume));
  }
  for (const command of commands) {
    lines.push(line(command.kind, command.clientOrderId, command.instrument, command.body));
  }
  const hash = createHash('sha256').update(before).update(lines.join('\n'));
  return new Uint8Array(hash.digest().subarray(0, DIGEST_BYTES));
}

export function isSameDigest(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

function line(...members: readonly (string | number | null | undefined)[]): string {
  return JSON.stringify(members);
}
