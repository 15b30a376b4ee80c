import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';

import { importCandles, openArchive } from '../../../../src/archive/index.js';
import { readCandleFiles } from '../../../../src/archive/import/read-candle-file.js';
import { parseInstrumentId } from '../../../../src/domain/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { encodeZip } from '../../../support/zip-files.js';

const BTC = parseInstrumentId('spot:BTCUSDT');
/** 2025-01-01T00:00:00Z */
const START = 1_735_689_600_000;
/** More than two parts: a part of the text of an archive has some 1,700 rows. */
const ROWS = 4_000;

const rowAt = (minute: number, close = '101'): string =>
  `${String(START + minute * 60_000)},100,102,99,${close},5`;

type Change = (rows: string[], at: number, other: number) => void;

/** Changes to one row. All other rows are correct. */
const CHANGES: Readonly<Record<string, Change>> = {
  nothing: () => undefined,
  'comes later': (rows, at, other) => {
    rows.splice(other, 0, ...rows.splice(at, 1));
  },
  'is there twice': (rows, at, other) => {
    rows.splice(other, 0, rows[at] ?? '');
  },
  'is there with other values': (rows, at, other) => {
    rows.splice(other, 0, rowAt(at, '100.5'));
  },
  'cannot be read': (rows, at) => {
    rows[at] = 'x,1,1,1,1,1';
  },
  'is no candle': (rows, at) => {
    rows[at] = rowAt(at, '500');
  },
  'has quotes': (rows, at) => {
    rows[at] = `"${(rows[at] ?? '').replace(',', '","')}"`;
  },
  'has quotes within': (rows, at) => {
    rows[at] = (rows[at] ?? '').replace(',100,', ',"10""0",');
  },
  'is missing': (rows, at) => {
    rows.splice(at, 1);
  },
  'is the first of an hour, and so are all behind it': (rows, at) => {
    for (let row = at; row < rows.length; row += 1) rows[row] = rowAt(at + (row - at) * 60);
  },
};

/** The report and the stored rows of an import. */
async function imported(
  data: string,
  options: { readonly skipBad: boolean; readonly batchRows: number },
): Promise<object> {
  const folder = await temporaryFolder();
  const path = join(folder, 'candles.zip');
  await writeFile(path, encodeZip([{ name: 'one.csv', data, method: 0 }]));
  const directory = join(folder, 'archive');
  const series = { instrumentId: BTC, interval: '1min', volumeUnit: 'base' } as const;
  let said: object;
  try {
    const report = await importCandles(openArchive(directory), {
      ...{ paths: [path], ...series },
      ...options,
    });
    said = { ...report };
  } catch (error) {
    said = { error: String(error).replaceAll(folder, '') };
  }
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const files = names.filter((name) => /arrow|json/.test(name)).sort();
  const stored = await Promise.all(
    files.map(async (name) => [name, await readFile(join(directory, name), 'base64')]),
  );
  return { ...said, stored };
}

const place = fc.integer({ min: 0, max: ROWS - 1 });

describe('a file that is read in parts', () => {
  it('is read in several parts, in order, with all rows', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'candles.zip');
    // Enough rows for several reads: newer versions of Node read 64 KiB at a time.
    const count = 4 * ROWS;
    const rows = Array.from({ length: count }, (_, minute) => rowAt(minute));
    const data = `time_ms,open,high,low,close,volume\n${rows.join('\n')}\n`;
    await writeFile(path, encodeZip([{ name: 'one.csv', data, method: 0 }]));

    const parts: [boolean, number][] = [];
    for await (const part of readCandleFiles(path, { partRows: 1 }))
      parts.push([part.isContinued, part.rows.length]);

    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map(([isContinued]) => isContinued)).toEqual(parts.map((_, index) => index > 0));
    expect(parts.reduce((sum, [, read]) => sum + read, 0)).toBe(count);
  });

  test.prop(
    {
      change: fc.constantFrom(...Object.keys(CHANGES)),
      at: place,
      other: place,
      skipBad: fc.boolean(),
    },
    {
      numRuns: 13,
      // Each change once, with rows in different parts.
      examples: Object.keys(CHANGES).map((change, index) => ({
        ...{ change, at: 1_000, other: 3_000, skipBad: index % 2 === 0 },
      })),
    },
  )('is imported like a file that is read at once', async ({ change, at, other, skipBad }) => {
    const rows = Array.from({ length: ROWS }, (_, minute) => rowAt(minute));
    CHANGES[change]?.(rows, at, other);
    const data = `time_ms,open,high,low,close,volume\n${rows.join('\n')}\n`;

    const whole = await imported(data, { skipBad, batchRows: ROWS * 2 });
    const inParts = await imported(data, { skipBad, batchRows: 1 });

    expect(inParts).toEqual(whole);
  });
});
