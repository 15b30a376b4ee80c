import { basename } from 'node:path';
import { DataError } from '../../domain/index.js';
import type { CandleFileFormat } from './file-signatures.js';
import type { CandleFile } from './read-candle-file.js';
import type { RefusedRows } from './refused-rows.js';
import type { RowStore } from './row-store.js';

/** What was found in a file. */
export interface FileReport {
  /** Name of the file; in a ZIP archive after the name of the archive. */
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

/** Thrown when a part of a file cannot be judged alone: its rows do not all come after the earlier parts, or it is refused for a code of `OF_THE_WHOLE`. */
export class ReadAtOnce extends Error {}

/** Error codes that a part may have although the whole file has no error. */
const OF_THE_WHOLE: readonly string[] = ['E_DATA_EMPTY', 'E_DATA_INTERVAL'];
/** As many examples as `RefusedRowLog` keeps. */
const MOST_EXAMPLES = 10;

/** The parts of a file that were read so far. */
interface Found {
  readonly report: FileReport;
  /** Number of rows whose cells could be read. */
  readonly rows: number;
  readonly unfit: RefusedRows;
  readonly latest: number;
}

/** Puts the rows of one or more files in order, part by part, and reports the findings of each file. */
export class FoundFiles<Columns> {
  readonly #path: string;
  readonly #store: Pick<RowStore<Columns, unknown>, 'clean' | 'layout'>;
  readonly #isInParts: boolean;
  readonly #done: FileReport[] = [];
  #last: Found | undefined;

  /** @param path - of the file, or of the ZIP archive that holds the files. */
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
   * @throws {ReadAtOnce} if the parts may give another result than the whole file.
   * @throws {DataError} as `RowStore.clean`.
   */
  take(part: CandleFile): Columns {
    const before = part.isContinued ? this.#last : undefined;
    if (before === undefined && this.#last !== undefined) this.#done.push(this.#last.report);
    const { earliest, latest } = spanOf(part);
    if (before !== undefined && !(earliest > before.latest)) throw new ReadAtOnce();
    const clean = this.#clean(part);
    // Stored times may differ from those of the file: funding times snap to whole minutes.
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
