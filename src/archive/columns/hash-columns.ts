import { createHash } from 'node:crypto';
import type { CandleColumns } from '../../domain/index.js';
import { COLUMN_NAMES } from './columns.js';

/**
 * Returns the SHA-256 (hex) of the values of candles: the six columns in the order open time, open, high, low, close, volume, each
 * as little-endian float64.
 *
 * Equal values give equal hashes, whichever file or library they came through.
 */
export function hashColumns(columns: CandleColumns): string {
  return hashNumbers(COLUMN_NAMES.map((name) => columns[name]));
}

/** Returns the SHA-256 (hex) of arrays, one after the other, as little-endian float64. */
export function hashNumbers(arrays: readonly Float64Array[]): string {
  const hash = createHash('sha256');
  for (const { buffer, byteOffset, byteLength } of arrays) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest('hex');
}
