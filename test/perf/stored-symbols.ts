/** Archives of many equal symbols for benchmarks. The rows of one symbol are stored; the other symbols link to its files under other names. */
import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { openArchive } from '../../src/archive/index.js';
import { createInstrumentId } from '../../src/domain/index.js';
import { createReferenceCandles } from './reference-work.js';

export function symbolOf(index: number): string {
  return `C${String(index)}USDT`;
}

/** Stores `symbols` spot symbols, each with the same one-minute candles of the reference walk. */
export async function storeSymbols(
  folder: string,
  { symbols, rows }: { readonly symbols: number; readonly rows: number },
): Promise<void> {
  await openArchive(folder).merge(
    {
      instrumentId: createInstrumentId('spot', symbolOf(0)),
      interval: '1min',
      columns: createReferenceCandles(rows),
    },
    { source: 'reference walk', volumeUnit: 'base' },
  );
  const spot = path.join(folder, 'spot');
  const first = path.join(spot, symbolOf(0));
  const metadata = readFileSync(path.join(first, '1min.json'), 'utf8');
  for (let index = 1; index < symbols; index += 1) {
    const own = path.join(spot, symbolOf(index));
    mkdirSync(own);
    writeFileSync(path.join(own, '1min.json'), metadata.replace(symbolOf(0), symbolOf(index)));
    linkSync(path.join(first, '1min.arrow'), path.join(own, '1min.arrow'));
  }
}
