import { DataError } from '../../domain/index.js';
import type { MergeRecordsOptions, MergeReportOf } from '../archive.js';
import { openArchive } from '../open-archive.js';
import { StagedSeries } from '../stored/stage-series.js';
import type { GrowingColumns } from './growing-columns.js';
import type { RowStore } from './row-store.js';

type LargeStore<Columns, Info> = Pick<RowStore<Columns, Info>, 'archive' | 'pathsIn' | 'merge'>;

/**
 * A file with more rows than are held in memory. They are merged into a staged copy of the stored series, which then replaces the series. Close it
 * after success and after an error.
 */
export class LargeFile<Columns, Info> {
  readonly #store: LargeStore<Columns, Info>;
  readonly #merging: MergeRecordsOptions;
  #staged: StagedSeries | undefined;
  #merged: MergeReportOf<Info> | undefined;
  #repeated = 0;

  constructor(store: LargeStore<Columns, Info>, merging: MergeRecordsOptions) {
    this.#store = store;
    this.#merging = merging;
  }

  /** Rows that occurred again, with equal values, within the rows of one {@link take}. */
  get repeated(): number {
    return this.#repeated;
  }

  /**
   * Merges rows into the staged copy, so that memory can drop them.
   *
   * @throws {DataError} as the merge.
   */
  async take(rows: GrowingColumns<Columns>): Promise<void> {
    const { archive, pathsIn, merge } = this.#store;
    this.#staged ??= await StagedSeries.begin(archive.directory, pathsIn);
    const { directory } = this.#staged;
    try {
      const merged = await merge(openArchive(directory), rows.columns, this.#merging);
      this.#merged = {
        info: merged.info,
        added: merged.added + (this.#merged?.added ?? 0),
        duplicates: merged.duplicates + (this.#merged?.duplicates ?? 0),
        replaced: merged.replaced + (this.#merged?.replaced ?? 0),
      };
      this.#repeated += rows.repeated;
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      // The reader of the message knows only the archive.
      const message = error.message.replaceAll(directory, archive.directory);
      throw new DataError(error.code, message, { cause: error });
    }
  }

  /**
   * Merges the last rows, and stores everything. Undefined if {@link take} was never called: then the rows fit in memory and nothing is stored.
   *
   * @throws {DataError} as {@link take}; `E_DATA_WRITE`.
   */
  async end(rows: GrowingColumns<Columns>): Promise<MergeReportOf<Info> | undefined> {
    if (this.#staged === undefined) return undefined;
    await this.take(rows);
    await this.#staged.commit();
    this.#staged = undefined;
    return this.#merged;
  }

  async close(): Promise<void> {
    await this.#staged?.discard();
  }
}
