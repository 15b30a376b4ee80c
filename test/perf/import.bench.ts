/**
 * Reading text files of candles beside csv-parse alone on the same file: rows per second by the layout of the file. `ROWS=N` makes files
 * of another length.
 */
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, gzipSync } from 'node:zlib';

import { parse } from 'csv-parse';
import yauzl, { type Entry } from 'yauzl';

import { checkCandleFile } from '../../src/archive/index.js';
import { encodeZip } from '../support/zip-files.js';
import { measure, milliseconds, type Case } from './measure.js';

const ROWS = Number(process.env['ROWS'] ?? 300_000);
const START = Date.UTC(2025, 0, 1);
const MINUTE = 60_000;
const SEMICOLONS = { delimiter: ';', end: '\r\n' };

const scratch = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-'));
try {
  const cases: Case[] = [];
  for (const layout of layouts()) cases.push(...casesOf(layout));
  await measure(cases, { rounds: 5 });
} finally {
  rmSync(scratch, { recursive: true });
}

interface Layout {
  readonly name: string;
  readonly delimiter?: string;
  readonly packing?: 'gzip' | 'zip';
  readonly text: string;
}

/** The rows of one market in the layouts that real files have. */
function layouts(): readonly Layout[] {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const open = 30_000 + (index % 1_000) / 8;
    const prices = [open, open + 5, open - 5, open + 1].map((price) => price.toFixed(2));
    return [String(START + index * MINUTE), ...prices, ((index % 77) + 0.125).toFixed(3)];
  });
  const names = ['time', 'open', 'high', 'low', 'close', 'volume'];
  const file = (
    cell: (text: string, column: number) => string = (text) => text,
    { delimiter = ',', end = '\n' } = {},
  ): string =>
    [names, ...rows.map((row) => row.map(cell))].map((row) => row.join(delimiter)).join(end);
  const iso = (text: string, column: number): string =>
    column > 0 ? text : new Date(Number(text)).toISOString();
  const dump = rows.map((row) =>
    [...row, String(Number(row[0]) + 59_999), '1234567.125', '321', '1.5', '45.25', '0'].join(','),
  );
  return [
    { name: 'plain', text: file() },
    { name: 'dump of twelve columns', text: dump.join('\n') },
    {
      name: 'semicolons, CRLF',
      delimiter: ';',
      text: file(undefined, SEMICOLONS),
    },
    { name: 'in quotes', text: file((text) => `"${text}"`) },
    { name: 'ISO times', text: file(iso) },
    { name: 'ISO times in quotes', text: file((text, column) => `"${iso(text, column)}"`) },
    {
      name: 'negative exponents',
      text: file((text, column) => (column === 5 ? `${text}e-3` : text)),
    },
    { name: 'semicolons in quotes', delimiter: ';', text: file((text) => `"${text}"`, SEMICOLONS) },
    { name: 'plain, gzipped', packing: 'gzip', text: file() },
    { name: 'in quotes, gzipped', packing: 'gzip', text: file((text) => `"${text}"`) },
    { name: 'plain, zipped', packing: 'zip', text: file() },
    {
      name: 'semicolons, CRLF, zipped',
      packing: 'zip',
      delimiter: ';',
      text: file(undefined, SEMICOLONS),
    },
  ];
}

function casesOf({ name, text, delimiter = ',', packing }: Layout): readonly Case[] {
  const file = path.join(scratch, name);
  writeFileSync(file, packed(text, packing));
  const rate = { unit: 'rows/s', better: 'more' } as const;
  const reference = `csv-parse alone, ${name}`;
  return [
    {
      ...rate,
      name: reference,
      run: async () => rateOf(() => parseAlone(file, { delimiter, packing })),
    },
    {
      ...rate,
      name: `reading, ${name}`,
      reference,
      run: async () => rateOf(() => checkCandleFile({ path: file, interval: '1min' })),
    },
  ];
}

function packed(text: string, packing: Layout['packing']): string | Buffer {
  if (packing === 'gzip') return gzipSync(text);
  return packing === 'zip' ? encodeZip([{ name: 'rows.csv', data: text }]) : text;
}

async function rateOf(work: () => Promise<unknown>): Promise<number> {
  return (ROWS / (await milliseconds(work))) * 1_000;
}

async function parseAlone(
  file: string,
  { delimiter, packing }: { readonly delimiter: string; readonly packing: Layout['packing'] },
): Promise<void> {
  let rows = 0;
  // `on_record` counts the rows. Through the parser's object stream they take several times as long.
  const parser = parse({
    delimiter,
    on_record: () => {
      rows += 1;
      return null;
    },
  });
  parser.resume();
  const options = { highWaterMark: 256 * 1024 };
  const chunks = { chunkSize: 256 * 1024 };
  if (packing === 'zip') await pipeline(await openZipped(file), parser);
  else if (packing === 'gzip')
    await pipeline(createReadStream(file, options), createGunzip(chunks), parser);
  else await pipeline(createReadStream(file, options), parser);
  if (rows < ROWS) throw new Error(`csv-parse found ${String(rows)} rows`);
}

/** The only file of a ZIP archive, unpacked as it is read. */
function openZipped(file: string): Promise<Readable> {
  return new Promise((resolve, reject) => {
    yauzl.open(file, (error, zip) => {
      if (error !== null) {
        reject(error);
        return;
      }
      zip.once('entry', (entry: Entry) => {
        zip.openReadStream(entry, (failure, stream) => {
          if (failure === null) resolve(stream);
          else reject(failure);
        });
      });
    });
  });
}
