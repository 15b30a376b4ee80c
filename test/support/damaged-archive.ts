import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { openArchive } from '../../src/archive/index.js';
import { parseInstrumentId } from '../../src/domain/index.js';
import { columnsFrom } from './candle-columns.js';

/** Possible damage to the two files of a series. */
export const DAMAGES = [
  'none',
  'flipped bit',
  'other head',
  'cut short',
  'longer',
  'empty',
  'no candles',
  'no metadata',
  'metadata of no JSON',
  'metadata that disagrees',
  'metadata of another',
] as const;

/** One series of an archive, and its damage. */
export interface DamagedSeries {
  readonly rows: number;
  /** Hours left out in its middle. */
  readonly gap: number;
  readonly damage: (typeof DAMAGES)[number];
  /** Place of the damage in the file, from 0 to 1. */
  readonly place: number;
}

export const someDamagedSeries: fc.Arbitrary<readonly DamagedSeries[]> = fc.array(
  fc.record({
    rows: fc.integer({ min: 1, max: 400 }),
    gap: fc.nat(3),
    damage: fc.constantFrom(...DAMAGES),
    place: fc.double({ min: 0, max: 0.99, noNaN: true }),
  }),
  { minLength: 1, maxLength: 40 },
);

const START = Date.UTC(2025, 0, 1);
const HOUR_MS = 3_600_000;

/** Stores series `spot:A0USDT`, `spot:A1USDT` and so on of hours, and damages them. */
export async function storeDamaged(
  folder: string,
  series: readonly DamagedSeries[],
): Promise<void> {
  const archive = openArchive(folder);
  for (const [index, { rows, gap }] of series.entries()) {
    const columns = columnsFrom(START, rows, HOUR_MS);
    const late = columns.openTime.map((time, row) => time + (row > rows / 2 ? gap * HOUR_MS : 0));
    await archive.merge(
      {
        instrumentId: parseInstrumentId(`spot:A${String(index)}USDT`),
        interval: '1h',
        columns: { ...columns, openTime: late },
      },
      { source: 'a test', volumeUnit: 'base' },
    );
  }
  for (const [index, one] of series.entries()) {
    await damage(path.join(folder, 'spot', `A${String(index)}USDT`, '1h'), one);
  }
}

async function damage(stem: string, { damage: kind, place }: DamagedSeries): Promise<void> {
  const arrow = `${stem}.arrow`;
  const metadata = `${stem}.json`;
  const edit = async (file: string, change: (text: string) => string): Promise<void> =>
    writeFile(file, change(await readFile(file, 'utf8')));
  switch (kind) {
    case 'none':
      return;
    case 'flipped bit':
      return flip(arrow, place);
    case 'other head':
      return flip(arrow, 0.01 * place);
    case 'cut short':
      return truncate(arrow, Math.floor(place * (await readFile(arrow)).byteLength));
    case 'longer':
      return writeFile(arrow, 'x', { flag: 'a' });
    case 'empty':
      return truncate(arrow);
    case 'no candles':
      return rm(arrow);
    case 'no metadata':
      return rm(metadata);
    case 'metadata of no JSON':
      return truncate(metadata, 20);
    case 'metadata that disagrees':
      return edit(metadata, (text) => text.replace('"missing": ', '"missing": 1'));
    case 'metadata of another':
      return edit(metadata, (text) => text.replace('spot:A', 'spot:B'));
  }
}

async function flip(file: string, place: number): Promise<void> {
  const bytes = await readFile(file);
  const at = Math.floor(place * bytes.byteLength);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  await writeFile(file, bytes);
}
