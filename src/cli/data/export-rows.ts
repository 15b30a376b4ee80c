import { resolve } from 'node:path';
import type { Archive, ExportFormat } from '../../archive/index.js';
import {
  closeTimeOf,
  DataError,
  formatUtc,
  type EpochMs,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { formatNoun } from './format.js';
import type { CommandResult } from './give-result.js';

/** The request of `data export` for candles, mark prices or funding. */
export type RowExport = RowExportCommon &
  (
    | { readonly kind: 'candles' | 'mark'; readonly interval: Interval }
    | { readonly kind: 'funding' }
  );

interface RowExportCommon {
  /** File as the user wrote it. */
  readonly file: string;
  readonly directory: string;
  readonly instrumentId: InstrumentId;
  readonly format: ExportFormat;
  readonly from: EpochMs | undefined;
  readonly to: EpochMs | undefined;
}

/** Times of the written rows, and more members for `--json`. */
interface Written {
  readonly times: Float64Array;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Writes stored rows to a file that `data import` reads. */
export async function exportRows(options: RowExport, context: CliContext): Promise<CommandResult> {
  const { openArchive } = await import('../../archive/index.js');
  const archive = openArchive(options.directory);
  const { file, format, kind } = options;
  const { times, facts } = await write(archive, options, context);
  const rows = times.length;
  const [first = Number.NaN, last = Number.NaN] = [times[0], times.at(-1)];
  // As `data import` and `data list` say it: candles end where the last one closes.
  const end = options.kind === 'funding' ? last : closeTimeOf(last, options.interval);
  const [from, to] = [formatUtc(first), formatUtc(end)];
  return {
    text: `wrote ${formatNoun(rows, 'row')} from ${from} to ${to} to ${file}\n`,
    json: { file, format, kind, rows, from, to, first: from, last: formatUtc(last), ...facts },
  };
}

async function write(
  archive: Archive,
  options: RowExport,
  { cwd, signal }: CliContext,
): Promise<Written> {
  const { exportCandles, exportFunding } = await import('../../archive/index.js');
  const { instrumentId, format, kind } = options;
  const target = { path: resolve(cwd, options.file), format, signal };
  if (kind === 'funding') {
    const columns = requireRows(await archive.funding(instrumentId, options), options);
    if (columns.time.length === 0) throw missing(options, ' in this range');
    await exportFunding(columns, { instrumentId }, target);
    return { times: columns.time, facts: {} };
  }
  const { interval } = options;
  if (kind === 'candles') {
    const info = await archive.info(instrumentId, interval);
    const columns = await archive.read(instrumentId, interval, options);
    await exportCandles(columns, info, target);
    return { times: columns.openTime, facts: { volumeUnit: info.volumeUnit } };
  }
  const columns = requireRows(await archive.marks(instrumentId, interval, options), options);
  if (columns.openTime.length === 0) throw missing(options, ' in this range');
  const origin = { kind, instrumentId, interval, volumeUnit: 'base', sources: [] } as const;
  await exportCandles(columns, origin, target);
  return { times: columns.openTime, facts: {} };
}

function requireRows<T>(columns: T | undefined, options: RowExport): T {
  if (columns === undefined) throw missing(options, '');
  return columns;
}

function missing(options: RowExport, where: string): DataError {
  const what = options.kind === 'funding' ? 'funding' : `mark prices of ${options.interval}`;
  return new DataError(
    'E_DATA_MISSING',
    `the archive ${options.directory} has no ${what} of ${options.instrumentId}${where}`,
  );
}
