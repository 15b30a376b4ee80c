import type { CandleColumns, FundingColumns, InstrumentId } from '../../domain/index.js';
import { candleFileColumns, type FileColumn } from '../columns/columns.js';
import { fundingFileColumns } from '../columns/funding-columns.js';
import { encodeArrow } from '../files/arrow-encode.js';
import { writeFileAtomically } from '../files/atomic-file.js';
import type { SeriesInfo } from '../stored/series.js';
import { csvChunks } from './csv-chunks.js';
import { encodeParquet } from './encode-parquet.js';

export const EXPORT_FORMATS = ['csv', 'feather', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

interface ExportOptions {
  readonly path: string;
  readonly format: ExportFormat;
  readonly signal?: AbortSignal | undefined;
}

/** Origin of the candles, which is written into a Feather file. */
type CandleOrigin = Pick<
  SeriesInfo,
  'kind' | 'instrumentId' | 'interval' | 'volumeUnit' | 'sources'
>;

/**
 * Writes candles or mark prices to a file that other programs read: CSV with the header `time_ms,open,high,low,close,volume`, Feather v2
 * (uncompressed Arrow) or Parquet (Snappy), the last two with `open_time` as a timestamp in UTC. The file appears whole or not at all.
 *
 * @throws {DataError} `E_DATA_WRITE` naming the file.
 */
export async function exportCandles(
  columns: CandleColumns,
  { kind, instrumentId, interval, volumeUnit, sources }: CandleOrigin,
  options: ExportOptions,
): Promise<void> {
  // Unlike in the archive, the file may hold a part of the series.
  const origin = { kind, instrument: instrumentId, interval, volumeUnit, sources };
  await writeColumns(candleFileColumns(columns), origin, options);
}

/**
 * Writes funding rates as {@link exportCandles} does candles: CSV with the header `time_ms,rate`, or Feather and Parquet with `time` as a
 * timestamp in UTC; rates as ratios.
 *
 * @throws {DataError} `E_DATA_WRITE` naming the file.
 */
export async function exportFunding(
  columns: FundingColumns,
  { instrumentId }: { readonly instrumentId: InstrumentId },
  options: ExportOptions,
): Promise<void> {
  const origin = { kind: 'funding', instrument: instrumentId };
  await writeColumns(fundingFileColumns(columns), origin, options);
}

async function writeColumns(
  columns: readonly FileColumn[],
  origin: Readonly<Record<string, unknown>>,
  { path, format, signal }: ExportOptions,
): Promise<void> {
  await writeFileAtomically(path, await encode(columns, origin, format), { signal });
}

async function encode(
  columns: readonly FileColumn[],
  origin: Readonly<Record<string, unknown>>,
  format: ExportFormat,
): Promise<Iterable<Uint8Array>> {
  switch (format) {
    case 'csv':
      return csvChunks(columns);
    case 'feather':
      return (await encodeArrow(columns, JSON.stringify(origin))).chunks;
    case 'parquet':
      return [await encodeParquet(columns)];
  }
}
