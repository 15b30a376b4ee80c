import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DataError, type FundingColumns, type InstrumentId } from '../../domain/index.js';
import type { FundingMergeReport, MergeRecordsOptions, ReadRange } from '../archive.js';
import { mergeInto, type ColumnStore } from '../columns/column-store.js';
import { lowerBound } from '../columns/columns.js';
import {
  allocateFunding,
  findInvalidFunding,
  FUNDING_LAYOUT,
  sliceFunding,
  snapToMinute,
} from '../columns/funding-columns.js';
import { timestampsToNumbers } from '../files/arrow-encode.js';
import { fileError, isAbsent, type OpenFile } from '../files/data-file.js';
import { fundingPaths } from '../files/layout.js';
import { FUNDING_METADATA } from '../files/metadata.js';
import { proveDescription } from '../files/prove-file.js';
import type { FundingInfo } from './series.js';

/** Funding of an archive, and how its files are opened. */
interface FundingFiles {
  readonly directory: string;
  readonly open: OpenFile;
  readonly instrumentId: InstrumentId;
}

/** Reads the metadata of funding rates; undefined when none are stored. */
export async function readFundingInfo(
  directory: string,
  instrumentId: InstrumentId,
): Promise<FundingInfo | undefined> {
  const { arrow, metadata } = fundingPaths(directory, instrumentId);
  const text = await readIfThere(metadata);
  if (text === undefined) {
    if ((await readIfThere(arrow)) === undefined) return undefined;
    throw torn(arrow, 'its metadata is missing');
  }
  const info = FUNDING_METADATA.parse(text.toString('utf8'), metadata);
  if (info.instrumentId === instrumentId) return info;
  throw new DataError(
    'E_DATA_METADATA',
    `${metadata}: expected the metadata of ${instrumentId} funding, received that of ${info.instrumentId}`,
  );
}

/** Reads funding rates, see `Archive.funding`. The file is small: it is read whole, and its SHA-256 is compared always. */
export async function readFunding(
  { directory, instrumentId }: Omit<FundingFiles, 'open'>,
  range: ReadRange,
): Promise<FundingColumns | undefined> {
  const info = await readFundingInfo(directory, instrumentId);
  if (info === undefined) return undefined;
  const path = fundingPaths(directory, instrumentId).arrow;
  const bytes = await readIfThere(path);
  if (bytes === undefined) {
    throw new DataError('E_DATA_MISSING', `${path} is missing, but its metadata exists`);
  }
  requireSameFile(bytes, info, path);
  const columns = decode(bytes, info);
  const invalid = findInvalidFunding(columns);
  if (invalid !== undefined) {
    const { row, reason } = invalid;
    throw new DataError('E_DATA_DEFECT', `${path} row ${String(row + 1)}: ${reason}`);
  }
  return fundingWithin(columns, range);
}

/** The settlements of a range, which share the memory of `columns`. */
export function fundingWithin(
  columns: FundingColumns,
  { from = -Infinity, to = Infinity }: ReadRange,
): FundingColumns {
  return sliceFunding(columns, lowerBound(columns.time, from), lowerBound(columns.time, to));
}

function requireSameFile(bytes: Buffer, info: FundingInfo, path: string): void {
  const { file } = info;
  const head = bytes.subarray(0, file.headBytes);
  if (sha256(bytes) === file.sha256) {
    proveDescription(path, head, FUNDING_METADATA.formatDescription(info));
    return;
  }
  const isSameHead = sha256(head) === file.headSha256;
  if (!isSameHead && bytes.byteLength >= file.bytes) {
    throw torn(path, 'it does not match its metadata');
  }
  throw new DataError(
    'E_DATA_CORRUPT',
    `${path} is damaged: expected ${String(file.bytes)} bytes with SHA-256 ${file.sha256}, received ${String(bytes.byteLength)} other bytes; delete it and its .json, and import the data again`,
  );
}

function decode(bytes: Buffer, { rows, file }: FundingInfo): FundingColumns {
  const columns = allocateFunding(rows);
  const size = rows * Float64Array.BYTES_PER_ELEMENT;
  const fill = (target: Float64Array, index: number): void => {
    const start = file.headBytes + index * size;
    new Uint8Array(target.buffer).set(bytes.subarray(start, start + size));
  };
  fill(columns.time, 0);
  fill(columns.rate, 1);
  timestampsToNumbers(columns.time);
  return columns;
}

/** Adds funding rates, see `Archive.mergeFunding`. */
export async function writeFunding(
  target: FundingFiles,
  incoming: FundingColumns,
  options: MergeRecordsOptions,
): Promise<FundingMergeReport> {
  const snapped = { time: incoming.time.map(snapToMinute), rate: incoming.rate };
  requireFunding(target.instrumentId, snapped);
  return mergeInto(fundingStore(target), snapped, options);
}

/** @throws {DataError} `E_DATA_EMPTY` without rows, `E_DATA_DEFECT` naming the row (from 1) that is no settlement. */
export function requireFunding(instrumentId: InstrumentId, columns: FundingColumns): void {
  if (columns.time.length === 0) {
    throw new DataError('E_DATA_EMPTY', `no funding rates of ${instrumentId}`);
  }
  const invalid = findInvalidFunding(columns);
  if (invalid === undefined) return;
  const { row, reason } = invalid;
  throw new DataError(
    'E_DATA_DEFECT',
    `row ${String(row + 1)} of the funding of ${instrumentId}: ${reason}`,
  );
}

function fundingStore({
  directory,
  open,
  instrumentId,
}: FundingFiles): ColumnStore<FundingColumns, Omit<FundingInfo, 'file'>> {
  return {
    key: { kind: 'funding', instrumentId },
    noun: 'funding rates',
    paths: fundingPaths(directory, instrumentId),
    open,
    layout: FUNDING_LAYOUT,
    metadata: FUNDING_METADATA,
    read: async () => {
      const info = await readFundingInfo(directory, instrumentId);
      const columns = await readFunding({ directory, instrumentId }, {});
      return info && columns && { info, columns };
    },
    describe: ({ time }, facts) => ({
      kind: 'funding',
      instrumentId,
      ...facts,
      from: time[0] ?? Number.NaN,
      to: time.at(-1) ?? Number.NaN,
    }),
  };
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw fileError('E_DATA_READ', `read ${path}`, error);
  }
}

function torn(path: string, what: string): DataError {
  return new DataError(
    'E_DATA_TORN',
    `${path}: ${what}: its write was interrupted; import the data again`,
  );
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
