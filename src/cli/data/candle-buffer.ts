import type { Archive, VolumeUnit } from '../../archive/index.js';
import {
  columnsOfCandles,
  type Candle,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';

/** Rows that are collected before they are stored: each write rewrites the whole series. */
const FLUSH_ROWS = 15_000;

interface CandleBufferOptions {
  readonly archive: Archive;
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly volumeUnit: VolumeUnit;
  /** Origin of the rows, for the metadata. */
  readonly source: string;
}

/** Collects candles and stores many at once. */
export class CandleBuffer {
  readonly #options: CandleBufferOptions;
  #rows: Candle[] = [];
  #added = 0;

  constructor(options: CandleBufferOptions) {
    this.#options = options;
  }

  /** Rows that were stored. */
  get added(): number {
    return this.#added;
  }

  async add(candles: readonly Candle[]): Promise<void> {
    this.#rows.push(...candles);
    if (this.#rows.length >= FLUSH_ROWS) await this.flush();
  }

  /** Stores the collected rows. @throws {DataError} as the archive. */
  async flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    const { archive, instrumentId, interval, volumeUnit, source } = this.#options;
    const columns = columnsOfCandles(this.#rows.toSorted((a, b) => a.openTime - b.openTime));
    this.#rows = [];
    const report = await archive.merge({ instrumentId, interval, columns }, { source, volumeUnit });
    this.#added += report.added;
  }
}
