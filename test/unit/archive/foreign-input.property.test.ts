import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as arrow from 'apache-arrow';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { checkCandleFile, importCandles, openArchive } from '../../../src/archive/index.js';
import { CANDLES_METADATA } from '../../../src/archive/files/metadata.js';
import { DataError, parseInstrumentId } from '../../../src/domain/index.js';
import { encodeFeather } from '../../support/candle-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BTC = parseInstrumentId('spot:BTCUSDT');

/** The error of a call that fails. Undefined if it succeeds. */
async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const isDataErrorOrNothing = (error: unknown): boolean =>
  error === undefined || error instanceof DataError;

const cell = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e400',
    'NaN',
    '1735689600000',
    '2025-01-01',
    '"',
    '""',
    '0x1',
  ),
  fc.double().map(String),
  fc.string({ maxLength: 5 }),
);
const csv = fc
  .array(fc.array(cell, { minLength: 1, maxLength: 13 }), { maxLength: 20 })
  .map((rows) => rows.map((cells) => cells.join(',')).join('\n'));
const candleCsv = csv.map((text) => `time,open,high,low,close,volume\n${text}`);

const signatures = [
  '',
  'ARROW1\u0000\u0000',
  '\u00ff\u00ff\u00ff\u00ff',
  'PAR1',
  'FEA1',
  '\u001f\u008b\u0008',
];
const bytes = fc
  .tuple(fc.constantFrom(...signatures), fc.uint8Array({ maxLength: 400 }), fc.boolean())
  .map(([signature, rest, isClosed]) =>
    Buffer.concat([
      Buffer.from(signature, 'latin1'),
      rest,
      Buffer.from(isClosed ? signature.trimEnd() : '', 'latin1'),
    ]),
  );

const START = 1_735_689_600_000;
const ROWS = Array.from({ length: 40 }, (_, minute) => START + minute * 60_000);
const float64 = (value: number): arrow.Vector =>
  arrow.vectorFromArray(
    ROWS.map(() => value),
    new arrow.Float64(),
  );
const FEATHER = encodeFeather({
  time: arrow.vectorFromArray(ROWS.map(BigInt), new arrow.Int64()),
  open: float64(100),
  high: float64(102),
  low: float64(99),
  close: float64(101),
  volume: float64(5),
});
const PARQUET = new Uint8Array(
  parquetWriteBuffer({
    columnData: [
      { name: 'time', data: ROWS.map(BigInt), type: 'INT64' },
      ...Object.entries({ open: 100, high: 102, low: 99, close: 101, volume: 5 }).map(
        ([name, value]) => ({ name, data: ROWS.map(() => value), type: 'DOUBLE' as const }),
      ),
    ],
  }),
);

/** The beginning of a file of a known format. */
const cutShort = fc
  .tuple(fc.constantFrom(FEATHER, PARQUET), fc.nat())
  .map(([whole, length]) => Buffer.from(whole.subarray(0, length % whole.byteLength)));

const files = fc.oneof(
  cutShort,
  csv.map((text) => Buffer.from(text)),
  candleCsv.map((text) => Buffer.from(text)),
  candleCsv.map((text) => gzipSync(text)),
  bytes,
);

describe('files with any content', () => {
  it('law: an import or a check succeeds or throws a DataError; that of an import names the file', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'candles.any');
    let run = 0;
    await fc.assert(
      fc.asyncProperty(files, fc.boolean(), async (content, skipBad) => {
        run += 1;
        await writeFile(path, content);
        const archive = openArchive(join(folder, String(run)));
        const target = { instrumentId: BTC, interval: '1min', volumeUnit: 'base' } as const;
        const options = { ...target, paths: [path], skipBad };

        const failure = await failureOf(importCandles(archive, options));
        const checked = await failureOf(checkCandleFile({ path, interval: '1min' }));

        expect([failure, checked].filter((error) => !isDataErrorOrNothing(error))).toEqual([]);
        if (failure instanceof DataError) expect(failure.message).toContain('candles.any');
      }),
    );
  });
});

describe('CANDLES_METADATA', () => {
  it('law: any JSON or text gives a DataError that names the file', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(() => CANDLES_METADATA.parse(text, '1h.json')).toThrow(DataError);
        expect(() => CANDLES_METADATA.parse(text, '1h.json')).toThrow('1h.json');
      }),
    );
  });
});
