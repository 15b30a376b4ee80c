import { encodeArrow } from '../arrow-encode.js';
import { writeFileAtomically } from '../atomic-file.js';
import { candleFileColumns } from '../columns.js';
import type { CandleColumns } from '../../domain/index.js';
import type { SeriesInfo } from '../series.js';
import { csvChunks } from './csv-chunks.js';
import { encodeParquet } from './encode-parquet.js';

export const EXPORT_FORMATS = ['csv', 'feather', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  readonly path: string;
  readonly format: ExportFormat;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes candles of a series to a file that other programs read: CSV with the header `time_ms,open,high,low,close,volume`, Feather v2
 * (uncompressed Arrow) or Parquet (Snappy), the last two with `open_time` as a timestamp in UTC. The file appears whole or not at all.
 *
 * @throws {DataError} `E_DATA_WRITE` naming the file.
 */
export async function exportCandles(
  columns: CandleColumns,
  info: SeriesInfo,
  { path, format, signal }: ExportOptions,
): Promise<void> {
  await writeFileAtomically(path, await encode(columns, info, format), { signal });
}

async function encode(
  columns: CandleColumns,
  info: SeriesInfo,
  format: ExportFormat,
): Promise<Iterable<Uint8Array>> {
  switch (format) {
    case 'csv':
      return csvChunks(columns);
    case 'feather':
      return (await encodeArrow(candleFileColumns(columns), describeOrigin(info))).chunks;
    case 'parquet':
      return [await encodeParquet(columns)];
  }
}

/** Unlike in the archive, the file may hold a part of the series. */
function describeOrigin({ instrumentId, interval, volumeUnit, sources }: SeriesInfo): string {
  return JSON.stringify({ instrument: instrumentId, interval, volumeUnit, sources });
}
