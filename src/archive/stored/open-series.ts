import { CandleRows, type CandleColumns, type EpochMs } from '../../domain/index.js';
import type { OpenOptions, OpenSeries } from '../archive.js';
import { hashColumns } from '../columns/hash-columns.js';
import { seriesPaths } from '../files/layout.js';
import { readSeries, requireRows, type SeriesSource } from './read-series.js';
import { readInfo } from './series-folder.js';
import type { SeriesInfo } from './series.js';
import { StoredCandles } from './stored-candles.js';
import { StoredRows } from './stored-rows.js';

/** Default of `wholeRows`: 3 MB. */
const WHOLE_ROWS = 65_536;
/** Rows of a block: 400 kB, which stay in the processor's cache while they are used. */
const BLOCK_ROWS = 8_192;
/** Blocks of a series in memory: around the next candle, before it, and at the position of the venue. */
const BLOCKS = 3;

/** Opens candles, see `Archive.open`. */
export async function openSeries(source: SeriesSource, options: OpenOptions): Promise<OpenSeries> {
  const info = await readInfo(source.directory, source.key);
  return info.rows <= (options.wholeRows ?? WHOLE_ROWS)
    ? openWhole(source, info, options.to)
    : openPaged(source, info, options);
}

async function openWhole(
  source: SeriesSource,
  info: SeriesInfo,
  to: EpochMs | undefined,
): Promise<OpenSeries> {
  return openColumns(info, await readSeries(source, { to }, info));
}

/** Makes an open series from candles in memory: all rows of the series, or its first ones. The columns are shared, never copied. */
export function openColumns(info: SeriesInfo, columns: CandleColumns): OpenSeries {
  const isCut = columns.openTime.length !== info.rows;
  return {
    info,
    rows: CandleRows.of(columns),
    hash: () => (isCut ? hashColumns(columns) : info.columnsSha256),
    close: () => Promise.resolve(),
  };
}

async function openPaged(
  source: SeriesSource,
  info: SeriesInfo,
  { to, blockRows = BLOCK_ROWS }: OpenOptions,
): Promise<OpenSeries> {
  const { arrow: path, metadata } = seriesPaths(source.directory, source.key);
  const stored = await StoredCandles.open({ path, metadata, info, open: source.open });
  try {
    const length = to === undefined ? info.rows : await stored.rowsBefore(to);
    requireRows(info, length, { to });
    const rows = new StoredRows({ handle: stored.handle, info, path }, length);
    return {
      info,
      rows: CandleRows.paged(rows, { blockRows, blocks: BLOCKS }),
      hash: () => rows.hash(),
      close: () => stored.close(),
    };
  } catch (error) {
    await stored.close();
    throw error;
  }
}
