import { DataError, type InstrumentId, type Interval } from '../../domain/index.js';
import { describeHolding, type HoldingKey } from '../archive-entry.js';
import type { MergeRecordsOptions, MergeReportOf } from '../archive.js';
import { encodeArrow } from '../files/arrow-encode.js';
import { writeFilesAtomically } from '../files/atomic-file.js';
import { corruptFile, type OpenFile } from '../files/data-file.js';
import type { SeriesPaths } from '../files/layout.js';
import type { Described, MetadataCodec } from '../files/metadata.js';
import type { ColumnLayout } from './columns.js';
import { hashNumbers } from './hash-columns.js';
import { mergeColumns } from './merge.js';
import { recoverColumns } from './recover-columns.js';
import { requireSameOrigin } from './same-origin.js';

/** Facts about stored columns that all kinds share. */
interface ColumnFacts {
  readonly kind: HoldingKey['kind'];
  readonly instrumentId: InstrumentId;
  readonly interval?: Interval;
  readonly sources: readonly string[];
  readonly rows: number;
  readonly columnsSha256: string;
}

/** One series of columns in an archive: candles, mark prices or funding rates. */
export interface ColumnStore<Columns, Description extends ColumnFacts> {
  readonly key: HoldingKey;
  /** What messages call the rows. */
  readonly noun: string;
  readonly paths: SeriesPaths;
  readonly open: OpenFile;
  readonly layout: ColumnLayout<Columns>;
  readonly metadata: MetadataCodec<Description>;
  /**
   * Reads the stored columns and proves every byte; undefined when nothing is stored.
   *
   * @throws {DataError} `E_DATA_TORN` when file and metadata come from different writes.
   */
  readonly read: () => Promise<Stored<Columns, Described<Description>> | undefined>;
  /** Describes columns that are about to be written. */
  readonly describe: (
    columns: Columns,
    facts: Pick<ColumnFacts, 'sources' | 'rows' | 'columnsSha256'>,
  ) => Description;
}

interface Stored<Columns, Info> {
  readonly info: Info;
  readonly columns: Columns;
}

/** Stored columns, perhaps of an interrupted write. */
interface Found<Columns, Description> extends Stored<Columns, Description> {
  /** The info from the metadata; absent after an interrupted write. */
  readonly whole?: Described<Description>;
}

/**
 * Adds rows to a series, or starts it.
 *
 * @param accept - throws if the rows cannot be added to the stored series.
 * @throws {DataError} as `Archive.merge`.
 */
export async function mergeInto<Columns, Description extends ColumnFacts>(
  store: ColumnStore<Columns, Description>,
  incoming: Columns,
  options: MergeRecordsOptions & { readonly accept?: (stored: Description) => void },
): Promise<MergeReportOf<Described<Description>>> {
  const { layout, metadata, paths, open, noun } = store;
  const stored = await readOrRecover(store);
  if (stored !== undefined) {
    requireSameOrigin(stored.info, options.source);
    options.accept?.(stored.info);
  }
  const { replace, signal, write = 'always' } = options;
  const before = stored?.columns ?? layout.allocate(0);
  const { columns, ...counts } = mergeColumns(before, incoming, { layout, noun, replace });
  if (write === 'changed' && stored?.whole !== undefined && counts.added + counts.replaced === 0) {
    return { info: stored.whole, ...counts };
  }
  const fileColumns = layout.fileColumns(columns);
  const description = store.describe(columns, {
    sources: [...new Set([...(stored?.info.sources ?? []), ...[options.source].flat()])],
    rows: fileColumns[0]?.values.length ?? 0,
    columnsSha256: hashNumbers(fileColumns.map(({ values }) => values)),
  });
  const { chunks, file } = await encodeArrow(fileColumns, metadata.formatDescription(description));
  const info = { ...description, file };
  if (write === 'never') return { info, ...counts };
  const described = [new TextEncoder().encode(metadata.format(info))];
  // A reader between the two renames notices that file and metadata disagree.
  await writeFilesAtomically(
    [
      { path: paths.arrow, chunks },
      { path: paths.metadata, chunks: described },
    ],
    { open, signal },
  );
  return { info, ...counts };
}

async function readOrRecover<Columns, Description extends ColumnFacts>(
  store: ColumnStore<Columns, Description>,
): Promise<Found<Columns, Description> | undefined> {
  try {
    const stored = await store.read();
    return stored && { ...stored, whole: stored.info };
  } catch (error) {
    if (!(error instanceof DataError) || error.code !== 'E_DATA_TORN') throw error;
    return recover(store);
  }
}

/** @throws {DataError} `E_DATA_CORRUPT` unless the file is whole, of this series, and its values have the hash that it carries. */
async function recover<Columns, Description extends ColumnFacts>({
  key,
  noun,
  paths: { arrow },
  layout,
  metadata,
}: ColumnStore<Columns, Description>): Promise<Stored<Columns, Description>> {
  const { description, columns } = await recoverColumns(arrow, layout);
  const info = metadata.parseDescription(description, arrow);
  const [wanted, found] = [describeHolding(key), describeHolding(info)];
  if (found !== wanted) throw corruptFile(arrow, `expected ${wanted}, received ${found}`);
  if (hashNumbers(layout.fileColumns(columns).map(({ values }) => values)) !== info.columnsSha256) {
    throw corruptFile(arrow, `its ${noun} do not match the hash in the file`);
  }
  return { info, columns };
}
