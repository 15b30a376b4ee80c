import { DataError, type CandleColumns, type FundingColumns } from '../../domain/index.js';
import {
  describeHolding,
  stillStored,
  type ArchiveEntry,
  type HoldingInfo,
  type HoldingKey,
} from '../archive-entry.js';
import type { Archive, MergeRecordsOptions, MergeReportOf } from '../archive.js';
import { checkHolding } from '../check/check-holding.js';
import { hashFunding } from '../columns/funding-columns.js';
import { hashColumns } from '../columns/hash-columns.js';

/**
 * What a sync did to a holding. `copied`: it was not here. `extended`: rows were added. `replaced`: rows were overwritten, and others perhaps
 * added. `equal`: it has the same checksum here. `held`: all its rows were here already, perhaps among others.
 */
export type SyncOutcome = 'copied' | 'extended' | 'replaced' | 'equal' | 'held';

/** What a sync did to one holding, and what is stored after it. */
export interface SyncReport extends MergeReportOf<HoldingInfo> {
  readonly outcome: SyncOutcome;
}

export interface SyncOptions extends Pick<MergeRecordsOptions, 'replace' | 'signal'> {
  /** Whether to say only what would be done. @defaultValue false */
  readonly dryRun?: boolean | undefined;
}

/** Two archives: rows go from one to the other. */
interface SyncRoute {
  readonly from: Archive;
  readonly to: Archive;
}

/** One holding in both archives, as their `holdings` list it. */
interface SyncPair {
  readonly theirs: ArchiveEntry;
  /** @defaultValue it is not here */
  readonly ours?: ArchiveEntry | undefined;
}

/**
 * Copies the rows of one holding that the other archive lacks. Every byte that is read is proved by the stored checksums; the written files
 * are read again and proved in the same way. A holding that is copied whole has the bytes of its original.
 *
 * @throws {DataError} as the methods of `Archive` that read and merge: `E_DATA_CONFLICT` if both have different values for one instant and
 * `replace` is not set, `E_DATA_UNIT` if their volumes have different units; `E_DATA_CORRUPT` if values do not match their recorded checksum.
 * After an error of reading or merging, the target is as before.
 */
export async function syncHolding(
  route: SyncRoute,
  { theirs, ours }: SyncPair,
  options: SyncOptions = {},
): Promise<SyncReport> {
  if (theirs.status === 'broken') throw theirs.error;
  const { key, info } = theirs;
  if (ours?.status === 'usable' && isEqual(info, ours.info) && (await isWhole(route.to, key))) {
    return { outcome: 'equal', info: ours.info, added: 0, duplicates: info.rows, replaced: 0 };
  }
  const { dryRun = false, replace, signal } = options;
  const report = await mergeHolding(route, info, {
    source: info.sources,
    write: dryRun ? 'never' : 'changed',
    replace,
    signal,
  });
  if (!dryRun) await checkHolding(route.to.directory, key);
  return { outcome: outcomeOf(report, ours), ...report };
}

function outcomeOf(
  { added, replaced }: Omit<SyncReport, 'outcome'>,
  ours: ArchiveEntry | undefined,
): SyncOutcome {
  if (ours === undefined) return 'copied';
  if (replaced > 0) return 'replaced';
  return added > 0 ? 'extended' : 'held';
}

/** Whether both have equal checksums of values, and the same unit of volume. */
function isEqual(theirs: HoldingInfo, ours: HoldingInfo): boolean {
  const unit = (info: HoldingInfo): unknown => ('volumeUnit' in info ? info.volumeUnit : undefined);
  return checksumOf(theirs) === checksumOf(ours) && unit(theirs) === unit(ours);
}

function checksumOf(info: HoldingInfo): string {
  return 'columnsSha256' in info ? info.columnsSha256 : info.entriesSha256;
}

/** Whether the stored rows are those that their metadata describes. An interrupted write leaves other rows, which a merge recovers. */
async function isWhole(archive: Archive, key: HoldingKey): Promise<boolean> {
  try {
    switch (key.kind) {
      case 'candles':
        await (await archive.open(key.instrumentId, key.interval, { wholeRows: 0 })).close();
        break;
      case 'mark':
        await (await archive.openMarks(key.instrumentId, key.interval, { wholeRows: 0 }))?.close();
        break;
      case 'funding':
        await archive.funding(key.instrumentId);
        break;
      case 'rules':
      case 'tiers':
        // Records and their checksum are in one file. Listing them compared the checksum.
        break;
    }
    return true;
  } catch (error) {
    if (error instanceof DataError && error.code === 'E_DATA_TORN') return false;
    throw error;
  }
}

async function mergeHolding(
  { from, to }: SyncRoute,
  info: HoldingInfo,
  merge: MergeRecordsOptions,
): Promise<MergeReportOf<HoldingInfo>> {
  const { instrumentId } = info;
  switch (info.kind) {
    case 'candles': {
      const { interval, volumeUnit } = info;
      const columns = await from.read(instrumentId, interval, { verify: true });
      requireChecksum(info, columns);
      return to.merge({ instrumentId, interval, columns }, { ...merge, volumeUnit });
    }
    case 'mark': {
      const { interval } = info;
      const columns = stillStored(await from.marks(instrumentId, interval, { verify: true }), info);
      requireChecksum(info, columns);
      return to.mergeMarks({ instrumentId, interval, columns }, merge);
    }
    case 'funding': {
      const columns = stillStored(await from.funding(instrumentId), info);
      requireChecksum(info, columns);
      return to.mergeFunding(instrumentId, columns, merge);
    }
    case 'rules':
      return to.mergeRules(instrumentId, await from.rules(instrumentId), merge);
    case 'tiers':
      return to.mergeTiers(instrumentId, await from.tiers(instrumentId), merge);
  }
}

/** A write into the other archive during the sync changes rows and metadata: the listed info is then out of date. */
function requireChecksum(info: HoldingInfo, columns: CandleColumns | FundingColumns): void {
  const expected = checksumOf(info);
  const actual = 'rate' in columns ? hashFunding(columns) : hashColumns(columns);
  if (actual === expected) return;
  throw new DataError(
    'E_DATA_CORRUPT',
    `${describeHolding(info)}: expected values with the recorded SHA-256 ${expected}, received ${actual}`,
  );
}
