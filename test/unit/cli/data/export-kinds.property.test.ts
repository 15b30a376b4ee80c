import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openArchive, type Archive, type HoldingInfo } from '../../../../src/archive/index.js';
import { parseFixed, parseInstrumentId, type CandleColumns } from '../../../../src/domain/index.js';
import { datedRules } from '../../../support/arbitraries/rule-records.js';
import { runDataCommand } from '../../../support/run-data-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const PERP = parseInstrumentId('futures:E-BTC-USDT');
const CONTRACT = ['--product', 'futures', '--symbol', 'E-BTC-USDT'];
const START = Date.UTC(2025, 0, 1);
const HOUR = 3_600_000;
const RUNS = { numRuns: 15 };

/** Rates some hours apart with up to twelve decimals, including small rates. */
const funding = fc
  .array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 20 })
  .map((units) => ({
    time: Float64Array.from(units, (_, index) => START + index * 8 * HOUR),
    rate: Float64Array.from(units, (unit) => unit / 1e12),
  }));

const marks = fc
  .array(fc.integer({ min: 1, max: 1e9 }), { minLength: 1, maxLength: 20 })
  .map((units): CandleColumns => {
    const price = Float64Array.from(units, (unit) => unit / 100);
    return {
      openTime: Float64Array.from(units, (_, index) => START + index * HOUR),
      open: price,
      high: price,
      low: price,
      close: price,
      volume: new Float64Array(units.length),
    };
  });

const tiers = fc
  .uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 5 })
  .map((bounds) => {
    const values = [...bounds].sort((a, b) => a - b);
    return [
      {
        from: START,
        tiers: [...values, undefined].map((value, index) => ({
          maxValue: value === undefined ? undefined : parseFixed(`${String(value)}.25`),
          maxLeverage: parseFixed(String(20 - index)),
          keepRate: parseFixed(`0.00${String(index + 1)}`),
        })),
      },
    ];
  });

/** The hash of the values. */
function hashOf(info: HoldingInfo): string {
  return 'entriesSha256' in info ? info.entriesSha256 : info.columnsSha256;
}

async function hashesOf(archive: Archive): Promise<readonly string[]> {
  const holdings = await archive.holdings();
  return holdings.map((holding) => {
    if (holding.status === 'broken') throw holding.error;
    return hashOf(holding.info);
  });
}

/** Exports what `fill` stores, imports it into another archive and compares the hashes. */
async function roundTrip(
  file: string,
  options: readonly string[],
  fill: (archive: Archive) => Promise<unknown>,
): Promise<void> {
  const folder = await temporaryFolder();
  const source = openArchive(join(folder, 'data'));
  await fill(source);

  const written = await runDataCommand(folder, ['export', file, ...CONTRACT, ...options]);
  const read = await runDataCommand(folder, [
    'import',
    file,
    ...CONTRACT,
    ...options,
    '--archive',
    'again',
  ]);

  expect([written.stderr, read.stderr]).toEqual(['', '']);
  expect(await hashesOf(openArchive(join(folder, 'again')))).toEqual(await hashesOf(source));
}

const FROM_LAW = { source: 'law' };

describe('data export', () => {
  it.each(['csv', 'feather', 'parquet'])(
    'law: funding exported to %s and imported again has the same hash',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(funding, (columns) =>
          roundTrip(`out.${format}`, ['--kind', 'funding'], (archive) =>
            archive.mergeFunding(PERP, columns, FROM_LAW),
          ),
        ),
        RUNS,
      );
    },
  );

  it.each(['csv', 'feather', 'parquet'])(
    'law: mark prices exported to %s and imported again have the same hash',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(marks, (columns) =>
          roundTrip(`out.${format}`, ['--kind', 'mark', '--interval', '1h'], (archive) =>
            archive.mergeMarks({ instrumentId: PERP, interval: '1h', columns }, FROM_LAW),
          ),
        ),
        RUNS,
      );
    },
  );

  it.each(['yaml', 'json'])(
    'law: rules exported to %s and imported again have the same hash',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(datedRules({ min: START, max: START + 1_000 * HOUR }), (entries) =>
          roundTrip(`out.${format}`, ['--kind', 'rules'], (archive) =>
            archive.mergeRules(PERP, entries, FROM_LAW),
          ),
        ),
        RUNS,
      );
    },
  );

  it.each(['yaml', 'json'])(
    'law: tiers exported to %s and imported again have the same hash',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(tiers, (entries) =>
          roundTrip(`out.${format}`, ['--kind', 'tiers'], (archive) =>
            archive.mergeTiers(PERP, entries, FROM_LAW),
          ),
        ),
        RUNS,
      );
    },
  );

  it.each([
    [['out.csv', '--kind', 'rules'], 2, 'expected a file ending in .yaml, .yml, .json'],
    [['out.csv', '--kind', 'mark'], 2, '--kind mark needs --interval'],
    [['out.csv', '--kind', 'funding', '--interval', '1h'], 2, '--interval does not go with --kind'],
    [['out.csv', '--kind', 'funding', '--format', 'yaml'], 2, 'expected --format csv, feather'],
    [['out.csv', '--kind', 'funding'], 1, 'has no funding of futures:E-BTC-USDT (E_DATA_MISSING)'],
    [['out.csv', '--kind', 'mark', '--interval', '1h'], 1, 'has no mark prices of 1h of futures:'],
    [['out.yaml', '--kind', 'tiers'], 1, 'has no tiers of futures:E-BTC-USDT (E_DATA_MISSING)'],
  ])('refuses %j', async (args, exitCode, message) => {
    const run = await runDataCommand(await temporaryFolder(), ['export', ...args, ...CONTRACT]);

    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});
