import { DataError } from '../../domain/index.js';
import { openFile, readError, requireFile } from '../files/data-file.js';
import { readBinaryFile, type ReadBinaryFile } from './binary-file.js';
import { CANDLE_FILE_LAYOUT, type FileLayout } from './file-layout.js';
import {
  SIGNATURE_BYTES,
  signatureOf,
  type CandleFileFormat,
  type FileSignature,
} from './file-signatures.js';
import { RawRows } from './raw-rows.js';
import { readCsv } from './read-csv.js';
import { RefusedRowLog, type RefusedRows } from './refused-rows.js';
import { TimeParser } from './time-parser.js';
import { readZip, type ZipEntry } from './zip-entries.js';

export interface ReadFileOptions {
  /** Names of the columns in order, for files without header or with unusual names. @defaultValue the file's own */
  readonly columns?: readonly string[] | undefined;
  /** Whether times without a zone are UTC. @defaultValue false: they are refused */
  readonly assumeUtc?: boolean | undefined;
  /** Whether rows that cannot be read are counted instead of ending the reading. @defaultValue false */
  readonly skipBad?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of rows read from a text file, every 50,000 rows. */
  readonly onProgress?: ((rows: number) => void) | undefined;
  /** About how many rows of a text file come in one part. @defaultValue all */
  readonly partRows?: number | undefined;
  /** Reads Feather and Parquet. @defaultValue `readBinaryFile`, which a damaged file may keep busy for ever */
  readonly readBinary?: ReadBinaryFile | undefined;
}

/** Rows of a file, or of a part of it, in its own order. They are numbers, and nothing else is promised. */
export interface CandleFile {
  /** For messages. For a file in a ZIP archive it begins with the path of the archive. */
  readonly path: string;
  readonly format: CandleFileFormat;
  /** How the file writes time, for example `milliseconds`. */
  readonly timeFormat: string;
  readonly rows: RawRows;
  /** Rows that could not be read, including those of earlier parts. */
  readonly unreadable: RefusedRows;
  /** Whether it continues an earlier part of the same file. */
  readonly isContinued: boolean;
}

/**
 * Reads the rows of a file, in the layout of candles by default. The content tells the format, not the name. A ZIP archive comes file by
 * file, and a large text in parts.
 *
 * @throws {DataError} naming the file: `E_DATA_READ`, `E_DATA_EMPTY`, `E_DATA_FORMAT` when the format is unknown or not supported, or the
 * file is beyond the bounds, `E_DATA_COLUMN`, `E_DATA_ROW` naming row and column, `E_DATA_CORRUPT`.
 */
export async function* readCandleFiles(
  path: string,
  options: ReadFileOptions = {},
  layout: FileLayout = CANDLE_FILE_LAYOUT,
): AsyncGenerator<CandleFile> {
  const format = requireSupported(signatureOf(await readStart(path)), path);
  if (format === 'feather' || format === 'parquet') {
    yield requireRows(await readBinary({ path, format, layout }, options));
  } else if (format === 'csv.zip') {
    for await (const entry of readZip(path)) {
      const content = plainText(entry);
      yield* readText({ path: entry.path, format, layout }, options, content);
    }
  } else {
    yield* readText({ path, format, layout }, options);
  }
}

/**
 * Reads the rows of a file, which may be the only one in a ZIP archive.
 *
 * @throws {DataError} as {@link readCandleFiles}; `E_DATA_FORMAT` when a ZIP archive holds several.
 */
export async function readCandleFile(
  path: string,
  options: ReadFileOptions = {},
): Promise<CandleFile> {
  let only: CandleFile | undefined;
  for await (const file of readCandleFiles(path, options)) {
    if (only !== undefined) {
      throw new DataError(
        'E_DATA_FORMAT',
        `${path}: expected a ZIP archive of one file, received ${only.path} and ${file.path}; unpack it first`,
      );
    }
    only = file;
  }
  if (only === undefined) throw new DataError('E_DATA_EMPTY', `${path} contains no file`);
  return only;
}

function requireRows(file: CandleFile): CandleFile {
  if (file.rows.length + file.unreadable.count > 0) return file;
  throw new DataError('E_DATA_EMPTY', `${file.path} contains no rows`);
}

interface FileOf<Format extends CandleFileFormat> {
  readonly path: string;
  readonly format: Format;
  readonly layout: FileLayout;
}

/** @param source - the text, if it does not come from the file at the path. */
async function* readText(
  { path, format, layout }: FileOf<'csv' | 'csv.gz' | 'csv.zip'>,
  options: ReadFileOptions,
  source?: AsyncIterable<Buffer>,
): AsyncGenerator<CandleFile> {
  const { assumeUtc = false, skipBad = false, partRows = Infinity } = options;
  const { columns, signal, onProgress } = options;
  const times = new TimeParser({ assumeUtc });
  const refused = new RefusedRowLog();
  const noRows = (): RawRows => new RawRows(layout.columns.length);
  const target = { path, layout, rows: noRows(), times, refused: skipBad ? refused : undefined };
  let isContinued = false;
  /** Number of refused rows that earlier parts have reported. */
  let told = 0;
  const part = (rows: RawRows): CandleFile => ({
    ...{ path, format, timeFormat: times.format, rows },
    ...{ unreadable: refused.summary, isContinued },
  });
  const reading = { isGzip: format === 'csv.gz', columns, signal, onProgress, source };
  for await (const rows of readCsv(target, reading)) {
    if (rows < partRows) continue;
    yield part(target.rows);
    told = refused.summary.count;
    target.rows = noRows();
    isContinued = true;
  }
  if (!isContinued) yield requireRows(part(target.rows));
  else if (target.rows.length > 0 || refused.summary.count > told) yield part(target.rows);
}

async function readBinary(
  file: FileOf<'feather' | 'parquet'>,
  { assumeUtc = false, skipBad = false, columns, signal, ...options }: ReadFileOptions,
): Promise<CandleFile> {
  const read = options.readBinary ?? readBinaryFile;
  const found = await read({ ...file, columns, assumeUtc, skipBad }, signal);
  const rows = RawRows.of(found.columns, found.numbers);
  const { path, format } = file;
  const { timeFormat, refused: unreadable } = found;
  return { path, format, timeFormat, rows, unreadable, isContinued: false };
}

/** The content of a ZIP entry, which must be plain text: a packed file inside a ZIP archive is refused. */
async function* plainText({ path, content }: ZipEntry): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const piece of content) {
    const format = isFirst ? requireSupported(signatureOf(piece), path) : 'csv';
    if (format !== 'csv') {
      throw new DataError(
        'E_DATA_FORMAT',
        `${path}: expected CSV in a ZIP archive, received ${FORMAT_NAMES[format]}; unpack it first`,
      );
    }
    isFirst = false;
    yield piece;
  }
}

const FORMAT_NAMES = {
  'csv.gz': 'gzip',
  'csv.zip': 'another ZIP archive',
  feather: 'Feather',
  parquet: 'Parquet',
} as const satisfies Partial<Record<CandleFileFormat, string>>;

/** @throws {DataError} `E_DATA_FORMAT` when the format is known and cannot be read. */
function requireSupported(signature: FileSignature, path: string): CandleFileFormat {
  if (typeof signature === 'string') return signature;
  throw new DataError(
    'E_DATA_FORMAT',
    `${path}: expected CSV (plain, gzipped or in a ZIP archive), Feather or Parquet, received ${signature.unsupported}`,
  );
}

async function readStart(path: string): Promise<Uint8Array> {
  try {
    await requireFile(path);
    const handle = await openFile(path, 'r');
    try {
      const bytes = new Uint8Array(SIGNATURE_BYTES);
      const { bytesRead } = await handle.read(bytes, 0, bytes.byteLength, 0);
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw readError(path, error);
  }
}
