import { closeTimeOf, DataError, formatUtc, type CandleColumns } from '../domain/index.js';
import type { MergeOptions, MergeReport } from './archive.js';
import { encodeArrow } from './arrow-encode.js';
import { writeFileAtomically } from './atomic-file.js';
import { allocateColumns, candleFileColumns } from './columns.js';
import { isThere } from './data-file.js';
import { findGaps } from './gaps.js';
import { hashColumns } from './hash-columns.js';
import { seriesPaths } from './layout.js';
import { mergeColumns } from './merge.js';
import { CANDLES_METADATA } from './metadata.js';
import { readSeries, type SeriesSource } from './read-series.js';
import { recoverSeries } from './recover-series.js';
import { describeSeries, nounOf, type SeriesInfo, type SeriesKey } from './series.js';
import { readInfo } from './series-folder.js';
import { describeInvalidRow, findInvalidRow, findOffGridRow } from './validate.js';

/** What is stored of a series before a merge. */
interface StoredState {
  readonly sources: readonly string[];
  readonly columns: CandleColumns;
}

/** Adds candles to a series, see `Archive.merge`. */
export async function writeSeries(
  target: SeriesSource,
  incoming: CandleColumns,
  options: MergeOptions,
): Promise<MergeReport> {
  requireCandles(target, incoming);
  const stored = await loadStored(target, options);
  const { columns, ...counts } = mergeColumns(stored.columns, incoming, {
    replace: options.replace,
    noun: nounOf(target.key),
  });
  const sources = [...new Set([...stored.sources, options.source])];
  const description = describe(target, columns, { ...options, sources });
  const paths = seriesPaths(target.directory, target.key);
  const { chunks, file } = await encodeArrow(
    candleFileColumns(columns),
    CANDLES_METADATA.formatDescription(description),
  );
  const info: SeriesInfo = { ...description, file };
  const write = { open: target.open, signal: options.signal };
  await writeFileAtomically(paths.arrow, chunks, write);
  // Last, and no longer interrupted: from the rename above until here file and metadata disagree, which readers notice.
  await writeFileAtomically(
    paths.metadata,
    [new TextEncoder().encode(CANDLES_METADATA.format(info))],
    {
      open: target.open,
    },
  );
  return { info, ...counts };
}

function requireCandles({ key }: SeriesSource, columns: CandleColumns): void {
  if (columns.openTime.length === 0) {
    throw new DataError('E_DATA_EMPTY', `there are no ${nounOf(key)} of ${describeSeries(key)}`);
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

async function loadStored(target: SeriesSource, options: MergeOptions): Promise<StoredState> {
  const { arrow, metadata } = seriesPaths(target.directory, target.key);
  if (!(await isThere(arrow)) && !(await isThere(metadata))) {
    return { sources: [], columns: allocateColumns(0) };
  }
  const { info, columns } = await readOrRecover(target);
  if (info.volumeUnit !== options.volumeUnit) {
    throw new DataError(
      'E_DATA_UNIT',
      `the volume of ${describeSeries(target.key)} is stored in ${info.volumeUnit}, expected the same, received ${options.volumeUnit}`,
    );
  }
  return { sources: info.sources, columns };
}

async function readOrRecover(
  target: SeriesSource,
): Promise<{ readonly info: Omit<SeriesInfo, 'file'>; readonly columns: CandleColumns }> {
  try {
    const info = await readInfo(target.directory, target.key);
    return { info, columns: await readSeries(target, { verify: true }) };
  } catch (error) {
    if (!(error instanceof DataError) || error.code !== 'E_DATA_TORN') throw error;
    return recoverSeries(seriesPaths(target.directory, target.key).arrow, target.key);
  }
}

function describe(
  { key }: SeriesSource,
  columns: CandleColumns,
  { volumeUnit, sources }: Pick<SeriesInfo, 'volumeUnit' | 'sources'>,
): Omit<SeriesInfo, 'file'> {
  const gaps = findGaps(columns.openTime, key.interval);
  return {
    ...key,
    kind: key.kind ?? 'candles',
    volumeUnit,
    sources,
    rows: columns.openTime.length,
    from: columns.openTime[0] ?? Number.NaN,
    to: closeTimeOf(columns.openTime.at(-1) ?? Number.NaN, key.interval),
    gaps: gaps.length,
    missing: gaps.reduce((sum, gap) => sum + gap.missing, 0),
    columnsSha256: hashColumns(columns),
  };
}
