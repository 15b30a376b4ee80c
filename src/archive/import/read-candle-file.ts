import { openFile, fileError } from '../data-file.js';
import { DataError } from '../../domain/index.js';
import { readBinaryFile, type ReadBinaryFile } from './binary-file.js';
import { CANDLE_LAYOUT, type FileLayout } from './file-layout.js';
import { RawRows } from './raw-rows.js';
import { readCsv } from './read-csv.js';
import { RefusedRowLog, type RefusedRows } from './refused-rows.js';
import { TimeParser } from './time-parser.js';

export type CandleFileFormat = 'csv' | 'csv.gz' | 'feather' | 'parquet';

export interface ReadFileOptions {
  /** Names of the columns in order, for files without header or with unusual names. @defaultValue the file's own */
  readonly columns?: readonly string[] | undefined;
  /** Whether times without a zone are UTC. @defaultValue false: they are refused */
  readonly assumeUtc?: boolean | undefined;
  /** Whether rows that cannot be read are counted instead of ending the reading. @defaultValue false */
  readonly skipBad?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told the number of rows read from a text file, every 50,000 rows. */
  readonly onProgress?: ((rows: number) => void) | undefined;
  /** Reads Feather and Parquet. @defaultValue `readBinaryFile`, which a damaged file may keep busy for ever */
  readonly readBinary?: ReadBinaryFile | undefined;
}

/** Rows of a file in its own order. They are numbers, and nothing else is promised. */
export interface CandleFile {
  readonly format: CandleFileFormat;
  /** How the file writes time, for example `milliseconds`. */
  readonly timeFormat: string;
  readonly rows: RawRows;
  /** Rows that could not be read. */
  readonly unreadable: RefusedRows;
}

/**
 * Reads the rows of a file, of candles unless the layout is another; its content says what it is, not its name.
 *
 * @throws {DataError} naming the file: `E_DATA_READ`, `E_DATA_EMPTY`, `E_DATA_FORMAT` when it is nothing known or known and not
 * supported, `E_DATA_COLUMN`, `E_DATA_ROW` naming row and column, `E_DATA_CORRUPT`.
 */
export async function readCandleFile(
  path: string,
  options: ReadFileOptions = {},
  layout: FileLayout = CANDLE_LAYOUT,
): Promise<CandleFile> {
  const format = await detectFormat(path);
  const file =
    format === 'feather' || format === 'parquet'
      ? await readBinary({ path, format, layout }, options)
      : await readText({ path, format, layout }, options);
  if (file.rows.length + file.unreadable.count === 0) {
    throw new DataError('E_DATA_EMPTY', `${path} holds no rows`);
  }
  return file;
}

interface FileOf<Format extends CandleFileFormat> {
  readonly path: string;
  readonly format: Format;
  readonly layout: FileLayout;
}

async function readText(
  { path, format, layout }: FileOf<'csv' | 'csv.gz'>,
  { assumeUtc = false, skipBad = false, columns, signal, onProgress }: ReadFileOptions,
): Promise<CandleFile> {
  const rows = new RawRows(layout.columns.length);
  const times = new TimeParser({ assumeUtc });
  const refused = new RefusedRowLog();
  const target = { path, layout, rows, times, refused: skipBad ? refused : undefined };
  await readCsv(target, { isGzip: format === 'csv.gz', columns, signal, onProgress });
  return { format, timeFormat: times.format, rows, unreadable: refused.summary };
}

async function readBinary(
  file: FileOf<'feather' | 'parquet'>,
  { assumeUtc = false, skipBad = false, columns, signal, ...options }: ReadFileOptions,
): Promise<CandleFile> {
  const read = options.readBinary ?? readBinaryFile;
  const found = await read({ ...file, columns, assumeUtc, skipBad }, signal);
  const rows = RawRows.of(found.columns, found.numbers);
  return { format: file.format, timeFormat: found.timeFormat, rows, unreadable: found.refused };
}

interface Signature {
  readonly bytes: readonly number[];
  readonly format: CandleFileFormat | { readonly unsupported: string };
}

const text = (value: string): readonly number[] => [...new TextEncoder().encode(value)];

const SIGNATURES: readonly Signature[] = [
  { bytes: [0x1f, 0x8b], format: 'csv.gz' },
  { bytes: text('ARROW1'), format: 'feather' },
  { bytes: [0xff, 0xff, 0xff, 0xff], format: 'feather' },
  { bytes: text('PAR1'), format: 'parquet' },
  {
    bytes: text('FEA1'),
    format: { unsupported: 'Feather version 1; save it again with to_feather(path, version=2)' },
  },
  { bytes: text('PK\u0003\u0004'), format: { unsupported: 'a ZIP archive; unpack it first' } },
  {
    bytes: [0x28, 0xb5, 0x2f, 0xfd],
    format: { unsupported: 'ZSTD; unpack it, or pack it again with gzip' },
  },
  { bytes: text('BZh'), format: { unsupported: 'bzip2; unpack it, or pack it again with gzip' } },
  {
    bytes: [0xfd, ...text('7zXZ')],
    format: { unsupported: 'xz; unpack it, or pack it again with gzip' },
  },
  { bytes: [0xff, 0xfe], format: { unsupported: 'text in UTF-16; save it as UTF-8' } },
  { bytes: [0xfe, 0xff], format: { unsupported: 'text in UTF-16; save it as UTF-8' } },
];

async function detectFormat(path: string): Promise<CandleFileFormat> {
  const start = await readStart(path);
  const found = SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte));
  if (found === undefined) return 'csv';
  if (typeof found.format === 'string') return found.format;
  throw new DataError(
    'E_DATA_FORMAT',
    `${path}: expected CSV, gzipped or not, Feather or Parquet, received ${found.format.unsupported}`,
  );
}

async function readStart(path: string): Promise<Uint8Array> {
  try {
    const handle = await openFile(path, 'r');
    try {
      const bytes = new Uint8Array(8);
      const { bytesRead } = await handle.read(bytes, 0, bytes.byteLength, 0);
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileError('E_DATA_READ', `read ${path}`, error);
  }
}
