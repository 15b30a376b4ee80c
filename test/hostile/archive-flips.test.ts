import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../src/archive/index.js';
import { createInstrumentId, DataError, present } from '../../src/domain/index.js';
import { digitPlaces, drawnBelow, withFlipped } from '../support/bit-flips.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const FLIPS = 2_000;
const SEED = 34;
const ID = createInstrumentId('futures', 'E-BTC-USDT');
const SHIPPED = path.resolve('backtest/data/futures/E-BTC-USDT');
/** Candles, marks, funding, rules and tiers of one contract. */
const FILES = [
  ...['1h.arrow', '1h.json', 'mark/1h.arrow', 'mark/1h.json'],
  ...['funding.arrow', 'funding.json', 'rules.json', 'tiers.json'],
];

/** Everything that a backtest reads from the archive, through the same calls. */
async function toldBy(folder: string): Promise<readonly unknown[]> {
  const archive = openArchive(folder);
  const series = [
    await archive.open(ID, '1h'),
    present(await archive.openMarks(ID, '1h'), 'marks'),
  ];
  try {
    const rows = series.map(({ rows: { length }, rows }) =>
      Array.from({ length }, (_, row) => [
        rows.openTime(row),
        rows.open(row),
        rows.high(row),
        rows.low(row),
        rows.close(row),
        rows.volume(row),
      ]),
    );
    const hashes = series.map((each) => each.hash());
    const records = [archive.funding(ID), archive.rules(ID), archive.tiers(ID)] as const;
    return [rows, hashes, ...(await Promise.all(records))];
  } finally {
    for (const each of series) await each.close();
  }
}

describe('a flipped bit in an archive', () => {
  it('is detected, or changes nothing that a backtest receives', async () => {
    const folder = await temporaryFolder();
    const home = path.join(folder, 'futures', 'E-BTC-USDT');
    for (const file of FILES) await cp(path.join(SHIPPED, file), path.join(home, file));
    expect(await readdir(home)).toHaveLength(7);
    const right = await toldBy(folder);
    const below = drawnBelow(SEED);
    const counts = { found: 0, harmless: 0 };
    const other: string[] = [];
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const file = FILES[flip % FILES.length] ?? '';
      const bytes = await readFile(path.join(SHIPPED, file));
      // The first half of the flips hits any bit. The second half hits values: digits in JSON, any byte in Arrow files.
      const isAimed = flip >= FLIPS / 2;
      const isText = file.endsWith('.json');
      const digits = isText && isAimed ? digitPlaces(bytes) : [];
      const place = isText && isAimed ? (digits[below(digits.length)] ?? 0) : below(bytes.length);
      const bit = isText && isAimed ? below(3) : below(8);
      await writeFile(path.join(home, file), withFlipped(bytes, place, bit));
      const told = await toldBy(folder).catch((error: unknown) => {
        // The error of a damaged file names the file.
        if (error instanceof DataError) return undefined;
        throw error;
      });
      await writeFile(path.join(home, file), bytes);
      if (told === undefined) counts.found += 1;
      else if (isDeepStrictEqual(told, right)) counts.harmless += 1;
      else other.push(`bit ${String(bit)} of byte ${String(place)} of ${file}`);
    }

    console.log(
      `${String(FLIPS)} flips of an archive of ${String(FILES.length)} files: ${String(counts.found)} found, ${String(counts.harmless)} without effect, ${String(other.length)} silently other`,
    );
    expect(other).toEqual([]);
  }, 900_000);
});
