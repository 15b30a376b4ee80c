import { DataError, formatUtc, type CandleColumns } from '../../domain/index.js';
import type { MergeOptions, MergeReport } from '../archive.js';
import { describeSpan } from '../check/gaps.js';
import { describeInvalidRow, findInvalidRow, findOffGridRow } from '../check/validate.js';
import { mergeInto, type ColumnStore } from '../columns/column-store.js';
import { CANDLE_LAYOUT } from '../columns/columns.js';
import { requireSameOrigin } from '../columns/same-origin.js';
import { isThere } from '../files/data-file.js';
import { seriesPaths } from '../files/layout.js';
import { CANDLES_METADATA } from '../files/metadata.js';
import { appendRows } from './append-rows.js';
import { readSeries, type SeriesSource } from './read-series.js';
import { readInfo } from './series-folder.js';
import { describeSeries, rowNoun, type SeriesInfo, type SeriesKey } from './series.js';

/** From this many stored rows (48 MB) on, later rows are appended without reading all stored rows into memory. */
const LARGE_ROWS = 1_000_000;

/** Adds candles to a series, see `Archive.merge`. */
export async function writeSeries(
  target: SeriesSource,
  incoming: CandleColumns,
  options: MergeOptions,
): Promise<MergeReport> {
  requireCandles(target, incoming);
  const { volumeUnit, write = 'always' } = options;
  const large = write === 'never' ? undefined : await findLarge(target, volumeUnit);
  if (large !== undefined) requireSameOrigin(large, options.source);
  const appended = large && (await appendRows(target, large, incoming, options));
  return (
    appended ??
    mergeInto(candleStore(target, volumeUnit), incoming, {
      ...options,
      accept: (stored) => {
        if (stored.volumeUnit === volumeUnit) return;
        throw new DataError(
          'E_DATA_UNIT',
          `the volume of ${describeSeries(target.key)} is stored in ${stored.volumeUnit}, expected the same, received ${volumeUnit}`,
        );
      },
    })
  );
}

/** Finds a stored series that is large and has this unit of volume. Undefined if there is none, or if its metadata must be recovered. */
async function findLarge(
  { directory, key }: SeriesSource,
  volumeUnit: MergeOptions['volumeUnit'],
): Promise<SeriesInfo | undefined> {
  const { arrow, metadata } = seriesPaths(directory, key);
  if (!(await isThere(arrow)) || !(await isThere(metadata))) return undefined;
  const info = await readInfo(directory, key);
  return info.rows >= LARGE_ROWS && info.volumeUnit === volumeUnit ? info : undefined;
}

function requireCandles({ key }: SeriesSource, columns: CandleColumns): void {
  if (columns.openTime.length === 0) {
    throw new DataError('E_DATA_EMPTY', `no ${rowNoun(key)} of ${describeSeries(key)}`);
  }
  const invalid = findInvalidRow(columns);
  if (invalid >= 0) throw defect(key, invalid, describeInvalidRow(columns, invalid));
  const offGrid = findOffGridRow(columns.openTime, key.interval);
  if (offGrid >= 0) {
    const received = formatUtc(columns.openTime[offGrid] ?? Number.NaN);
    throw defect(key, offGrid, `expected a time at the start of a candle, received ${received}`);
  }
}

function defect(key: SeriesKey, row: number, what: string): DataError {
  return new DataError(
    'E_DATA_DEFECT',
    `row ${String(row + 1)} of ${describeSeries(key)}: ${what}`,
  );
}

function candleStore(
  target: SeriesSource,
  volumeUnit: MergeOptions['volumeUnit'],
): ColumnStore<CandleColumns, Omit<SeriesInfo, 'file'>> {
  const { directory, open } = target;
  const { instrumentId, interval, kind = 'candles' } = target.key;
  const paths = seriesPaths(directory, target.key);
  return {
    key: { kind, instrumentId, interval },
    noun: rowNoun(target.key),
    paths,
    open,
    layout: CANDLE_LAYOUT,
    metadata: CANDLES_METADATA,
    read: async () => {
      if (!(await isThere(paths.arrow)) && !(await isThere(paths.metadata))) return undefined;
      const info = await readInfo(directory, target.key);
      return { info, columns: await readSeries(target, { verify: true }) };
    },
    describe: ({ openTime }, facts) => ({
      kind,
      instrumentId,
      interval,
      volumeUnit,
      ...facts,
      ...describeSpan(openTime, interval),
    }),
  };
}
