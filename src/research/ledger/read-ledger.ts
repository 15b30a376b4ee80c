import type { FileHandle } from 'node:fs/promises';
import { DataError } from '../../domain/index.js';
import { LINE_START, readLine, type LedgerLine } from './trial-record.js';

const CHUNK_BYTES = 1024 * 1024;
/** Longest line. Bytes without a line feed for longer are not a line. */
const MAX_LINE_BYTES = 4 * CHUNK_BYTES;
/** Longer than most lines. */
const LIKELY_BYTES = 4 * 1024;
const LINE_FEED = 10;

interface RawLine {
  readonly bytes: Buffer;
  /** Byte at which it begins. */
  readonly offset: number;
  /** Whether a line feed ends it. */
  readonly isEnded: boolean;
}

/** A place between two lines of a ledger. */
export interface LedgerPlace {
  /** Bytes before it. */
  readonly bytes: number;
  /** Lines before it. */
  readonly lines: number;
}

/** Where a ledger can be continued: after the last whole line. */
interface LedgerEnd extends LedgerPlace {
  /** Bytes after it that a crash left. */
  readonly torn: number;
}

/**
 * Passes every whole line of a ledger from `start` on to `onLine`, in order and with the byte at which it begins. Returns where the whole lines end. A crash
 * during a write can leave damaged lines, but only after all whole ones.
 *
 * @throws {DataError} `E_TRIALS_DAMAGED` naming a damaged line that whole ones follow; `E_TRIALS_FOREIGN` when the file is no ledger.
 */
export async function readLedger(
  file: string,
  handle: FileHandle,
  onLine: (line: LedgerLine, offset: number) => void,
  start: LedgerPlace = { bytes: 0, lines: 0 },
): Promise<LedgerEnd> {
  const { size } = await handle.stat();
  let number = start.lines;
  let lines = start.lines;
  let whole = start.bytes;
  let damaged: { readonly number: number; readonly line: RawLine } | undefined;
  for await (const raw of rawLines(handle, start.bytes)) {
    number += 1;
    const line = raw.isEnded ? readLine(raw.bytes.toString('utf8')) : undefined;
    if (line === undefined) {
      damaged ??= { number, line: raw };
      continue;
    }
    if (damaged !== undefined) {
      throw new DataError(
        'E_TRIALS_DAMAGED',
        `${file}:${String(damaged.number)}: this line is damaged, and others follow it; delete it, or name another --ledger`,
      );
    }
    whole = raw.offset + raw.bytes.length + 1;
    lines = number;
    onLine(line, raw.offset);
  }
  if (damaged !== undefined && whole === 0) refuseForeign(file, damaged.line.bytes);
  return { bytes: whole, lines, torn: size - whole };
}

/** A file without a whole line must look like the beginning of one. Other files are refused, so that nothing is cut off from them. */
function refuseForeign(file: string, first: Buffer): void {
  const start = first.subarray(0, LINE_START.length).toString('utf8');
  // A crash can leave zeros in place of bytes.
  if (LINE_START.startsWith(start.replace(/\0+$/, ''))) return;
  throw new DataError(
    'E_TRIALS_FOREIGN',
    `${file}: not a ledger of trials; the file was not changed`,
  );
}

/** Lines without their line feeds. Bytes after the last line feed are a line too. */
async function* rawLines(handle: FileHandle, start: number): AsyncGenerator<RawLine> {
  let rest = Buffer.alloc(0);
  let offset = start;
  for (let position = start; ;) {
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafe(CHUNK_BYTES),
      0,
      CHUNK_BYTES,
      position,
    );
    if (bytesRead === 0) break;
    position += bytesRead;
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    let begin = 0;
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED, begin)) {
      yield { bytes: rest.subarray(begin, end), offset: offset + begin, isEnded: true };
      begin = end + 1;
    }
    offset += begin;
    rest = rest.subarray(begin);
    if (rest.length > MAX_LINE_BYTES) break;
  }
  if (rest.length > 0) yield { bytes: rest, offset, isEnded: false };
}

/** Reads the whole line that begins at a byte; undefined if there is none. */
export async function readLineAt(
  handle: FileHandle,
  offset: number,
): Promise<LedgerLine | undefined> {
  for (let length = LIKELY_BYTES; length <= MAX_LINE_BYTES; length *= 4) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
    const end = buffer.subarray(0, bytesRead).indexOf(LINE_FEED);
    if (end !== -1) return readLine(buffer.toString('utf8', 0, end));
    if (bytesRead < length) return undefined;
  }
  return undefined;
}
