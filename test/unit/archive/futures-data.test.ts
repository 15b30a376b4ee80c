import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { openArchive, type Archive } from '../../../src/archive/index.js';
import {
  parseFixed,
  parseInstrumentId,
  type DatedRules,
  type DatedTiers,
  type FundingColumns,
} from '../../../src/domain/index.js';
import { columnsFrom, columnsOf, rowsOf } from '../../support/candle-columns.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const PERP = parseInstrumentId('futures:E-BTC-USDT');
const HOUR = 3_600_000;
const START = Date.UTC(2025, 0, 1);
const SOURCE = { source: 'a.csv' };

const MARKS = { ...columnsFrom(START, 5, HOUR), volume: new Float64Array(5) };
const fundingOf = (
  ...rows: readonly (readonly [hour: number, rate: number])[]
): FundingColumns => ({
  time: Float64Array.from(rows, ([hour]) => START + hour * HOUR),
  rate: Float64Array.from(rows, ([, rate]) => rate),
});
const FUNDING = fundingOf([0, 0.0001], [8, -0.0002], [16, 0]);

const RULES: readonly DatedRules[] = [
  {
    from: 0,
    rules: {
      tradable: true,
      pricePrecision: 1,
      quantityPrecision: 0,
      minOrderQuantity: parseFixed('1'),
      maxMarketQuantity: parseFixed('120000'),
      maxWorkingOrders: 200,
    },
  },
  { from: START, rules: { tradable: false, pricePrecision: 2, quantityPrecision: 0 } },
];
const TIERS: readonly DatedTiers[] = [
  {
    from: 0,
    tiers: [
      {
        maxValue: parseFixed('50000.123456789012345678'),
        maxLeverage: parseFixed('125'),
        keepRate: parseFixed('0.004'),
      },
      { maxValue: undefined, maxLeverage: parseFixed('20'), keepRate: parseFixed('0.05') },
    ],
  },
];

async function anArchive(): Promise<{ readonly archive: Archive; readonly folder: string }> {
  const folder = await temporaryFolder();
  return { archive: openArchive(folder), folder: join(folder, 'futures', 'E-BTC-USDT') };
}

describe('missing data of an archive', () => {
  it('is undefined or empty, with or without the folder', async () => {
    const { archive } = await anArchive();
    const nowhere = openArchive(join(archive.directory, 'nowhere'));

    for (const each of [archive, nowhere]) {
      expect(await each.marks(PERP, '1h')).toBeUndefined();
      expect(await each.markIntervals(PERP)).toEqual([]);
      expect(await each.funding(PERP)).toBeUndefined();
      expect(await each.rules(PERP)).toEqual([]);
      expect(await each.tiers(PERP)).toEqual([]);
    }
  });
});

describe('mark prices', () => {
  it('are read back beside candles of the same interval', async () => {
    const { archive } = await anArchive();
    const candles = columnsFrom(START, 3, HOUR);
    const key = { instrumentId: PERP, interval: '1h' } as const;
    await archive.merge({ ...key, columns: candles }, { ...SOURCE, volumeUnit: 'contracts' });

    const report = await archive.mergeMarks({ ...key, columns: MARKS }, SOURCE);
    const marks = await archive.marks(PERP, '1h', { verify: true });

    expect(report).toMatchObject({ added: 5, info: { kind: 'mark', rows: 5, gaps: 0 } });
    expect(marks === undefined ? undefined : rowsOf(marks)).toEqual(rowsOf(MARKS));
    expect(rowsOf(await archive.read(PERP, '1h'))).toEqual(rowsOf(candles));
    expect(await archive.list()).toHaveLength(1);
  });

  it('are read by range, without rows for an empty range', async () => {
    const { archive } = await anArchive();
    await archive.mergeMarks({ instrumentId: PERP, interval: '1h', columns: MARKS }, SOURCE);

    const some = await archive.marks(PERP, '1h', { from: START + HOUR, to: START + 3 * HOUR });
    const none = await archive.marks(PERP, '1h', { from: START + 5 * HOUR });

    expect(some?.openTime).toEqual(MARKS.openTime.subarray(1, 3));
    expect(none?.openTime).toHaveLength(0);
    expect(await archive.marks(PERP, '1min')).toBeUndefined();
  });

  it('are listed by interval, finest first', async () => {
    const { archive } = await anArchive();
    const columns = columnsOf([{ time: START, volume: 0 }]);
    for (const interval of ['8h', '1min'] as const) {
      await archive.mergeMarks({ instrumentId: PERP, interval, columns }, SOURCE);
    }

    expect(await archive.markIntervals(PERP)).toEqual(['1min', '8h']);
  });

  it('are refused with a volume', async () => {
    const { archive } = await anArchive();
    const columns = columnsOf([
      { time: START, volume: 0 },
      { time: START + HOUR, volume: 5 },
    ]);

    const merge = archive.mergeMarks({ instrumentId: PERP, interval: '1h', columns }, SOURCE);

    await expect(merge).rejects.toMatchObject({
      code: 'E_DATA_DEFECT',
      message: 'row 2 of futures:E-BTC-USDT mark 1h: expected volume 0 for mark prices, received 5',
    });
  });

  it('are reported if their metadata is missing, and repaired by the next merge', async () => {
    const { archive, folder } = await anArchive();
    const series = { instrumentId: PERP, interval: '1h', columns: MARKS } as const;
    await archive.mergeMarks(series, SOURCE);
    await rm(join(folder, 'mark', '1h.json'));

    await expect(archive.marks(PERP, '1h')).rejects.toMatchObject({ code: 'E_DATA_TORN' });
    const repaired = await archive.mergeMarks(series, SOURCE);

    expect(repaired).toMatchObject({ added: 0, duplicates: 5 });
  });

  it('are refused if their metadata is that of candles', async () => {
    const { archive, folder } = await anArchive();
    const series = { instrumentId: PERP, interval: '1h', columns: MARKS } as const;
    await archive.merge(series, { ...SOURCE, volumeUnit: 'base' });
    await archive.mergeMarks(series, SOURCE);
    const foreign = await readFile(join(folder, '1h.json'));
    await writeFile(join(folder, 'mark', '1h.json'), foreign);

    await expect(archive.marks(PERP, '1h')).rejects.toThrow(
      'expected the metadata of futures:E-BTC-USDT mark 1h, received that of futures:E-BTC-USDT 1h',
    );
  });
});

describe('funding rates', () => {
  it('are read back, whole or by range', async () => {
    const { archive } = await anArchive();

    const report = await archive.mergeFunding(PERP, FUNDING, SOURCE);

    expect(report).toMatchObject({
      added: 3,
      duplicates: 0,
      replaced: 0,
      info: { kind: 'funding', rows: 3, from: START, to: START + 16 * HOUR, sources: ['a.csv'] },
    });
    expect(await archive.funding(PERP)).toEqual(FUNDING);
    const some = await archive.funding(PERP, { from: START + HOUR, to: START + 16 * HOUR });
    expect(some).toEqual(fundingOf([8, -0.0002]));
    expect((await archive.funding(PERP, { from: START + 17 * HOUR }))?.time).toHaveLength(0);
  });

  it('are rounded to the minute, from late and early times', async () => {
    const { archive } = await anArchive();
    const { time, rate } = FUNDING;

    await archive.mergeFunding(
      PERP,
      { time: Float64Array.of(START + 29, START + 8 * HOUR - 7, START + 16 * HOUR), rate },
      SOURCE,
    );

    expect((await archive.funding(PERP))?.time).toEqual(time);
  });

  it('are merged by time, without duplicates', async () => {
    const { archive } = await anArchive();
    await archive.mergeFunding(PERP, fundingOf([8, -0.0002], [24, 0.0003]), SOURCE);

    const report = await archive.mergeFunding(PERP, FUNDING, { source: 'b.csv' });

    expect(report).toMatchObject({
      added: 2,
      duplicates: 1,
      info: { sources: ['a.csv', 'b.csv'] },
    });
    expect(await archive.funding(PERP)).toEqual(
      fundingOf([0, 0.0001], [8, -0.0002], [16, 0], [24, 0.0003]),
    );
  });

  it('are overwritten only with replace', async () => {
    const { archive } = await anArchive();
    await archive.mergeFunding(PERP, FUNDING, SOURCE);
    const other = fundingOf([8, 0.5]);

    await expect(archive.mergeFunding(PERP, other, SOURCE)).rejects.toMatchObject({
      code: 'E_DATA_CONFLICT',
      message:
        '1 stored funding rates have different values, the first at 2025-01-01T08:00:00Z: -0.0002 stored, 0.5 given; pass --replace to overwrite them',
    });
    const replaced = await archive.mergeFunding(PERP, other, { ...SOURCE, replace: true });

    expect(replaced).toMatchObject({ added: 0, replaced: 1 });
    expect((await archive.funding(PERP))?.rate[1]).toBe(0.5);
  });

  it.each([
    [fundingOf(), 'E_DATA_EMPTY', 'no funding rates of futures:E-BTC-USDT'],
    [
      fundingOf([0, 0], [0, 0]),
      'E_DATA_DEFECT',
      'row 2 of the funding of futures:E-BTC-USDT: expected a time after 2025-01-01T00:00:00Z',
    ],
    [
      fundingOf([0, 1]),
      'E_DATA_DEFECT',
      'expected a rate as a ratio between -1 and 1 (0.0001 is 0.01 %), received 1',
    ],
    [fundingOf([0, Number.NaN]), 'E_DATA_DEFECT', 'received NaN'],
    [fundingOf([Number.NaN, 0]), 'E_DATA_DEFECT', 'expected a time, received NaN'],
  ])('are refused with the columns %o', async (columns, code, message) => {
    const { archive } = await anArchive();

    await expect(archive.mergeFunding(PERP, columns, SOURCE)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
    expect(await archive.funding(PERP)).toBeUndefined();
  });

  it('are stored in an Arrow file that other programs can read', async () => {
    const { archive, folder } = await anArchive();
    await archive.mergeFunding(PERP, FUNDING, SOURCE);

    const table = tableFromIPC(await readFile(join(folder, 'funding.arrow')));

    expect(table.schema.fields.map(({ name, type }) => `${name} ${String(type)}`)).toEqual([
      'time Timestamp<MILLISECOND, UTC>',
      'rate Float64',
    ]);
    expect([...(table.getChild('rate') ?? [])]).toEqual([0.0001, -0.0002, 0]);
  });

  it('are refused if damaged, truncated or from another write; a merge repairs the last case', async () => {
    const { archive, folder } = await anArchive();
    const path = join(folder, 'funding.arrow');
    await archive.mergeFunding(PERP, FUNDING, SOURCE);
    const before = await readFile(path);
    const { info } = await archive.mergeFunding(PERP, fundingOf([24, 0.1]), SOURCE);
    const whole = await readFile(path);
    const flipped = Buffer.from(whole);
    flipped[info.file.headBytes + 1] = 77;

    await writeFile(path, flipped);
    await expect(archive.funding(PERP)).rejects.toMatchObject({ code: 'E_DATA_CORRUPT' });
    await writeFile(path, whole.subarray(0, -20));
    await expect(archive.funding(PERP)).rejects.toMatchObject({ code: 'E_DATA_CORRUPT' });
    await writeFile(path, Buffer.concat([before, Buffer.alloc(999)]));
    await expect(archive.funding(PERP)).rejects.toMatchObject({ code: 'E_DATA_TORN' });
    await writeFile(path, before);
    await rm(join(folder, 'funding.json'));
    await expect(archive.funding(PERP)).rejects.toMatchObject({ code: 'E_DATA_TORN' });
    const repaired = await archive.mergeFunding(PERP, fundingOf([24, 0.1]), SOURCE);

    expect(repaired).toMatchObject({ added: 1, info: { rows: 4 } });
  });
});

describe('rules and tiers', () => {
  it('are read back exactly', async () => {
    const { archive } = await anArchive();

    const rules = await archive.mergeRules(PERP, RULES, SOURCE);
    const tiers = await archive.mergeTiers(PERP, TIERS, SOURCE);

    expect(rules).toMatchObject({ added: 2, info: { kind: 'rules', rows: 2, from: 0, to: START } });
    expect(tiers).toMatchObject({ added: 1, info: { kind: 'tiers', rows: 1 } });
    expect(await archive.rules(PERP)).toEqual(RULES);
    expect(await archive.tiers(PERP)).toEqual(TIERS);
  });

  it('are merged by date; another record of a stored date is refused without replace', async () => {
    const { archive } = await anArchive();
    const [first, second] = RULES;
    if (first === undefined || second === undefined) throw new Error('two records are expected');
    await archive.mergeRules(PERP, [second], SOURCE);
    const other = { from: START, rules: { ...second.rules, tradable: true } };

    const report = await archive.mergeRules(PERP, RULES, { source: 'b.json' });
    await expect(archive.mergeRules(PERP, [other], SOURCE)).rejects.toMatchObject({
      code: 'E_DATA_CONFLICT',
      message: expect.stringContaining(
        'stored rules of futures:E-BTC-USDT from 2025-01-01T00:00:00Z have different values',
      ) as string,
    });
    const replaced = await archive.mergeRules(PERP, [other], { ...SOURCE, replace: true });

    expect(report).toMatchObject({ added: 1, duplicates: 1 });
    expect(replaced).toMatchObject({ replaced: 1, info: { sources: ['a.csv', 'b.json'] } });
    expect(await archive.rules(PERP)).toEqual([first, other]);
  });

  it('are refused when they contradict themselves', async () => {
    const { archive, folder } = await anArchive();
    const contradiction = [
      { from: 0, rules: { tradable: true, pricePrecision: 19, quantityPrecision: 0 } },
    ];

    await expect(archive.mergeRules(PERP, contradiction, SOURCE)).rejects.toMatchObject({
      code: 'E_DATA_RECORD',
      message: expect.stringContaining('expected a precision from 0 to 18') as string,
    });
    await expect(archive.mergeTiers(PERP, [{ from: 0, tiers: [] }], SOURCE)).rejects.toMatchObject({
      code: 'E_DATA_RECORD',
    });
    await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([
    [
      '"keepRate": "0.05"',
      '"keepRate": "0.06"',
      'E_DATA_CORRUPT',
      'was damaged or edited: expected records with SHA-256',
    ],
    [
      '"keepRate": "0.05"',
      '"keepRate": 0.05',
      'E_DATA_METADATA',
      'entries.0.tiers.1.keepRate: expected a text, received 0.05',
    ],
    [
      '"keepRate": "0.05"',
      '"keepRate": "x"',
      'E_DATA_METADATA',
      'entries.0.tiers.1.keepRate: expected a finite decimal',
    ],
    [
      '"keepRate": "0.05"',
      '"keepRate": "2"',
      'E_DATA_METADATA',
      'expected keepRate within [0, 1), received 2',
    ],
    ['1970-01-01', '1970-13-01', 'E_DATA_METADATA', 'entries.0.from: expected a UTC date'],
    ['E-BTC-USDT', 'E-ETH-USDT', 'E_DATA_METADATA', 'instrument: expected futures:E-BTC-USDT'],
    [
      '"kind": "tiers"',
      '"kind": "rules"',
      'E_DATA_METADATA',
      'kind: expected "tiers", received "rules"',
    ],
    ['"version": 1', '"version": 2', 'E_DATA_METADATA', 'version: expected 1, received 2'],
    ['{', '', 'E_DATA_METADATA', 'not JSON'],
  ])('are refused when %s became %s in the file', async (from, to, code, message) => {
    const { archive, folder } = await anArchive();
    await archive.mergeTiers(PERP, TIERS, SOURCE);
    const path = join(folder, 'tiers.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));

    await expect(archive.tiers(PERP)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/tiers\.json/) as string,
    });
    await expect(archive.tiers(PERP)).rejects.toThrow(message);
  });
});

describe('Archive.holdings', () => {
  it('lists all stored data by kind and interval, broken data too', async () => {
    const { archive, folder } = await anArchive();
    const key = { instrumentId: PERP, interval: '1h' } as const;
    await archive.mergeTiers(PERP, TIERS, SOURCE);
    await archive.mergeRules(PERP, RULES, SOURCE);
    await archive.mergeFunding(PERP, FUNDING, SOURCE);
    await archive.mergeMarks({ ...key, columns: MARKS }, SOURCE);
    await archive.merge({ ...key, columns: MARKS }, { ...SOURCE, volumeUnit: 'base' });
    await writeFile(join(folder, 'funding.json'), '{');

    const holdings = await archive.holdings();

    expect(holdings.map(({ key: { kind, interval }, status }) => [kind, interval, status])).toEqual(
      [
        ['candles', '1h', 'usable'],
        ['mark', '1h', 'usable'],
        ['funding', undefined, 'broken'],
        ['rules', undefined, 'usable'],
        ['tiers', undefined, 'usable'],
      ],
    );
    expect(await archive.list()).toHaveLength(1);
  });
});
