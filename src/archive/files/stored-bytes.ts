import { statSync } from 'node:fs';
import type { HoldingKey } from '../archive-entry.js';
import { seriesPaths } from './layout.js';

/** Size of the Arrow file of candles or mark prices, in bytes. 0 for other kinds, which are small, and for a file that cannot be examined. */
export function storedBytes(directory: string, { kind, ...key }: HoldingKey): number {
  if (key.interval === undefined || (kind !== 'candles' && kind !== 'mark')) return 0;
  const { instrumentId, interval } = key;
  try {
    return statSync(seriesPaths(directory, { kind, instrumentId, interval }).arrow).size;
  } catch {
    return 0;
  }
}
