import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createInstrumentId,
  DataError,
  DomainError,
  INTERVALS,
  PRODUCT_KINDS,
} from '../domain/index.js';
import type { SeriesEntry } from './archive.js';
import { fileError, hasSystemCode } from './data-file.js';
import { seriesPaths } from './layout.js';
import { parseMetadata } from './metadata.js';
import { describeSeries, type SeriesInfo, type SeriesKey } from './series.js';

/** Finds the series of an archive, see `Archive.list`. */
export async function listSeries(directory: string): Promise<readonly SeriesEntry[]> {
  await requireFolder(directory);
  const entries: SeriesEntry[] = [];
  for (const key of await findKeys(directory)) {
    try {
      entries.push({ status: 'usable', key, info: await readInfo(directory, key) });
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      entries.push({ status: 'broken', key, error });
    }
  }
  return entries;
}

async function findKeys(directory: string): Promise<readonly SeriesKey[]> {
  const keys: SeriesKey[] = [];
  for (const product of PRODUCT_KINDS) {
    for (const symbol of (await namesIn(join(directory, product))).filter(isSymbol)) {
      const names = new Set(await namesIn(join(directory, product, symbol)));
      for (const interval of INTERVALS) {
        if (!names.has(`${interval}.json`) && !names.has(`${interval}.arrow`)) continue;
        keys.push({ instrumentId: createInstrumentId(product, symbol), interval });
      }
    }
  }
  return keys;
}

/** Other folders are somebody else's. */
function isSymbol(name: string): boolean {
  try {
    createInstrumentId('spot', name);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** Names in a folder in one order on every machine; none when it is no folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw fileError('E_DATA_READ', `list ${folder}`, error);
  }
}

async function requireFolder(directory: string): Promise<void> {
  const isFolder = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    throw new DataError(
      'E_DATA_ARCHIVE',
      `expected an archive of candles at ${directory}, found no folder`,
    );
  }
}

/** Reads the metadata of a series, see `Archive.info`. */
export async function readInfo(directory: string, key: SeriesKey): Promise<SeriesInfo> {
  const paths = seriesPaths(directory, key);
  let text: string;
  try {
    text = await readFile(paths.metadata, 'utf8');
  } catch (error) {
    if (!hasSystemCode(error, 'ENOENT', 'ENOTDIR')) {
      throw fileError('E_DATA_READ', `read ${paths.metadata}`, error);
    }
    throw await explainMissing(directory, key);
  }
  const info = parseMetadata(text, paths.metadata);
  if (info.instrumentId !== key.instrumentId || info.interval !== key.interval) {
    throw new DataError(
      'E_DATA_METADATA',
      `${paths.metadata}: expected the metadata of ${describeSeries(key)}, received that of ${describeSeries(info)}`,
    );
  }
  return info;
}

async function explainMissing(directory: string, key: SeriesKey): Promise<DataError> {
  await requireFolder(directory);
  const paths = seriesPaths(directory, key);
  const stored = await findKeys(directory);
  const isStored = stored.some(
    (other) => other.instrumentId === key.instrumentId && other.interval === key.interval,
  );
  if (isStored) {
    return new DataError(
      'E_DATA_TORN',
      `${paths.arrow} has no metadata beside it: the write that made it was interrupted; import the data again`,
    );
  }
  const held =
    stored.length === 0
      ? 'the archive is empty'
      : `it holds ${stored.map(describeSeries).join(', ')}`;
  return new DataError(
    'E_DATA_MISSING',
    `the archive ${directory} has no candles of ${describeSeries(key)}: ${held}`,
  );
}
