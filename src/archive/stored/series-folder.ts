import { DataError, type InstrumentId } from '../../domain/index.js';
import {
  asSeries,
  stillStored,
  type ArchiveEntry,
  type HoldingInfo,
  type HoldingKey,
  type SeriesEntry,
} from '../archive-entry.js';
import { fileError, isAbsent, readSmallText } from '../files/data-file.js';
import { seriesPaths } from '../files/layout.js';
import { mapConcurrently } from '../files/map-concurrently.js';
import { CANDLES_METADATA } from '../files/metadata.js';
import { findHoldings, requireFolder } from './find-holdings.js';
import { RULES_CODEC, TIERS_CODEC, type RecordsInfo } from './records.js';
import {
  describeSeries,
  isSameSeries,
  rowNoun,
  type SeriesInfo,
  type SeriesKey,
} from './series.js';
import { readFundingInfo } from './stored-funding.js';
import { readRecords } from './stored-records.js';

/** Metadata files read at once. */
const CONCURRENCY = 32;

/**
 * Names everything that an archive holds, usable or not, in the order of `Archive.holdings`: only names of files are read.
 *
 * @throws {DataError} `E_DATA_ARCHIVE` when the folder does not exist or cannot be read.
 */
export async function listKeys(directory: string): Promise<readonly HoldingKey[]> {
  await requireFolder(directory);
  return findHoldings(directory);
}

/** Lists everything that an archive holds, see `Archive.holdings`. */
export async function listHoldings(
  directory: string,
  isWanted: (key: HoldingKey) => boolean = () => true,
): Promise<readonly ArchiveEntry[]> {
  const keys = (await listKeys(directory)).filter(isWanted);
  return mapConcurrently(keys, CONCURRENCY, async (key): Promise<ArchiveEntry> => {
    try {
      return { status: 'usable', key, info: await readHoldingInfo(directory, key) };
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      return { status: 'broken', key, error };
    }
  });
}

/** Finds the candles of an archive, see `Archive.list`. */
export async function listSeries(directory: string): Promise<readonly SeriesEntry[]> {
  const candles = await listHoldings(directory, ({ kind }) => kind === 'candles');
  return candles.flatMap(asSeries);
}

async function readHoldingInfo(directory: string, key: HoldingKey): Promise<HoldingInfo> {
  switch (key.kind) {
    case 'candles':
    case 'mark':
      return readInfo(directory, key);
    case 'funding':
      return stillStored(await readFundingInfo(directory, key.instrumentId), key);
    case 'rules':
    case 'tiers':
      return stillStored(await readRecordsInfo(directory, key.instrumentId, key.kind), key);
  }
}

async function readRecordsInfo(
  directory: string,
  instrumentId: InstrumentId,
  kind: 'rules' | 'tiers',
): Promise<RecordsInfo | undefined> {
  const stored =
    kind === 'rules'
      ? await readRecords({ directory, instrumentId, codec: RULES_CODEC })
      : await readRecords({ directory, instrumentId, codec: TIERS_CODEC });
  return stored?.info;
}

/** Reads the metadata of a series, see `Archive.info`. */
export async function readInfo(
  directory: string,
  key: SeriesKey,
  readText: (path: string) => Promise<string> | string = readSmallText,
): Promise<SeriesInfo> {
  const paths = seriesPaths(directory, key);
  let text: string;
  try {
    text = await readText(paths.metadata);
  } catch (error) {
    if (!isAbsent(error)) {
      throw fileError('E_DATA_READ', `read ${paths.metadata}`, error);
    }
    throw await explainMissing(directory, key);
  }
  const info = CANDLES_METADATA.parse(text, paths.metadata);
  if (!isSameSeries(info, key)) {
    throw new DataError(
      'E_DATA_METADATA',
      `${paths.metadata}: expected the metadata of ${describeSeries(key)}, received that of ${describeSeries(info)}`,
    );
  }
  return info;
}

/** Series named in a message; an archive may hold thousands. */
const MOST_NAMED = 20;

async function explainMissing(directory: string, key: SeriesKey): Promise<DataError> {
  await requireFolder(directory);
  const paths = seriesPaths(directory, key);
  const wantedKind = key.kind ?? 'candles';
  const stored = (await findHoldings(directory)).flatMap(({ kind, instrumentId, interval }) =>
    kind === wantedKind ? [{ kind, instrumentId, interval }] : [],
  );
  if (stored.some((other) => isSameSeries(other, key))) {
    return new DataError(
      'E_DATA_TORN',
      `${paths.arrow} has no metadata: its write was interrupted; import the data again`,
    );
  }
  const named = stored.slice(0, MOST_NAMED).map(describeSeries).join(', ');
  const more = stored.length > MOST_NAMED ? `, … (${String(stored.length)} in all)` : '';
  const held = stored.length === 0 ? 'the archive is empty' : `it holds ${named}${more}`;
  return new DataError(
    'E_DATA_MISSING',
    `the archive ${directory} has no ${rowNoun(key)} of ${describeSeries(key)}: ${held}`,
  );
}
