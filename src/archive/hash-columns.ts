import { createHash } from 'node:crypto';
import type { CandleColumns } from '../domain/index.js';
import { COLUMN_NAMES } from './columns.js';

/**
 * Returns the SHA-256 (hex) of the values of candles: the six columns in the order open time, open, high, low, close, volume, each
 * as little-endian float64.
 *
 * Equal values give equal hashes, whichever file or library they came through.
 */
export function hashColumns(columns: CandleColumns): string {
  const hash = createHash('sha256');
  for (const name of COLUMN_NAMES) {
    const { buffer, byteOffset, byteLength } = columns[name];
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest('hex');
}
