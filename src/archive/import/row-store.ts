import type { Archive, MergeRecordsOptions, MergeReportOf } from '../archive.js';
import type { ColumnLayout } from '../columns/columns.js';
import type { SeriesPaths } from '../files/layout.js';
import type { FileLayout } from './file-layout.js';
import type { CandleFile } from './read-candle-file.js';
import type { RefusedRows } from './refused-rows.js';

/** Rows of a file in strictly rising order of time, each of which can be stored. */
export interface CleanFile<Columns> {
  readonly columns: Columns;
  readonly unordered: number;
  readonly duplicates: number;
  readonly refused: RefusedRows;
}

/** How the rows of a file are read and cleaned, and where they are stored. */
export interface RowStore<Columns, Info> {
  readonly archive: Archive;
  /** Where the series lies in an archive. */
  readonly pathsIn: (archive: string) => SeriesPaths;
  /** What a message calls the rows. */
  readonly noun: string;
  readonly fileLayout: FileLayout;
  readonly layout: ColumnLayout<Columns>;
  /** @throws {DataError} naming the file, when a row cannot be stored and none may be left out. */
  readonly clean: (file: CandleFile) => CleanFile<Columns>;
  /** Adds rows to the series in this archive or in another one. */
  readonly merge: (
    archive: Archive,
    columns: Columns,
    options: MergeRecordsOptions,
  ) => Promise<MergeReportOf<Info>>;
}
