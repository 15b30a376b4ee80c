/**
 * Peak resident memory of `evenkeel data import` by the number of files it reads: one by one, all in one ZIP archive, or joined as one file in it.
 * Each file has a month of minutes. Memory should stay flat.
 * `FILES=25,200` sets other numbers of files.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

import { encodeZip } from '../support/zip-files.js';
import { measure, type Case } from './measure.js';
import { MAIN, peakOf } from './processes.js';

const COUNTS = (process.env['FILES'] ?? '25,100').split(',').map(Number);
const ROWS = 43_200;
const MINUTE = 60_000;
const START = Date.UTC(2008, 0, 1);

const scratch = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-'));
try {
  const reference = nameOf(Math.min(...COUNTS));
  await measure(
    COUNTS.flatMap((count) => casesOf(count, reference)),
    { rounds: 2, warmups: 0 },
  );
} finally {
  rmSync(scratch, { recursive: true });
}

function nameOf(count: number): string {
  return `import of ${String(count)} files`;
}

function casesOf(count: number, reference: string): readonly Case[] {
  const name = nameOf(count);
  const folder = path.join(scratch, String(count));
  mkdirSync(folder);
  const zip = path.join(scratch, `${String(count)}.zip`);
  const files = Array.from({ length: count }, (_, index) => {
    const file = `${String(index).padStart(4, '0')}.csv`;
    const data = month(index);
    writeFileSync(path.join(folder, file), data);
    return { name: file, data: Buffer.alloc(0), size: data.length, ...packed(data) };
  });
  writeFileSync(zip, encodeZip(files));
  const one = path.join(scratch, `${String(count)}-in-one.zip`);
  const rows = Array.from({ length: count }, (_, index) => month(index));
  const all = rows.map((data, index) => (index === 0 ? data : data.slice(data.indexOf('\n') + 1)));
  const data = all.join('');
  writeFileSync(
    one,
    encodeZip([{ name: 'all.csv', data: Buffer.alloc(0), size: data.length, ...packed(data) }]),
  );
  return [
    caseOf(name, path.join(folder, '*.csv'), name === reference ? undefined : reference),
    caseOf(`${name} in a ZIP archive`, zip, reference),
    caseOf(`${name} in one entry`, one, reference),
  ];
}

function packed(data: string): { readonly packed: Buffer; readonly checksum: number } {
  return { packed: deflateRawSync(data, { level: 1 }), checksum: crc32(data) };
}

function caseOf(name: string, source: string, reference: string | undefined): Case {
  const archive = path.join(scratch, 'archive');
  const flags = ['--product', 'spot', '--symbol', 'BTCUSDT', '--interval', '1min'];
  const peak = peakOf({
    name,
    args: [MAIN, 'data', 'import', source, ...flags, '--archive', archive],
    ...(reference !== undefined && { reference }),
  });
  const run = (): number | Promise<number> => {
    rmSync(archive, { recursive: true, force: true });
    return peak.run();
  };
  return { ...peak, run };
}

function month(index: number): string {
  const lines = ['time,open,high,low,close,volume'];
  for (let row = index * ROWS; row < (index + 1) * ROWS; row += 1) {
    const open = 30_000 + (row % 100_000) / 8;
    const prices = [open, open + 5, open - 5, open + 1].map((price) => price.toFixed(2));
    lines.push([START + row * MINUTE, ...prices, (row % 77) + 0.125].join(','));
  }
  return `${lines.join('\n')}\n`;
}
