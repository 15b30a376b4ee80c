import { formatUtc, TradingError, type EpochMs } from '../../../domain/index.js';

/** A range of time that could not be recorded. */
export interface RecordedGap {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

interface RecordedRowsOptions<Row> {
  /** Name of the series for people: `spot:BTCUSDT 1h`. */
  readonly name: string;
  /** Stores rows. Rows that are stored already do not change. */
  readonly merge: (
    rows: readonly Row[],
  ) => Promise<{ readonly added: number; readonly info: { readonly rows: number } }>;
  /** Number of stored rows at the begin. */
  readonly storedRows: number;
  /** Writes a line for the operator. */
  readonly say: (line: string) => void;
  /** Called with a bug. */
  readonly onFailure: (error: unknown) => void;
}

/** Each write rewrites the whole series. So rows wait until the series is at most this many times as long as they are. */
const LEAST_SHARE = 2_000;
/** With this many waiting rows a write happens in any case. A venue serves far more klines again after a kill. */
const MOST_WAITING = 60;

/**
 * Rows of one series during a recording. They wait in memory until a write is worthwhile, or while writes fail. Writes are in order, one at a time.
 */
export class RecordedRows<Row> {
  readonly #options: RecordedRowsOptions<Row>;
  readonly gaps: RecordedGap[] = [];
  #waiting: Row[] = [];
  #added = 0;
  #storedRows: number;
  #writing: Promise<void> = Promise.resolve();
  #failure: TradingError | undefined;

  constructor(options: RecordedRowsOptions<Row>) {
    this.#options = options;
    this.#storedRows = options.storedRows;
  }

  get name(): string {
    return this.#options.name;
  }

  /** Rows that were stored. */
  get added(): number {
    return this.#added;
  }

  /** The error of the last write, while it failed. */
  get failure(): TradingError | undefined {
    return this.#failure;
  }

  /** Adds a row behind all others. */
  add(row: Row): void {
    this.#waiting.push(row);
    const { length } = this.#waiting;
    if (length >= MOST_WAITING || length * LEAST_SHARE >= this.#storedRows) void this.flush();
  }

  /** Replaces a row that still waits. Returns false if no such row waits. */
  revise(row: Row, isSame: (waiting: Row) => boolean): boolean {
    const place = this.#waiting.findIndex(isSame);
    if (place < 0) return false;
    this.#waiting[place] = row;
    return true;
  }

  /** Notes a gap and reports it. */
  miss({ from, to }: RecordedGap, why: string): void {
    this.gaps.push({ from, to });
    this.#options.say(`${this.name}: gap from ${formatUtc(from)} to ${formatUtc(to)}: ${why}`);
  }

  /** Counts rows that other code has stored. */
  stored(added: number, rows: number): void {
    this.#added += added;
    this.#storedRows = rows;
  }

  /** Stores the waiting rows after all earlier writes. Rows that cannot be stored keep waiting. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const rows = this.#waiting;
    if (rows.length === 0) return;
    this.#waiting = [];
    try {
      const { added, info } = await this.#options.merge(rows);
      this.stored(added, info.rows);
      if (this.#failure !== undefined) this.#options.say(`${this.name}: waiting rows are stored`);
      this.#failure = undefined;
    } catch (error: unknown) {
      this.#waiting = [...rows, ...this.#waiting];
      if (error instanceof TradingError) this.#fail(error);
      else this.#options.onFailure(error);
    }
  }

  #fail(error: TradingError): void {
    const { message, code } = error;
    if (message !== this.#failure?.message) {
      this.#options.say(`${this.name}: cannot store, rows are waiting: ${message} (${code})`);
    }
    this.#failure = error;
  }
}
