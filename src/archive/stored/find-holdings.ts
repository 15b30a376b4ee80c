import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createInstrumentId,
  DataError,
  DomainError,
  INTERVALS,
  PRODUCT_KINDS,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';
import type { HoldingKey } from '../archive-entry.js';
import { fileError, isAbsent } from '../files/data-file.js';
import { instrumentFolder, MARK_FOLDER } from '../files/layout.js';
import { mapConcurrently } from '../files/map-concurrently.js';
import { RECORD_KINDS } from './records.js';

/** Folders read at once: enough to keep the disk busy. */
const CONCURRENCY = 32;

/** Finds everything stored, by product, symbol, kind and length of interval; only names of files are read. */
export async function findHoldings(directory: string): Promise<readonly HoldingKey[]> {
  const perInstrument = await mapConcurrently(
    await findInstruments(directory),
    CONCURRENCY,
    (instrumentId) => findHoldingsOf(directory, instrumentId),
  );
  return perInstrument.flat();
}

async function findInstruments(directory: string): Promise<readonly InstrumentId[]> {
  const found: InstrumentId[] = [];
  for (const product of PRODUCT_KINDS) {
    for (const symbol of await namesIn(join(directory, product))) {
      if (isSymbol(symbol)) found.push(createInstrumentId(product, symbol));
    }
  }
  return found;
}

async function findHoldingsOf(
  directory: string,
  instrumentId: InstrumentId,
): Promise<readonly HoldingKey[]> {
  const names = new Set(await namesIn(instrumentFolder(directory, instrumentId)));
  const keys: HoldingKey[] = intervalsAmong(names).map((interval) => {
    return { kind: 'candles', instrumentId, interval };
  });
  if (names.has(MARK_FOLDER)) {
    for (const interval of await findMarkIntervals(directory, instrumentId)) {
      keys.push({ kind: 'mark', instrumentId, interval });
    }
  }
  if (names.has('funding.json') || names.has('funding.arrow')) {
    keys.push({ kind: 'funding', instrumentId });
  }
  for (const kind of RECORD_KINDS) {
    if (names.has(`${kind}.json`)) keys.push({ kind, instrumentId });
  }
  return keys;
}

/** The intervals in which mark prices of an instrument are stored, finest first. */
export async function findMarkIntervals(
  directory: string,
  instrumentId: InstrumentId,
): Promise<readonly Interval[]> {
  const folder = join(instrumentFolder(directory, instrumentId), MARK_FOLDER);
  return intervalsAmong(new Set(await namesIn(folder)));
}

function intervalsAmong(names: ReadonlySet<string>): readonly Interval[] {
  return INTERVALS.filter(
    (interval) => names.has(`${interval}.json`) || names.has(`${interval}.arrow`),
  );
}

/** Folders with other names do not belong to the archive. */
function isSymbol(name: string): boolean {
  try {
    createInstrumentId('spot', name);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** Names in a folder, in the same order on every machine; empty when there is no such folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    if (isAbsent(error)) return [];
    throw fileError('E_DATA_READ', `list ${folder}`, error);
  }
}

/** @throws {DataError} `E_DATA_ARCHIVE` when there is no folder. */
export async function requireFolder(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  const reason = found === undefined ? 'there is no such folder' : 'it is a file, not a folder';
  throw new DataError('E_DATA_ARCHIVE', `no archive at ${directory}: ${reason}`);
}
