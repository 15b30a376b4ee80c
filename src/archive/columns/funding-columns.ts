import { formatUtc, MINUTE_MS, type EpochMs, type FundingColumns } from '../../domain/index.js';
import type { ColumnLayout, FileColumn } from './columns.js';
import { hashNumbers } from './hash-columns.js';

/** A value of 1 or more is no funding rate, but a percentage or a price. */
const LARGEST_RATE = 1;

export function allocateFunding(rows: number): FundingColumns {
  return { time: new Float64Array(rows), rate: new Float64Array(rows) };
}

/** Funding as the columns of a file: `time` and `rate`. */
export function fundingFileColumns({ time, rate }: FundingColumns): readonly FileColumn[] {
  return [
    { name: 'time', kind: 'time', values: time },
    { name: 'rate', kind: 'number', values: rate },
  ];
}

/** Returns the SHA-256 (hex) of the values: times, then rates, each as little-endian float64. */
export function hashFunding({ time, rate }: FundingColumns): string {
  return hashNumbers([time, rate]);
}

/** Views the rows from `start` to `end` (exclusive) without copying them. */
export function sliceFunding(
  { time, rate }: FundingColumns,
  start: number,
  end: number,
): FundingColumns {
  return { time: time.subarray(start, end), rate: rate.subarray(start, end) };
}

/** The minute nearest to a stamp: venues stamp settlements some milliseconds late (DESIGN R11). */
export function snapToMinute(time: EpochMs): EpochMs {
  // Adding 0 turns -0 into 0: one instant has one value.
  return Math.round(time / MINUTE_MS) * MINUTE_MS + 0;
}

/** Says what is wrong with a settlement, or undefined when nothing is. */
export function describeInvalidFunding(time: number, rate: number): string | undefined {
  if (!Number.isFinite(time)) return `expected a time, received ${String(time)}`;
  if (Math.abs(rate) < LARGEST_RATE) return undefined;
  return `expected a rate as a ratio between -1 and 1 (0.0001 is 0.01 %), received ${String(rate)}`;
}

/**
 * Finds the first row, counted from 0, that cannot be a settlement: a time not after the one before, or not on the minute, or a rate
 * that is not between -1 and 1. Returns the row and the reason, or undefined.
 */
export function findInvalidFunding({
  time,
  rate,
}: FundingColumns): { readonly row: number; readonly reason: string } | undefined {
  let previous = -Infinity;
  for (let row = 0; row < time.length; row += 1) {
    const at = time[row] ?? Number.NaN;
    const reason = describeInvalidFunding(at, rate[row] ?? Number.NaN);
    if (reason !== undefined) return { row, reason };
    if (snapToMinute(at) !== at) {
      return { row, reason: `expected a time on the minute, received ${formatUtc(at)}` };
    }
    if (at <= previous) {
      const expected = `expected a time after ${formatUtc(previous)}`;
      return { row, reason: `${expected}, received ${formatUtc(at)}` };
    }
    previous = at;
  }
  return undefined;
}

export const FUNDING_LAYOUT: ColumnLayout<FundingColumns> = {
  allocate: allocateFunding,
  fileColumns: fundingFileColumns,
  slice: sliceFunding,
};
