import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../../src/archive/index.js';
import { parseFixed, parseInstrumentId, type DatedRules } from '../../../../src/domain/index.js';
import { writeGzip, writeText } from '../../../support/candle-files.js';
import { futuresInfo, spotInfo } from '../../../support/exchange-rules.js';
import { runDataCommand, type DataCommandRun } from '../../../support/run-data-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const PERP = parseInstrumentId('futures:E-BTC-USDT');
const SPOT = parseInstrumentId('spot:BTCUSDT');
const AS_PERP = ['--product', 'futures', '--symbol', 'E-BTC-USDT'];
const AS_SPOT = ['--product', 'spot', '--symbol', 'BTCUSDT'];

async function importText(
  name: string,
  text: string,
  args: readonly string[],
): Promise<{ readonly run: DataCommandRun; readonly folder: string }> {
  const folder = await temporaryFolder();
  await writeText(folder, name, text);
  return { folder, run: await runDataCommand(folder, ['import', name, ...args]) };
}

describe('data import --kind rules', () => {
  it.each(['rules', 'tiers'])('refuses a folder, which has no one file of %s', async (kind) => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'exports'));
    await writeText(join(folder, 'exports'), 'rules.yaml', 'BTCUSDT: {}');

    const run = await runDataCommand(folder, ['import', 'exports', '--kind', kind, ...AS_SPOT]);

    expect(run).toMatchObject({
      exitCode: 2,
      stderr: `--kind ${kind} takes one file, received the folder exports (E_USAGE)\n`,
    });
  });

  it('imports one symbol of gzipped exchange information under another symbol and from a date', async () => {
    const folder = await temporaryFolder();
    await writeGzip(folder, 'info.json.gz', JSON.stringify(futuresInfo()));

    const run = await runDataCommand(folder, [
      ...['import', 'info.json.gz', '--kind', 'rules', '--product', 'futures'],
      ...['--symbol', 'BTCUSDT', '--as', 'E-BTC-USDT', '--from', '2025-06-01'],
    ]);

    expect(run).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        'imported info.json.gz, BTCUSDT: 1 record added',
        '  quantities are contracts of 0.001: the multiplier of the bot',
        '  not mapped: minPrice of PRICE_FILTER, maxPrice of PRICE_FILTER',
        '  futures:E-BTC-USDT rules: 1 record, in force from 2025-06-01T00:00:00Z',
        '',
      ].join('\n'),
    });
    expect(await openArchive(join(folder, 'data')).rules(PERP)).toMatchObject([
      { from: Date.UTC(2025, 5, 1), rules: { pricePrecision: 1, quantityPrecision: 0 } },
    ]);
  });

  it('imports records with the keys of a bot file, dated or not, as YAML or JSON', async () => {
    const yaml = [
      'BTCUSDT:',
      '  - { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }',
      '  - { from: 2025-06-01, tradable: false, pricePrecision: 2, quantityPrecision: 4 }',
    ].join('\n');
    const json = JSON.stringify({ BTCUSDT: { pricePrecision: 2, quantityPrecision: 5 } });

    const dated = await importText('rules.yaml', yaml, ['--kind', 'rules', ...AS_SPOT]);
    const plain = await importText('rules.json', json, ['--kind', 'rules', ...AS_SPOT]);

    expect(dated.run.stdout).toContain(
      'spot:BTCUSDT rules: 2 records, in force from 1970-01-01T00:00:00Z, the last from 2025-06-01T00:00:00Z',
    );
    const expected: readonly DatedRules[] = [
      {
        from: 0,
        rules: {
          tradable: true,
          pricePrecision: 2,
          quantityPrecision: 5,
          minOrderMoney: parseFixed('5'),
        },
      },
      {
        from: Date.UTC(2025, 5, 1),
        rules: { tradable: false, pricePrecision: 2, quantityPrecision: 4 },
      },
    ];
    expect(await openArchive(join(dated.folder, 'data')).rules(SPOT)).toEqual(expected);
    expect(plain.run.stdout).toContain('1 record added');
  });

  it('adds a later record, and replaces a record only with --replace', async () => {
    const folder = await temporaryFolder();
    await writeText(folder, 'a.json', JSON.stringify(spotInfo()));
    await writeText(
      folder,
      'b.json',
      JSON.stringify(spotInfo({ NOTIONAL: { minNotional: '10' } })),
    );
    const args = ['--kind', 'rules', ...AS_SPOT];
    await runDataCommand(folder, ['import', 'a.json', ...args]);

    const again = await runDataCommand(folder, ['import', 'a.json', ...args]);
    const refused = await runDataCommand(folder, ['import', 'b.json', ...args]);
    const later = await runDataCommand(folder, [
      'import',
      'b.json',
      ...args,
      '--from',
      '2025-01-01',
    ]);
    const replaced = await runDataCommand(folder, [
      'import',
      'b.json',
      ...args,
      '--replace',
      '--json',
    ]);

    expect(again.stdout).toContain('0 records added, 1 record stored already');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('have different values');
    expect(later.stdout).toContain('2 records, in force from');
    expect(JSON.parse(replaced.stdout)).toMatchObject({
      replaced: 1,
      stored: { kind: 'rules', rows: 2, sources: ['a.json', 'b.json'] },
    });
  });
});

describe('data import --kind tiers', () => {
  const BRACKETS = {
    'BTC/USDT:USDT': [
      { minNotional: 0, maxNotional: 50000, maintenanceMarginRate: 0.004, maxLeverage: 125 },
    ],
  };

  it('imports one contract of a list of brackets', async () => {
    const { run, folder } = await importText('tiers.json', JSON.stringify(BRACKETS), [
      ...['--kind', 'tiers', '--product', 'futures'],
      ...['--symbol', 'BTC/USDT:USDT', '--as', 'E-BTC-USDT'],
    ]);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await openArchive(join(folder, 'data')).tiers(PERP)).toEqual([
      {
        from: 0,
        tiers: [
          {
            maxValue: parseFixed('50000'),
            maxLeverage: parseFixed('125'),
            keepRate: parseFixed('0.004'),
          },
        ],
      },
    ]);
  });

  it('imports tiers with the keys of a bot file, dated or not', async () => {
    const yaml = [
      'E-BTC-USDT:',
      '  - { tiers: [{ maxValue: "5", maxLeverage: 125, keepRate: "0.004" }, { maxLeverage: 5, keepRate: "0.1" }] }',
      '  - { from: 2025-06-01, tiers: [{ maxLeverage: 50, keepRate: "0.02" }] }',
    ].join('\n');

    const { run, folder } = await importText('tiers.yaml', yaml, ['--kind', 'tiers', ...AS_PERP]);

    expect(run.stdout).toContain(
      'futures:E-BTC-USDT tiers: 2 records, in force from 1970-01-01T00:00:00Z, the last from 2025-06-01T00:00:00Z',
    );
    const tier = (maxLeverage: string, keepRate: string) => ({
      maxLeverage: parseFixed(maxLeverage),
      keepRate: parseFixed(keepRate),
    });
    expect(await openArchive(join(folder, 'data')).tiers(PERP)).toEqual([
      {
        from: 0,
        tiers: [{ maxValue: parseFixed('5'), ...tier('125', '0.004') }, tier('5', '0.1')],
      },
      { from: Date.UTC(2025, 5, 1), tiers: [tier('50', '0.02')] },
    ]);
  });
});

describe('data import of wrong records', () => {
  const RULES = ['--kind', 'rules', ...AS_SPOT];
  const TIERS = ['--kind', 'tiers', ...AS_PERP];

  it.each<[string, readonly string[], number, string]>([
    [
      'BTCUSDT: { pricePrecision: 2 }',
      RULES,
      2,
      'a.yaml:1:1 BTCUSDT.quantityPrecision: expected a whole number from 0 to 18, received nothing (E_CONFIG_MISSING)',
    ],
    [
      'BTCUSDT:\n  - { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: 5 }',
      RULES,
      2,
      'a.yaml:2:48 BTCUSDT.0.minOrderMoney: expected a quoted decimal, received the number 5 (E_CONFIG_TYPE)',
    ],
    [
      'BTCUSDT:\n  pricePrecision: 2\n  quantityPrecision: 5\n  minOrderVolume: "1"',
      RULES,
      2,
      'a.yaml:4:3 BTCUSDT.minOrderVolume: expected one of from, tradable, pricePrecision, quantityPrecision, minOrderQuantity, minOrderMoney, maxMarketQuantity, maxMarketMoney, maxLimitQuantity, maxWorkingOrders, received "minOrderVolume"; did you mean "minOrderQuantity"?',
    ],
    [
      'BTCUSDT:\n  - { from: soon, pricePrecision: 2, quantityPrecision: 5 }',
      RULES,
      2,
      'a.yaml:2:7 BTCUSDT.0.from: expected',
    ],
    [
      'BTCUSD: { pricePrecision: 2, quantityPrecision: 5 }',
      RULES,
      2,
      'a.yaml:1:1 BTCUSDT: expected the records of BTCUSDT, received nothing; did you mean "BTCUSD"?',
    ],
    ['BTCUSDT: []', RULES, 2, 'a.yaml:1:1 BTCUSDT: expected at least one record'],
    ['[1, 2]', RULES, 2, 'a.yaml:1:1: expected a mapping of symbols to records'],
    ['BTCUSDT: {', RULES, 2, 'a.yaml:'],
    [
      'BTCUSDT: { pricePrecision: 10, quantityPrecision: 10 }',
      RULES,
      1,
      'rules of spot:BTCUSDT: expected pricePrecision + quantityPrecision <= 18, received 10 + 10 (E_DATA_RECORD)',
    ],
    [
      'E-BTC-USDT: [{ tiers: [{ maxLeverage: 500, keepRate: "0.1" }] }]',
      TIERS,
      2,
      'a.yaml:1:26 E-BTC-USDT.0.tiers.0.maxLeverage: expected a whole number or a quoted decimal from 1 to 200, received',
    ],
    [
      'E-BTC-USDT: [{ tiers: [{ maxLeverage: 5, keepRte: "0.1" }] }]',
      TIERS,
      2,
      'expected one of maxValue, maxLeverage, keepRate, received "keepRte"; did you mean "keepRate"?',
    ],
    [
      'E-BTC-USDT: [{ tiers: [{ maxLeverage: 5, keepRate: "0.1" }, { maxLeverage: 2, keepRate: "0.2" }] }]',
      TIERS,
      1,
      'expected tiers with rising maxValue, and only the last without one, received none in tier 1 (E_DATA_RECORD)',
    ],
    [' ', RULES, 1, 'a.yaml is empty (E_DATA_EMPTY)'],
    [
      '{"symbols":[]}',
      RULES,
      1,
      'a.yaml: expected one symbol BTCUSDT, received none among 0 (E_DATA_RECORD)',
    ],
  ])('refuses a file with the text %s', async (text, args, exitCode, message) => {
    const { run, folder } = await importText('a.yaml', text, args);

    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(message);
    expect(await readdir(folder)).toEqual(['a.yaml']);
  });

  it.each([
    ['BTCUSDT: [{ pricePrecison: 2, quantityPrecision: 5 }]', RULES, 'pricePrecison'],
    ['E-BTC-USDT: [{ tiers: [{ maxLeverag: 5, keepRate: "0.1" }] }]', TIERS, 'maxLeverag'],
  ])('reports a misspelled key once: %s', async (text, args, key) => {
    const { run } = await importText('a.yaml', text, args);

    expect(run.stderr).toMatch(new RegExp(`^a\\.yaml:1:\\d+ \\S+${key}: expected one of .*\\n$`));
  });

  it('reports a truncated gzip file, bytes that are not UTF-8, and a missing file', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'cut.gz'), Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]));
    await writeFile(join(folder, 'bytes.json'), Buffer.from([0x7b, 0xff, 0xfe]));

    const cut = await runDataCommand(folder, ['import', 'cut.gz', ...RULES]);
    const bytes = await runDataCommand(folder, ['import', 'bytes.json', ...RULES]);
    const none = await runDataCommand(folder, ['import', 'none.json', ...RULES]);

    expect(cut.stderr).toMatch(/cut\.gz: the gzip data is damaged.*\(E_DATA_CORRUPT\)/);
    expect(bytes.stderr).toMatch(/bytes\.json: expected text in UTF-8.*\(E_DATA_FORMAT\)/);
    expect(none.stderr).toMatch(/none\.json: no such file or folder \(E_DATA_READ\)/);
  });

  it.each([
    [['--kind', 'rules', ...AS_SPOT, '--interval', '1h'], '--interval goes with --kind candles'],
    [
      ['--kind', 'tiers', ...AS_PERP, '--multiplier', '1'],
      '--multiplier goes with --kind rules only, not with --kind tiers',
    ],
    [
      ['--kind', 'rules', ...AS_SPOT, '--volume-unit', 'base'],
      '--volume-unit goes with --kind candles',
    ],
    [
      ['--kind', 'rules', ...AS_SPOT, '--multiplier', '0'],
      'expected a multiplier above 0, received "0"',
    ],
    [
      ['--kind', 'rules', ...AS_SPOT, '--multiplier', '3'],
      '--multiplier is for --product futures, received spot (E_USAGE)',
    ],
    [
      ['--kind', 'rules', '--product', 'futures', '--symbol', 'BTCUSDT', '--multiplier', '3'],
      '--multiplier is for exchange information that counts base: a.yaml has our own layout, which counts contracts (E_USAGE)',
    ],
    [['--kind', 'rules', ...AS_SPOT, '--as', '../x'], '--as: expected a symbol'],
    [[...AS_SPOT, '--interval', '1h', '--as', 'X'], '--as goes with --kind rules or tiers only'],
    [AS_SPOT, '--kind candles needs --interval'],
    [['--kind', 'trades', ...AS_SPOT], 'Allowed choices are candles'],
  ])('refuses %j', async (args, message) => {
    const { run } = await importText('a.yaml', 'BTCUSDT: {}', args);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});
