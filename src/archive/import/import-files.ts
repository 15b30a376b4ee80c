import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DataError } from '../../domain/index.js';
import type { MergeReportOf } from '../archive.js';
import { readError, requireFile } from '../files/data-file.js';
import { FoundFiles, ReadAtOnce, type FileReport } from './found-files.js';
import { GrowingColumns } from './growing-columns.js';
import { ImportLedger } from './import-ledger.js';
import { LargeFile } from './large-file.js';
import { readCandleFiles, type ReadFileOptions } from './read-candle-file.js';
import type { RowStore } from './row-store.js';

export interface ImportFilesOptions extends Omit<ReadFileOptions, 'partRows'> {
  /** Files to read, in this order; at least one. */
  readonly paths: readonly string[];
  /** Whether rows stored with other values are overwritten. @defaultValue false */
  readonly replace?: boolean | undefined;
  /** Called with the index (from 0) of the file that is read next. */
  readonly onFile?: ((index: number) => void) | undefined;
  /** Rows that are held in memory before they are written. @defaultValue 1,000,000 */
  readonly batchRows?: number | undefined;
}

/** What an import did. Each row read was added, replaced a stored row, was a duplicate of a stored row, was repeated in the files, or was refused. */
export interface FilesReport<Info> extends MergeReportOf<Info> {
  readonly files: readonly FileReport[];
  /** Rows dropped because an equal one came before in another file. */
  readonly repeatedAcross: number;
  /** Files that were stored before the import was interrupted, and not read again. */
  readonly continued: number;
}

/** A row of candles takes 48 bytes; each time that rows are stored the series is written once. */
const BATCH_ROWS = 1_000_000;

/**
 * Imports files, one after the other. Each is stored whole or not at all; of several the ones before a bad one stay stored, and the same
 * command goes on from there.
 *
 * @throws {DataError} as `readCandleFiles`, `RowStore.clean` and the merge; the signal's reason when interrupted.
 */
export async function importFiles<Columns, Info extends { readonly columnsSha256: string }>(
  store: RowStore<Columns, Info>,
  options: ImportFilesOptions,
): Promise<FilesReport<Info>> {
  const { columns, assumeUtc, skipBad, replace } = options;
  const how = JSON.stringify({ columns, assumeUtc, skipBad, replace });
  const ledger =
    options.paths.length === 1
      ? undefined
      : await ImportLedger.open({ metadata: store.pathsIn(store.archive.directory).metadata, how });
  return new FilesImport(store, options, ledger).run();
}

/** A file that was read and is not stored yet. */
interface PendingFile {
  readonly path: string;
  /** Undefined if the import has no ledger. */
  readonly sha256: string | undefined;
}

class FilesImport<Columns, Info extends { readonly columnsSha256: string }> {
  readonly #store: RowStore<Columns, Info>;
  readonly #options: ImportFilesOptions;
  /** Undefined if only one file is imported. */
  readonly #ledger: ImportLedger | undefined;
  readonly #files: FileReport[] = [];
  #rows: GrowingColumns<Columns>;
  #pending: PendingFile[] = [];
  #repeatedAcross = 0;
  #continued = 0;
  #stored: (MergeReportOf<Info> & { readonly files: number }) | undefined;

  constructor(
    store: RowStore<Columns, Info>,
    options: ImportFilesOptions,
    ledger: ImportLedger | undefined,
  ) {
    this.#store = store;
    this.#options = options;
    this.#ledger = ledger;
    this.#rows = this.#noRows();
  }

  async run(): Promise<FilesReport<Info>> {
    const { paths, signal, batchRows = BATCH_ROWS, onFile } = this.#options;
    for (const [index, path] of paths.entries()) {
      signal?.throwIfAborted();
      onFile?.(index);
      await this.#take(path, index === paths.length - 1);
      if (this.#rows.length >= batchRows) await this.#flush();
    }
    await this.#flush();
    await this.#ledger?.remove();
    if (this.#stored === undefined) {
      throw new DataError('E_DATA_EMPTY', 'no file to import');
    }
    const { info, added, duplicates, replaced } = this.#stored;
    const [files, repeatedAcross] = [this.#files, this.#repeatedAcross];
    const continued = this.#continued;
    return { info, added, duplicates, replaced, files, repeatedAcross, continued };
  }

  async #take(path: string, isLast: boolean): Promise<void> {
    try {
      const sha256 = this.#ledger === undefined ? undefined : await hashFile(path);
      // If no other file was read, the last one is read again: the report needs the info of the series.
      const isAlone = isLast && this.#stored === undefined && this.#pending.length === 0;
      if (sha256 !== undefined && this.#ledger?.has(sha256) === true && !isAlone) {
        this.#continued += 1;
        return;
      }
      await this.#read({ path, sha256 });
    } catch (error) {
      if (this.#ledger === undefined || this.#options.signal?.aborted === true) throw error;
      await this.#flush();
      throw this.#explain(error, path);
    }
  }

  /**
   * Reads all rows of a file, which may be a ZIP archive of several files: all of them are stored, or none. Reads in parts, or all at once if a part
   * cannot be judged alone.
   */
  async #read(file: PendingFile): Promise<void> {
    const { batchRows = BATCH_ROWS } = this.#options;
    try {
      await this.#readParts(file, batchRows);
    } catch (error) {
      if (!(error instanceof ReadAtOnce)) throw error;
      await this.#readParts(file, Infinity);
    }
  }

  async #readParts(file: PendingFile, partRows: number): Promise<void> {
    const { batchRows = BATCH_ROWS, replace, signal } = this.#options;
    const found = new FoundFiles(file.path, this.#store, { isInParts: partRows !== Infinity });
    const source = basename(file.path);
    const large = new LargeFile(this.#store, { source, replace, signal });
    let rows = this.#noRows();
    try {
      const reading = { ...this.#options, partRows };
      for await (const part of readCandleFiles(file.path, reading, this.#store.fileLayout)) {
        signal?.throwIfAborted();
        if (rows.length >= batchRows) {
          await this.#flush();
          await large.take(rows);
          rows = this.#noRows();
        }
        rows.add(found.take(part));
      }
      const merged = await large.end(rows);
      if (merged === undefined) {
        this.#repeatedAcross += rows.repeated;
        this.#rows.add(rows.columns);
        this.#pending.push(file);
      } else {
        this.#repeatedAcross += large.repeated;
        await this.#keep([file], merged);
      }
      this.#files.push(...found.reports);
    } finally {
      await large.close();
    }
  }

  /** Stores the rows read since the last flush. */
  async #flush(): Promise<void> {
    const files = this.#pending;
    if (files.length === 0) return;
    const merged = await this.#merge(files.map(({ path }) => basename(path)));
    this.#repeatedAcross += this.#rows.repeated;
    this.#rows = this.#noRows();
    this.#pending = [];
    await this.#keep(files, merged);
  }

  /** Adds up the counts of stored files, and records the files in the ledger. */
  async #keep(files: readonly PendingFile[], merged: MergeReportOf<Info>): Promise<void> {
    const before = this.#stored;
    this.#stored = {
      info: merged.info,
      added: merged.added + (before?.added ?? 0),
      duplicates: merged.duplicates + (before?.duplicates ?? 0),
      replaced: merged.replaced + (before?.replaced ?? 0),
      files: files.length + (before?.files ?? 0),
    };
    const hashes = files.flatMap(({ sha256 }) => (sha256 === undefined ? [] : [sha256]));
    await this.#ledger?.record(hashes, merged.info.columnsSha256);
  }

  async #merge(source: readonly string[]): Promise<MergeReportOf<Info>> {
    const { replace, signal } = this.#options;
    try {
      const { archive, merge } = this.#store;
      return await merge(archive, this.#rows.columns, { source, replace, signal });
    } catch (error) {
      if (this.#ledger === undefined) throw error;
      const names = new Set([source[0], source.at(-1)]);
      throw this.#explain(error, [...names].join(' to '));
    }
  }

  #noRows(): GrowingColumns<Columns> {
    const { layout, noun } = this.#store;
    return new GrowingColumns({ layout, noun, replace: this.#options.replace });
  }

  #explain(error: unknown, where: string): unknown {
    if (!(error instanceof DataError)) return error;
    const named = error.message.includes(where) ? error.message : `${where}: ${error.message}`;
    const stored = this.#continued + (this.#stored?.files ?? 0);
    const before =
      stored === 0
        ? 'nothing is stored'
        : `stored: ${String(stored)} of ${String(this.#options.paths.length)} files; run the same command again to continue after them`;
    return new DataError(error.code, `${named} (${before})`, { cause: error });
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await requireFile(path);
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    throw readError(path, error);
  }
  return hash.digest('hex');
}
