import type { Archive, OpenOptions, OpenSeries } from '../../archive/index.js';
import type { EpochMs, InstrumentId, Interval } from '../../domain/index.js';
import type { BacktestConfig } from '../../config/index.js';

const ROW_BYTES = 48;
/** Series that together take no more are read whole. More is slower than blocks: memory that is touched for the first time costs most. */
const WHOLE_BYTES = 8 * 1024 * 1024;
/** What the blocks in memory of all other series take together, where that leaves blocks of a useful size. */
const BLOCKS_BYTES = 64 * 1024 * 1024;
const BLOCKS_PER_SERIES = 3;
const LEAST_BLOCK_ROWS = 1_024;
const MOST_BLOCK_ROWS = 8_192;

/** The stored series that a run has open: however many candles there are, they take a bounded part of memory. */
export class SeriesFiles {
  readonly #archive: Pick<Archive, 'open' | 'openMarks'>;
  readonly #options: OpenOptions;
  readonly #opened: OpenSeries[] = [];

  /** `seriesCount`: how many will be open at most. */
  constructor(archive: Pick<Archive, 'open' | 'openMarks'>, seriesCount: number) {
    this.#archive = archive;
    const rowsOf = (bytes: number): number => Math.floor(bytes / ROW_BYTES / seriesCount);
    const blockRows = Math.floor(rowsOf(BLOCKS_BYTES) / BLOCKS_PER_SERIES);
    this.#options = {
      wholeRows: rowsOf(WHOLE_BYTES),
      blockRows: Math.min(MOST_BLOCK_ROWS, Math.max(LEAST_BLOCK_ROWS, blockRows)),
    };
  }

  /** Errors as `Archive.open`. */
  async open(
    instrumentId: InstrumentId,
    interval: Interval,
    to: EpochMs | undefined,
  ): Promise<OpenSeries> {
    const series = await this.#archive.open(instrumentId, interval, { ...this.#options, to });
    this.#opened.push(series);
    return series;
  }

  /** Errors as `Archive.openMarks`. */
  async openMarks(
    instrumentId: InstrumentId,
    interval: Interval,
    to: EpochMs | undefined,
  ): Promise<OpenSeries | undefined> {
    const series = await this.#archive.openMarks(instrumentId, interval, { ...this.#options, to });
    if (series !== undefined) this.#opened.push(series);
    return series;
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.splice(0).map((series) => series.close()));
  }
}

/** The most series that a run can have open: candles, marks of contracts, and candles finer than those delivered. */
export function countSeries({ instruments, simulation }: BacktestConfig): number {
  const finer = simulation.path === 'finer' ? instruments.length : 0;
  return instruments.reduce(
    (sum, { kind, intervals }) => sum + intervals.length + (kind === 'futures' ? 1 : 0),
    finer,
  );
}
