import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { DataError, formatUtc, type EpochMs, type InstrumentId } from '../../domain/index.js';
import type { MergeRecordsOptions, RecordsMergeReport } from '../archive.js';
import { writeFileAtomically } from '../files/atomic-file.js';
import { fileError, isAbsent, type OpenFile } from '../files/data-file.js';
import { recordPath } from '../files/layout.js';
import {
  parseJsonFile,
  readStored,
  STORED_VERSION,
  storedHash,
  storedInstrument,
  storedSources,
} from '../files/stored-json.js';
import { describeInvalidRecords, type RecordCodec, type RecordsInfo } from './records.js';

interface Dated {
  readonly from: EpochMs;
}

/** Stored records with their description. */
interface StoredRecords<T extends Dated> {
  readonly info: RecordsInfo;
  /** In rising order of `from`. */
  readonly entries: readonly T[];
}

/** Where records of an instrument lie, and how they are written. */
interface RecordSource<T extends Dated> {
  readonly directory: string;
  readonly instrumentId: InstrumentId;
  readonly codec: RecordCodec<T>;
}

/**
 * Reads dated records; undefined when none are stored.
 *
 * @throws {DataError} `E_DATA_METADATA` naming file and key when the file is not ours, `E_DATA_CORRUPT` when the records do not match
 * the hash beside them, `E_DATA_READ`.
 */
export async function readRecords<T extends Dated>({
  directory,
  instrumentId,
  codec,
}: RecordSource<T>): Promise<StoredRecords<T> | undefined> {
  const path = recordPath(directory, instrumentId, codec.kind);
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  const stored = readStored(documentOf(codec), parseJsonFile(text, path), path);
  if (stored.instrument !== instrumentId) {
    throw new DataError(
      'E_DATA_METADATA',
      `${path}: instrument: expected ${instrumentId}, received ${stored.instrument}`,
    );
  }
  const { entries, sources, entriesSha256: expected } = stored;
  const problem = describeInvalidRecords(codec, instrumentId, entries);
  if (problem !== undefined) throw new DataError('E_DATA_METADATA', `${path}: ${problem}`);
  const info = describe(instrumentId, codec, { entries, sources });
  if (info.entriesSha256 !== expected) {
    throw new DataError(
      'E_DATA_CORRUPT',
      `${path} was damaged or edited: expected records with SHA-256 ${expected}, received ${info.entriesSha256}; delete it and import the records again`,
    );
  }
  return { info: { ...info, bytes: Buffer.byteLength(text) }, entries };
}

/** A file of records, with its keys in the order in which they are written. */
const documentOf = <T extends Dated>(codec: RecordCodec<T>) =>
  z.object(
    {
      version: STORED_VERSION,
      kind: z.literal(codec.kind, { error: JSON.stringify(codec.kind) }),
      instrument: storedInstrument,
      sources: storedSources,
      entriesSha256: storedHash,
      entries: z.array(codec.schema, { error: 'a list' }).readonly(),
    },
    { error: 'an object' },
  );

/** Adds dated records, see `Archive.mergeRules`. */
export async function writeRecords<T extends Dated>(
  target: RecordSource<T> & { readonly open: OpenFile },
  incoming: readonly T[],
  options: MergeRecordsOptions,
): Promise<RecordsMergeReport> {
  const { directory, instrumentId, codec, open } = target;
  requireRecords(target, incoming);
  const stored = await readRecords(target);
  const { entries, ...counts } = mergeEntries(target, stored?.entries ?? [], {
    incoming,
    replace: options.replace ?? false,
  });
  const { write = 'always' } = options;
  if (write === 'changed' && stored !== undefined && counts.added + counts.replaced === 0) {
    return { info: stored.info, ...counts };
  }
  const sources = [...new Set([...(stored?.info.sources ?? []), ...[options.source].flat()])];
  const info = describe(instrumentId, codec, { entries, sources });
  const document = {
    version: 1 as const,
    kind: codec.kind,
    instrument: instrumentId,
    sources,
    entriesSha256: info.entriesSha256,
    entries,
  };
  const bytes = new TextEncoder().encode(
    `${JSON.stringify(z.encode(documentOf(codec), document), undefined, 2)}\n`,
  );
  if (write !== 'never') {
    const path = recordPath(directory, instrumentId, codec.kind);
    await writeFileAtomically(path, [bytes], { open, signal: options.signal });
  }
  return { info: { ...info, bytes: bytes.byteLength }, ...counts };
}

function requireRecords<T extends Dated>(
  { instrumentId, codec }: RecordSource<T>,
  entries: readonly T[],
): void {
  const problem = describeInvalidRecords(codec, instrumentId, entries);
  if (problem === undefined) return;
  throw new DataError('E_DATA_RECORD', `${codec.kind} of ${instrumentId}: ${problem}`);
}

function mergeEntries<T extends Dated>(
  { instrumentId, codec }: RecordSource<T>,
  stored: readonly T[],
  { incoming, replace }: { readonly incoming: readonly T[]; readonly replace: boolean },
): { readonly entries: readonly T[] } & Omit<RecordsMergeReport, 'info'> {
  const byTime = new Map(stored.map((entry) => [entry.from, entry]));
  let added = 0;
  let duplicates = 0;
  let replaced = 0;
  for (const entry of incoming) {
    const before = byTime.get(entry.from);
    if (before === undefined) added += 1;
    else if (textOf(codec, before) === textOf(codec, entry)) duplicates += 1;
    else if (replace) replaced += 1;
    else {
      throw new DataError(
        'E_DATA_CONFLICT',
        `stored ${codec.kind} of ${instrumentId} from ${formatUtc(entry.from)} have different values: ${textOf(codec, before)} stored, ${textOf(codec, entry)} given; pass --replace to overwrite them`,
      );
    }
    byTime.set(entry.from, entry);
  }
  const entries = [...byTime.values()].sort((a, b) => a.from - b.from);
  return { entries, added, duplicates, replaced };
}

function describe<T extends Dated>(
  instrumentId: InstrumentId,
  codec: RecordCodec<T>,
  { entries, sources }: { readonly entries: readonly T[]; readonly sources: readonly string[] },
): RecordsInfo {
  const text = JSON.stringify(entries.map((entry) => z.encode(codec.schema, entry)));
  return {
    kind: codec.kind,
    instrumentId,
    sources,
    rows: entries.length,
    from: entries[0]?.from ?? Number.NaN,
    to: entries.at(-1)?.from ?? Number.NaN,
    bytes: 0,
    entriesSha256: createHash('sha256').update(text).digest('hex'),
  };
}

/** An entry without its date. */
function textOf<T extends Dated>(codec: RecordCodec<T>, entry: T): string {
  return JSON.stringify({ ...z.encode(codec.schema, entry), from: undefined });
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw fileError('E_DATA_READ', `read ${path}`, error);
  }
}
