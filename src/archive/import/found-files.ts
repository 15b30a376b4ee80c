import { basename } from 'node:path';
import { DataError } from '../../domain/index.js';
import type { CandleFileFormat } from './file-signatures.js';
import type { CandleFile } from './read-candle-file.js';
import type { RefusedRows } from './refused-rows.js';
import type { RowStore } from './row-store.js';

/** What was found in a file. */
export interface FileReport {
  /** Name of the file, in a ZIP archive behind that of the archive. */
  readonly name: string;
  readonly format: CandleFileFormat;
  readonly timeFormat: string;
  /** Rows in the file, the header and blank lines not counted. */
  readonly rowsRead: number;
  /** Rows that came after a later one in the file; they were put in order. */
  readonly unordered: number;
  /** Rows dropped because an equal one came before in the file. */
  readonly repeated: number;
  readonly refused: RefusedRows;
}

/** A part of a file is not to be judged by itself: its rows do not all come after those before it, or none of them can be stored. */
export class ReadAtOnce extends Error {}

/** Codes of what a part may be refused for and the whole file not. */
const OF_THE_WHOLE: readonly string[] = ['E_DATA_EMPTY', 'E_DATA_INTERVAL'];
/** As a log of refused rows keeps. */
const MOST_EXAMPLES = 10;

/** A file so far. */
interface Found {
  readonly report: FileReport;
  /** Of the cells that could be read. */
  readonly rows: number;
  readonly unfit: RefusedRows;
  readonly latest: number;
}

/** Puts the rows of a file in order, part by part, and says what was found in it and in others beside it. */
export class FoundFiles<Columns> {
  readonly #path: string;
  readonly #store: Pick<RowStore<Columns, unknown>, 'clean' | 'layout'>;
  readonly #isInParts: boolean;
  readonly #done: FileReport[] = [];
  #last: Found | undefined;

  /** @param path - of the file, or of the archive that holds them. */
  constructor(
    path: string,
    store: Pick<RowStore<Columns, unknown>, 'clean' | 'layout'>,
    { isInParts }: { readonly isInParts: boolean },
  ) {
    this.#path = path;
    this.#store = store;
    this.#isInParts = isInParts;
  }

  get reports(): readonly FileReport[] {
    return this.#last === undefined ? this.#done : [...this.#done, this.#last.report];
  }

  /**
   * The rows of the next part, in order.
   *
   * @throws {ReadAtOnce} where the parts do not say what the whole file would.
   * @throws {DataError} as `RowStore.clean`.
   */
  take(part: CandleFile): Columns {
    const before = part.isContinued ? this.#last : undefined;
    if (before === undefined && this.#last !== undefined) this.#done.push(this.#last.report);
    const { earliest, latest } = spanOf(part);
    if (before !== undefined && !(earliest > before.latest)) throw new ReadAtOnce();
    const clean = this.#clean(part);
    // Stored times may be others than those of the file: funding has whole minutes.
    const times = this.#store.layout.fileColumns(clean.columns)[0]?.values ?? new Float64Array();
    const [first = Infinity, last = -Infinity] = [times[0], times.at(-1)];
    if (before !== undefined && !(first > before.latest)) throw new ReadAtOnce();
    const rows = part.rows.length + (before?.rows ?? 0);
    const unfit = joinRefused(before?.unfit, clean.refused, MOST_EXAMPLES);
    const report = {
      name: `${basename(this.#path)}${part.path.slice(this.#path.length)}`,
      format: part.format,
      timeFormat: part.timeFormat,
      rowsRead: rows + part.unreadable.count,
      unordered: clean.unordered + (before?.report.unordered ?? 0),
      repeated: clean.duplicates + (before?.report.repeated ?? 0),
      refused: joinRefused(part.unreadable, unfit),
    };
    this.#last = { report, rows, unfit, latest: Math.max(latest, last) };
    return clean.columns;
  }

  #clean(part: CandleFile): ReturnType<RowStore<Columns, unknown>['clean']> {
    try {
      return this.#store.clean(part);
    } catch (error) {
      const isOfWhole = error instanceof DataError && OF_THE_WHOLE.includes(error.code);
      throw isOfWhole && this.#isInParts ? new ReadAtOnce() : error;
    }
  }
}

function spanOf({ rows }: CandleFile): { readonly earliest: number; readonly latest: number } {
  let [earliest, latest] = [Infinity, -Infinity];
  for (const time of rows.columns[0] ?? []) {
    if (time < earliest) earliest = time;
    if (time > latest) latest = time;
  }
  return { earliest, latest };
}

function joinRefused(
  first: RefusedRows = { count: 0, examples: [] },
  second: RefusedRows,
  most = Infinity,
): RefusedRows {
  const examples = [...first.examples, ...second.examples].sort((a, b) => a.row - b.row);
  return { count: first.count + second.count, examples: examples.slice(0, most) };
}
