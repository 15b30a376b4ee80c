import { DataError } from '../../domain/index.js';
import type { RowConsumer } from './row-consumer.js';
import { LONGEST_ROW } from './text-bounds.js';

/** How the rows of a file end. The first line end of a file counts for all its rows. */
export type LineEnd = '\n' | '\r\n';

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;

/** Finds how the rows of a file end, from its first piece; undefined if the piece has no line end, or one of another kind. */
export function findLineEnd(bytes: Uint8Array): LineEnd | undefined {
  const newline = bytes.indexOf(NEWLINE);
  if (newline < 0) return undefined;
  const carriage = bytes.subarray(0, newline).indexOf(RETURN);
  if (carriage < 0) return '\n';
  return carriage === newline - 1 ? '\r\n' : undefined;
}

/**
 * Cuts text into rows at line ends, and passes them on as bytes. Stops at the start of a row whose quotes are not simply around cells, or that
 * has another line end than the first row: the rest needs a full CSV parser.
 */
export class PlainLines {
  readonly #consumer: RowConsumer;
  readonly #path: string;
  readonly #hasReturn: boolean;
  /** The start of a row whose end has not come yet. */
  #pending: Buffer = Buffer.alloc(0);

  constructor(consumer: RowConsumer, path: string, lineEnd: LineEnd) {
    this.#consumer = consumer;
    this.#path = path;
    this.#hasReturn = lineEnd === '\r\n';
  }

  /** Takes the next piece of the text. Returns the rest from the first row that is not plain: it and all later pieces need a full CSV parser. */
  take(piece: Buffer): Buffer | undefined {
    const bytes = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece]);
    this.#pending = Buffer.alloc(0);
    const hasQuotes = bytes.includes(QUOTE);
    let from = 0;
    for (;;) {
      const newline = bytes.indexOf(NEWLINE, from);
      if (newline < 0) break;
      const to = this.#hasReturn ? newline - 1 : newline;
      if (this.#hasReturn && (to < from || bytes[to] !== RETURN)) return bytes.subarray(from);
      this.#requireShort(to - from);
      if (!this.#take({ bytes, from, to, hasQuotes })) return bytes.subarray(from);
      from = newline + 1;
    }
    this.#pending = bytes.subarray(from);
    this.#requireShort(this.#pending.length);
    return undefined;
  }

  /** Takes the last row, which may have no line end. Returns it if it is not plain. */
  end(): Buffer | undefined {
    const bytes = this.#pending;
    if (bytes.length === 0) return undefined;
    const row = { bytes, from: 0, to: bytes.length, hasQuotes: bytes.includes(QUOTE) };
    return this.#take(row) ? undefined : bytes;
  }

  #take({
    bytes,
    from,
    to,
    hasQuotes,
  }: {
    readonly bytes: Buffer;
    readonly from: number;
    readonly to: number;
    readonly hasQuotes: boolean;
  }): boolean {
    if (hasQuotes) return this.#consumer.takeQuoted(bytes, from, to);
    this.#consumer.takeBytes(bytes, from, to);
    return true;
  }

  #requireShort(length: number): void {
    if (length <= LONGEST_ROW) return;
    throw new DataError(
      'E_DATA_ROW',
      `${this.#path} row ${String(this.#consumer.number + 1)}: expected at most ${String(LONGEST_ROW)} bytes in a row, received more`,
    );
  }
}
