import { statSync } from 'node:fs';
import type { HoldingKey } from './archive-entry.js';
import { seriesPaths } from './layout.js';

/** Bytes of the rows of a stored series; 0 of what is small anyway, and of a file that cannot be looked at. */
export function storedBytes(directory: string, { kind, ...key }: HoldingKey): number {
  if (key.interval === undefined || (kind !== 'candles' && kind !== 'mark')) return 0;
  const { instrumentId, interval } = key;
  try {
    return statSync(seriesPaths(directory, { kind, instrumentId, interval }).arrow).size;
  } catch {
    return 0;
  }
}
