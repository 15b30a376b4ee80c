import { fc, test } from '@fast-check/vitest';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { CANDLE_FILE_LAYOUT } from '../../../../src/archive/import/file-layout.js';
import { RawRows } from '../../../../src/archive/import/raw-rows.js';
import { readCsv } from '../../../../src/archive/import/read-csv.js';
import { RefusedRowLog } from '../../../../src/archive/import/refused-rows.js';
import { RowConsumer } from '../../../../src/archive/import/row-consumer.js';
import type { RowTarget } from '../../../../src/archive/import/row-reader.js';
import { TimeParser } from '../../../../src/archive/import/time-parser.js';
import { DataError } from '../../../../src/domain/index.js';

/** The result of reading a text: all rows with their numbers, all refusals, or the error. */
interface Read {
  readonly error: string | undefined;
  readonly columns: readonly (readonly number[])[];
  readonly numbers: readonly number[];
  readonly refused: unknown;
  readonly timeFormat: string;
}

function aTarget(): RowTarget {
  return {
    path: 'candles.csv',
    layout: CANDLE_FILE_LAYOUT,
    rows: new RawRows(CANDLE_FILE_LAYOUT.columns.length),
    times: new TimeParser({ assumeUtc: false }),
    refused: new RefusedRowLog(),
  };
}

const PARSER_ERROR = 'E_DATA_ROW of the parser';

function codeOf(error: unknown): string {
  if (!(error instanceof DataError)) return PARSER_ERROR;
  return error.message.includes('expected CSV:') ? PARSER_ERROR : `${error.code} ${error.message}`;
}

function readOf({ rows, refused, times }: RowTarget, error: unknown): Read {
  return {
    error: error === undefined ? undefined : codeOf(error),
    columns: rows.columns.map((values) => [...values]),
    numbers: [...rows.numbers],
    refused: refused?.summary,
    timeFormat: times.format,
  };
}

/** The text in pieces, like the pieces from a disk or from gunzip. */
async function* pieces(text: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) {
    yield await Promise.resolve(text.subarray(at, at + size));
  }
}

async function ours(text: string, size: number): Promise<Read> {
  const target = aTarget();
  const source = pieces(Buffer.from(text), size);
  const options = { isGzip: false, columns: undefined, signal: undefined, onProgress: undefined };
  try {
    for await (const rows of readCsv(target, { ...options, source }))
      expect(rows).toBe(target.rows.length);
    return readOf(target, undefined);
  } catch (error) {
    return readOf(target, error);
  }
}

/** The result with only csv-parse, which passes its rows on unchanged. */
function reference(text: string): Read {
  const target = aTarget();
  try {
    const consumer = new RowConsumer(target, {
      columns: undefined,
      delimiter: ','.charCodeAt(0),
      onProgress: undefined,
    });
    const rows = parse(text, { bom: true, delimiter: ',', relax_column_count: true });
    for (const cells of rows) consumer.take(cells);
    return readOf(target, undefined);
  } catch (error) {
    return readOf(target, error);
  }
}

/** After an error of the parser only the error is compared: the number of rows before it depends on the pieces, and no row is stored. */
function expectEqual(received: Read, expected: Read): void {
  if (expected.error === PARSER_ERROR) expect(received.error).toBe(PARSER_ERROR);
  else expect(received).toEqual(expected);
}

const START = 1_735_689_600_000;
const plainNumber = fc.oneof(
  fc.integer({ min: 0, max: 1e9 }).map(String),
  fc
    .tuple(
      fc.nat(),
      fc.string({
        unit: fc.constantFrom(...Array.from('0123456789')),
        minLength: 1,
        maxLength: 20,
      }),
    )
    .map(([whole, decimals]) => `${String(whole)}.${decimals}`),
  fc.double({ min: 0, max: 1e21, noNaN: true }).map(String),
);
const oddCell = fc.constantFrom(
  ...[
    '',
    ' ',
    '-1',
    '+2',
    '1e5',
    '0x10',
    '.5',
    '5.',
    '1.2.3',
    'NaN',
    ' 7 ',
    '9007199254740993',
    'ä',
    '00.10',
    '1 2',
    '\r',
    '-0',
    'Infinity',
  ],
);
const cell = fc.oneof({ weight: 30, arbitrary: plainNumber }, { weight: 1, arbitrary: oddCell });
const time = fc.oneof(
  { weight: 30, arbitrary: fc.nat(1e6).map((minute) => String(START + minute * 60_000)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('1735689600', '2025-01-01T00:00:00Z', '', '1735689600000.0', 'x'),
  },
);
const row = fc
  .tuple(time, fc.array(cell, { minLength: 5, maxLength: 5 }), fc.integer({ min: 0, max: 40 }))
  .map(([first, cells, cut]) => [first, ...cells].slice(0, cut < 6 ? cut + 1 : 6).join(','));
const oddlyQuotedRow = fc.constantFrom(
  `"${String(START)}","1","2","0.5","1","3"`,
  `${String(START)},1,2,"0.5",1,3`,
  `${String(START)},1,2,0.5,1,"3\n4"`,
  `${String(START)},1,2,0.5,"1""0",3`,
  `${String(START)},1,"2,5",0.5,1,3`,
  `${String(START)},1,2"",0.5,1,3`,
  `${String(START)},1,2,0.5,1,"3" `,
  `${String(START)},1,2,0.5,1,3,"4`,
  `"",""`,
);

/** Rows with quotes around some or all cells, as many programs write them. */
const quotedRow = fc
  .tuple(row, fc.constantFrom('all', 'none', 'time', 'numbers', 'odd'))
  .map(([text, which]) =>
    text
      .split(',')
      .map((each, place) => {
        const isQuoted =
          which === 'all' ||
          (which === 'time' && place === 0) ||
          (which === 'numbers' && place > 0);
        return isQuoted || (which === 'odd' && place % 2 === 1) ? `"${each}"` : each;
      })
      .join(','),
  );

const fileOf = (rows: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .record({
      mark: fc.constantFrom('', '', '\uFEFF'),
      header: fc.constantFrom(
        'time_ms,open,high,low,close,volume',
        'volume,x,close,low,high,open,time',
      ),
      rows: fc.array(rows, { maxLength: 30 }),
      end: fc.constantFrom('\n', '\n', '\r\n'),
      strange: fc.array(fc.tuple(fc.nat(30), fc.constantFrom('\n', '\r\n', '\r')), {
        maxLength: 1,
      }),
      last: fc.constantFrom('', '\n', '\r\n', '\n\n'),
      isStrange: fc.boolean(),
    })
    .map(({ mark, header, rows: lines, end, strange, last, isStrange }) => {
      const ends = new Map(isStrange ? strange : []);
      return `${mark}${[header, ...lines].map((line, index) => `${line}${ends.get(index + 1) ?? end}`).join('')}${last}`;
    });

const plain = fileOf(row);
const mixed = fileOf(
  fc.oneof({ weight: 10, arbitrary: row }, { weight: 1, arbitrary: oddlyQuotedRow }),
);
const quoted = fileOf(
  fc.oneof({ weight: 30, arbitrary: quotedRow }, { weight: 1, arbitrary: oddlyQuotedRow }),
);
const size = fc.constantFrom(64, 100, 1_000, 100_000);

describe('readCsv compared with csv-parse', () => {
  test.prop([plain, size], { numRuns: 120 })(
    'gives the result of csv-parse for plain files',
    async (text, bytes) => {
      expectEqual(await ours(text, bytes), reference(text));
    },
  );

  test.prop([mixed, size], { numRuns: 100 })(
    'gives the result of csv-parse for files with quotes in any place',
    async (text, bytes) => {
      expectEqual(await ours(text, bytes), reference(text));
    },
  );

  test.prop([quoted, size], { numRuns: 120 })(
    'gives the result of csv-parse for quoted files',
    async (text, bytes) => {
      expectEqual(await ours(text, bytes), reference(text));
    },
  );

  test.prop(
    [fc.oneof(plain, quoted), fc.nat(), fc.constantFrom(...Array.from('",\n\r;ä.0 ')), size],
    { numRuns: 100 },
  )(
    'gives the result of csv-parse for files broken at one place',
    async (text, at, letter, bytes) => {
      const place = at % text.length;
      const broken = `${text.slice(0, place)}${letter}${text.slice(place + 1)}`;
      expectEqual(await ours(broken, bytes), reference(broken));
    },
  );
});

describe('limits of readCsv', () => {
  it('refuses a row that does not end', async () => {
    const piece = '1'.repeat(1 << 16);
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('time,open,high,low,close,volume\n');
      for (let count = 0; count < 40_000; count += 1)
        yield await Promise.resolve(Buffer.from(piece));
    }
    const options = { isGzip: false, columns: undefined, signal: undefined, onProgress: undefined };
    const reading = readCsv(aTarget(), { ...options, source: endless() });
    const readAll = async (): Promise<void> => {
      for await (const rows of reading) expect(rows).toBe(0);
    };
    await expect(readAll()).rejects.toThrow(
      'candles.csv row 2: expected at most 1048576 bytes in a row, received more',
    );
  });
});
