import type { Archive, OpenOptions, OpenSeries } from '../../archive/index.js';
import type { EpochMs, InstrumentId, Interval } from '../../domain/index.js';
import type { BacktestConfig } from '../../config/index.js';

const ROW_BYTES = 48;
/** Series that together take at most this are read whole. For larger ones blocks are faster, because the first use of memory costs most. */
const WHOLE_BYTES = 8 * 1024 * 1024;
/** Memory for the blocks of all larger series together, if that allows blocks of a useful size. */
const BLOCKS_BYTES = 64 * 1024 * 1024;
const BLOCKS_PER_SERIES = 3;
const LEAST_BLOCK_ROWS = 1_024;
const MOST_BLOCK_ROWS = 8_192;

/** The open stored series of a run. Their memory is bounded, however many candles there are. */
export class SeriesFiles {
  readonly #archive: Pick<Archive, 'open' | 'openMarks'>;
  readonly #options: OpenOptions;
  readonly #opened: OpenSeries[] = [];

  /** `seriesCount`: the most series that will be open. */
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

/** The largest number of series that a run opens: candles, marks of contracts, and candles finer than the delivered ones. */
export function countSeries({ instruments, simulation }: BacktestConfig): number {
  const finer = simulation.path === 'finer' ? instruments.length : 0;
  return instruments.reduce(
    (sum, { kind, intervals }) => sum + intervals.length + (kind === 'futures' ? 1 : 0),
    finer,
  );
}
