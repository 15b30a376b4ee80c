import { formatUtc, TradingError, type EpochMs } from '../../../domain/index.js';

/** A stretch of time that could not be recorded. */
export interface RecordedGap {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export interface RecordedRowsOptions<Row> {
  /** For people: `spot:BTCUSDT 1h`. */
  readonly name: string;
  /** Stores rows. Of rows that are stored already nothing changes. */
  readonly merge: (
    rows: readonly Row[],
  ) => Promise<{ readonly added: number; readonly info: { readonly rows: number } }>;
  /** Rows that are stored at the begin. */
  readonly storedRows: number;
  /** Says something to the operator. */
  readonly say: (line: string) => void;
  /** Told of a bug. */
  readonly onFailure: (error: unknown) => void;
}

/** Every write writes the whole series again: of one so many times as long as what waits, not yet. */
const LEAST_SHARE = 2_000;
/** As many rows are written in any case: far fewer than the klines that a venue serves again after a kill. */
const MOST_WAITING = 60;

/**
 * Rows of one series that are being recorded. They wait in memory until writing them is worth it, and while it fails; in order, one write at a time.
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

  /** Why what waits could not be stored the last time. */
  get failure(): TradingError | undefined {
    return this.#failure;
  }

  /** Takes a row behind all others. */
  add(row: Row): void {
    this.#waiting.push(row);
    const { length } = this.#waiting;
    if (length >= MOST_WAITING || length * LEAST_SHARE >= this.#storedRows) void this.flush();
  }

  /** Puts another row in the place of one that still waits. False where none does. */
  revise(row: Row, isSame: (waiting: Row) => boolean): boolean {
    const place = this.#waiting.findIndex(isSame);
    if (place < 0) return false;
    this.#waiting[place] = row;
    return true;
  }

  /** Names what is missing. */
  miss({ from, to }: RecordedGap, why: string): void {
    this.gaps.push({ from, to });
    this.#options.say(`${this.name}: gap from ${formatUtc(from)} to ${formatUtc(to)}: ${why}`);
  }

  /** Counts rows that somebody else has stored. */
  stored(added: number, rows: number): void {
    this.#added += added;
    this.#storedRows = rows;
  }

  /** Stores what waits, behind the writes before. What cannot be stored goes on waiting. */
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
      if (this.#failure !== undefined) this.#options.say(`${this.name}: is stored again`);
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
      this.#options.say(`${this.name}: cannot be stored, and waits: ${message} (${code})`);
    }
    this.#failure = error;
  }
}
