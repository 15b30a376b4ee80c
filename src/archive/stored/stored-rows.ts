import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { DataError, type CandleColumns, type EpochMs, type RowSource } from '../../domain/index.js';
import { describeInvalidRow, findInvalidRow } from '../check/validate.js';
import { allocateColumns, COLUMN_NAMES, sliceColumns } from '../columns/columns.js';
import { timestampsToNumbers } from '../files/arrow-encode.js';
import { readFully } from '../files/data-file.js';
import type { SeriesInfo } from './series.js';

const NUMBER_BYTES = 8;
/** Numbers of a column that are hashed at once: 512 kB. */
const PIECE_ROWS = 64 * 1024;

/** An Arrow file of the archive that is open and was proved to be the one its metadata describes. */
interface ProvedFile {
  readonly handle: FileHandle;
  readonly info: SeriesInfo;
  readonly path: string;
}

/**
 * The first rows of an open file of the archive, read when they are needed. The reads are synchronous, because code in the middle of an
 * instant needs the row at once and cannot wait for a promise.
 *
 * @throws {DataError} from every method, as `Archive.read`.
 */
export class StoredRows implements RowSource {
  readonly #file: ProvedFile;
  readonly length: number;
  readonly #cell = new Float64Array(1);
  /** All rows before this one were read and found valid. They are not checked again. */
  #validEnd = 0;

  constructor(file: ProvedFile, length: number) {
    this.#file = file;
    this.length = length;
  }

  read(first: number, end: number, reuse?: CandleColumns): CandleColumns {
    const rows = end - first;
    const fits = reuse !== undefined && reuse.openTime.length >= rows;
    const columns = fits ? sliceColumns(reuse, 0, rows) : allocateColumns(rows);
    for (const name of COLUMN_NAMES) this.readColumn(name, first, columns[name]);
    if (end <= this.#validEnd) return columns;
    const invalid = findInvalidRow(columns);
    if (invalid >= 0) throw this.#defect(first + invalid, describeInvalidRow(columns, invalid));
    this.#requireRising(first, columns);
    if (first <= this.#validEnd) this.#validEnd = end;
    return columns;
  }

  openTimeOf(row: number): EpochMs {
    this.readColumn('openTime', row, this.#cell);
    return this.#cell[0] ?? Number.NaN;
  }

  /** SHA-256 of the values, as `hashColumns` has it. */
  hash(): string {
    const { info } = this.#file;
    if (this.length === info.rows) return info.columnsSha256;
    const hash = createHash('sha256');
    const piece = new Float64Array(Math.min(PIECE_ROWS, this.length));
    for (const name of COLUMN_NAMES) {
      for (let row = 0; row < this.length; row += piece.length) {
        const values = piece.subarray(0, this.length - row);
        this.readColumn(name, row, values);
        hash.update(values);
      }
    }
    return hash.digest('hex');
  }

  /** Times within the columns are known to rise. This checks the first of them against the row before. */
  #requireRising(first: number, { openTime }: CandleColumns): void {
    if (first === 0 || openTime.length === 0) return;
    if ((openTime[0] ?? Number.NaN) > this.openTimeOf(first - 1)) return;
    const pair = allocateColumns(2);
    for (const name of COLUMN_NAMES) this.readColumn(name, first - 1, pair[name]);
    throw this.#defect(first, describeInvalidRow(pair, 1));
  }

  /** Fills `target` with a column from its `first` row on. */
  readColumn(name: (typeof COLUMN_NAMES)[number], first: number, target: Float64Array): void {
    const { handle, info, path } = this.#file;
    const index = COLUMN_NAMES.indexOf(name) * info.rows + first;
    readFully(
      { fd: handle.fd, path },
      new Uint8Array(target.buffer, target.byteOffset, target.byteLength),
      info.file.headBytes + index * NUMBER_BYTES,
    );
    if (name === 'openTime') timestampsToNumbers(target);
  }

  #defect(row: number, what: string): DataError {
    return new DataError('E_DATA_DEFECT', `${this.#file.path} row ${String(row + 1)}: ${what}`);
  }
}
