import type { FileHandle } from 'node:fs/promises';
import { DataError } from '../../domain/index.js';
import { LINE_START, readLine, type LedgerLine } from './trial-record.js';

const CHUNK_BYTES = 1024 * 1024;
/** Longer than any line: what has no line feed for so long is none. */
const MAX_LINE_BYTES = 4 * CHUNK_BYTES;
const LINE_FEED = 10;

interface RawLine {
  readonly bytes: Buffer;
  /** Where it begins. */
  readonly offset: number;
  /** Whether a line feed ends it. */
  readonly isEnded: boolean;
}

/** Where a ledger can be written on. */
export interface LedgerEnd {
  /** Bytes up to the end of the last whole line. */
  readonly bytes: number;
  /** Bytes behind it that a crash left. */
  readonly torn: number;
}

/**
 * Gives every whole line of a ledger to `onLine`, in order, and returns where it ends. A crash while lines were being written can leave
 * damaged ones, but only behind all whole ones.
 *
 * @throws {DataError} `E_TRIALS_DAMAGED` naming a damaged line that whole ones follow; `E_TRIALS_FOREIGN` when the file is no ledger.
 */
export async function readLedger(
  file: string,
  handle: FileHandle,
  onLine: (line: LedgerLine) => void,
): Promise<LedgerEnd> {
  const { size } = await handle.stat();
  let number = 0;
  let whole = 0;
  let damaged: { readonly number: number; readonly line: RawLine } | undefined;
  for await (const raw of rawLines(handle)) {
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
    onLine(line);
  }
  if (damaged !== undefined && whole === 0) refuseForeign(file, damaged.line.bytes);
  return { bytes: whole, torn: size - whole };
}

/** Without one whole line, what is there must look like the beginning of one: nothing else is ever cut off. */
function refuseForeign(file: string, first: Buffer): void {
  const start = first.subarray(0, LINE_START.length).toString('utf8');
  // A crash can leave zeros where bytes should be.
  if (LINE_START.startsWith(start.replace(/\0+$/, ''))) return;
  throw new DataError('E_TRIALS_FOREIGN', `${file}: not a ledger of trials; it was not changed`);
}

/** Lines without their line feeds; what follows the last line feed is one too. */
async function* rawLines(handle: FileHandle): AsyncGenerator<RawLine> {
  let rest = Buffer.alloc(0);
  let offset = 0;
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafe(CHUNK_BYTES),
      0,
      CHUNK_BYTES,
      position,
    );
    if (bytesRead === 0) break;
    position += bytesRead;
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED, start)) {
      yield { bytes: rest.subarray(start, end), offset: offset + start, isEnded: true };
      start = end + 1;
    }
    offset += start;
    rest = rest.subarray(start);
    if (rest.length > MAX_LINE_BYTES) break;
  }
  if (rest.length > 0) yield { bytes: rest, offset, isEnded: false };
}
