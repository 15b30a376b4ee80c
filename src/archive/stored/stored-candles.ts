import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { CandleColumns, EpochMs } from '../../domain/index.js';
import type { ReadRange } from '../archive.js';
import { findInvalidRow } from '../check/validate.js';
import { allocateColumns, COLUMN_NAMES } from '../columns/columns.js';
import { timestampsToNumbers } from '../files/arrow-encode.js';
import { endsInside, readError, type OpenFile } from '../files/data-file.js';
import { CANDLES_METADATA } from '../files/metadata.js';
import {
  MAGIC,
  openError,
  proveHash,
  proveDescription,
  proveHead,
  proveTail,
  type DescribedFile,
} from '../files/prove-file.js';
import { isWrittenBefore, markAsWrittenBefore } from '../files/written-before.js';
import type { SeriesInfo } from './series.js';

/** Columns read from a file, and the number (from 0) that the first of the rows has in it. */
interface RowsRead {
  readonly columns: CandleColumns;
  readonly firstRow: number;
  /** The first of the rows, counted from 0, that no candle can have; -1 when there is none. */
  readonly invalidRow: number;
}

/** Which file, what its metadata says of it, and how it is opened. */
interface StoredCandlesSource extends DescribedFile {
  readonly open: OpenFile;
  /** Where the metadata lies. */
  readonly metadata: string;
  /** Whether every byte is proved first. @defaultValue false: only if the file changed after its metadata, and only once */
  readonly verify?: boolean | undefined;
}

const NUMBER_BYTES = 8;
/** 12 MB: small enough to be checked while it is in the cache. */
const PIECE_ROWS = 256 * 1024;

/**
 * An open Arrow file of the archive, proved to be the one its metadata describes.
 *
 * It is read without the Arrow library, whose import alone takes 0.09 s: the metadata's hash of the head proves schema and layout,
 * and the columns lie behind it one after the other.
 */
export class StoredCandles {
  readonly handle: FileHandle;
  readonly #info: SeriesInfo;
  readonly #path: string;

  private constructor(handle: FileHandle, info: SeriesInfo, path: string) {
    this.handle = handle;
    this.#info = info;
    this.#path = path;
  }

  /**
   * Opens the file. Close it.
   *
   * @throws {DataError} `E_DATA_MISSING` without the file, `E_DATA_CORRUPT` when it is damaged or cut short, `E_DATA_TORN` when it
   * and its metadata come from different writes.
   */
  static async open(source: StoredCandlesSource): Promise<StoredCandles> {
    const handle = await openStored(source);
    const stored = new StoredCandles(handle, source.info, source.path);
    try {
      await stored.#prove(source);
      return stored;
    } catch (error) {
      await handle.close();
      throw readError(source.path, error);
    }
  }

  /** Opens the file, hands it to `use` and closes it. Errors as {@link open}. */
  static async use<T>(
    source: StoredCandlesSource,
    use: (stored: StoredCandles) => Promise<T>,
  ): Promise<T> {
    const stored = await StoredCandles.open(source);
    try {
      return await use(stored);
    } catch (error) {
      throw readError(source.path, error);
    } finally {
      await stored.close();
    }
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  /**
   * Reads the rows whose open time is in `[from, to)`; only they are read from the disk.
   *
   * While one piece is converted and checked, the threads of the pool read the next.
   */
  async read(range: ReadRange): Promise<RowsRead> {
    const firstRow = range.from === undefined ? 0 : await this.rowsBefore(range.from);
    const endRow = range.to === undefined ? this.#info.rows : await this.rowsBefore(range.to);
    const columns = allocateColumns(Math.max(0, endRow - firstRow));
    const rows = columns.openTime.length;
    let invalidRow = -1;
    let reading = this.#readPiece(columns, firstRow, 0);
    for (let start = 0; start < rows; start += PIECE_ROWS) {
      await reading;
      const end = Math.min(rows, start + PIECE_ROWS);
      reading = this.#readPiece(columns, firstRow, end);
      timestampsToNumbers(columns.openTime.subarray(start, end));
      if (invalidRow < 0) invalidRow = findInvalidRow(columns, start, end);
    }
    await reading;
    return { columns, firstRow, invalidRow };
  }

  async #readPiece(columns: CandleColumns, firstRow: number, start: number): Promise<void> {
    await Promise.all(
      COLUMN_NAMES.map((name, index) =>
        this.#readInto(
          columns[name].subarray(start, start + PIECE_ROWS),
          index * this.#info.rows + firstRow + start,
        ),
      ),
    );
  }

  /** @throws {DataError} `E_DATA_CORRUPT` unless every byte is as it was written. */
  async #verify(): Promise<void> {
    const hash = createHash('sha256');
    const buffer = new Uint8Array(1024 * 1024);
    for (let position = 0; ;) {
      const { bytesRead } = await this.handle.read(buffer, 0, buffer.byteLength, position);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      position += bytesRead;
    }
    proveHash({ path: this.#path, info: this.#info }, hash.digest('hex'));
  }

  async #prove({ metadata, verify = false }: StoredCandlesSource): Promise<void> {
    const file = { path: this.#path, info: this.#info };
    const { bytes, headBytes } = this.#info.file;
    const { size, ctimeMs } = await this.handle.stat();
    const head = await this.#readBytes(0, Math.min(headBytes, size));
    proveHead(file, size, head);
    proveDescription(this.#path, head, CANDLES_METADATA.formatDescription(this.#info));
    proveTail(file, await this.#readBytes(bytes - MAGIC.length, MAGIC.length));
    const isAsWritten = await isWrittenBefore({ ctimeMs }, metadata);
    if (verify || !isAsWritten) await this.#verify();
    if (!isAsWritten) await markAsWrittenBefore(metadata);
  }

  /** How many rows open before `time`. Binary search on the disk, about 25 reads of 8 bytes. */
  async rowsBefore(time: EpochMs): Promise<number> {
    const cell = new Float64Array(1);
    let low = 0;
    let high = this.#info.rows;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      await this.#readInto(cell, middle);
      timestampsToNumbers(cell);
      if ((cell[0] ?? Infinity) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Reads numbers starting with the `index`-th of the body, all columns counted. */
  async #readInto(target: Float64Array, index: number): Promise<void> {
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    await this.#fill(bytes, this.#info.file.headBytes + index * NUMBER_BYTES);
  }

  async #readBytes(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length);
    await this.#fill(bytes, position);
    return bytes;
  }

  async #fill(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.byteLength;) {
      const { bytesRead } = await this.handle.read(
        bytes,
        done,
        bytes.byteLength - done,
        position + done,
      );
      if (bytesRead === 0) {
        throw endsInside(this.#path, position + done);
      }
      done += bytesRead;
    }
  }
}

async function openStored({ path, info, open }: StoredCandlesSource): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw openError({ path, info }, error);
  }
}
