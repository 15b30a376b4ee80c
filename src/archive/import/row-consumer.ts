import { DataError } from '../../domain/index.js';
import { mapColumns, type ColumnMap } from './column-map.js';
import { PlainRow } from './plain-row.js';
import { isSimplyQuoted, splitSimplyQuoted } from './quoted-row.js';
import { RowReader, type RowTarget } from './row-reader.js';
import { MOST_ROWS } from './text-bounds.js';

interface RowConsumerOptions {
  /** Names of the columns in order, where the file has no header or an unusual one. */
  readonly columns: readonly string[] | undefined;
  /** Byte between two cells. */
  readonly delimiter: number;
  readonly onProgress: ((rows: number) => void) | undefined;
}

const PROGRESS_ROWS = 50_000;

/** Tells the header from the rows and hands the rows on with their numbers. */
export class RowConsumer {
  readonly #target: RowTarget;
  readonly #options: RowConsumerOptions;
  #reader: RowReader | undefined;
  #plain: PlainRow | undefined;
  #number = 0;

  constructor(target: RowTarget, options: RowConsumerOptions) {
    this.#target = target;
    this.#options = options;
  }

  /** Rows that were taken, the header and blank lines counted. */
  get number(): number {
    return this.#number;
  }

  /** Takes the row in [from, to), which has no quotes. */
  takeBytes(bytes: Buffer, from: number, to: number): void {
    if (from === to) {
      this.#count();
      return;
    }
    if (this.#plain?.read(bytes, from, to) === true) {
      this.#count();
      this.#target.rows.add(this.#plain.values, this.#number);
      return;
    }
    this.take(bytes.toString('utf8', from, to).split(String.fromCharCode(this.#options.delimiter)));
  }

  /** Takes the row in [from, to) if its quotes are simply around cells. Otherwise takes nothing and returns false. */
  takeQuoted(bytes: Buffer, from: number, to: number): boolean {
    const { delimiter } = this.#options;
    if (!isSimplyQuoted(bytes, { from, to, delimiter })) return false;
    if (this.#plain?.read(bytes, from, to) === true) {
      this.#count();
      this.#target.rows.add(this.#plain.values, this.#number);
    } else {
      const row = bytes.toString('utf8', from, to);
      this.take(splitSimplyQuoted(row, String.fromCharCode(delimiter)));
    }
    return true;
  }

  /** Takes a row of cells. */
  take(cells: readonly string[]): void {
    this.#count();
    const isBlank = cells.length === 1 && (cells[0] ?? '').trim() === '';
    if (isBlank) return;
    if (this.#reader !== undefined) {
      this.#reader.read(cells, this.#number);
      return;
    }
    const isHeader = !/^\s*[+-]?\d/.test(cells.find((cell) => cell.trim() !== '') ?? '');
    const names = this.#options.columns ?? (isHeader ? cells : undefined);
    const map = this.#mapOf(cells.length, names);
    this.#reader = new RowReader(this.#target, map, names ?? []);
    this.#plain = new PlainRow(map, this.#options.delimiter, this.#target.times);
    if (!isHeader) this.#reader.read(cells, this.#number);
  }

  #count(): void {
    this.#number += 1;
    if (this.#number % PROGRESS_ROWS === 0) this.#options.onProgress?.(this.#number);
    if (this.#number <= MOST_ROWS) return;
    throw new DataError(
      'E_DATA_FORMAT',
      `${this.#target.path}: expected at most ${String(MOST_ROWS)} rows in one file, received more; split it`,
    );
  }

  #mapOf(cells: number, names: readonly string[] | undefined): ColumnMap {
    const { layout, path } = this.#target;
    if (names !== undefined) return mapColumns(layout, names, path);
    const { dumpColumns } = layout;
    if (cells === dumpColumns) return layout.columns.map((_, index) => index);
    const dump =
      dumpColumns === undefined ? '' : `, or ${String(dumpColumns)} columns without a header`;
    throw new DataError(
      'E_DATA_COLUMN',
      `${path} row ${String(this.#number)}: expected a header${dump}, received ${String(cells)} columns without a header; name them in order with --columns`,
    );
  }
}
