import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkCandles,
  exportCandles,
  EXPORT_FORMATS,
  hasDefects,
  hashColumns,
  importCandles,
  lowerBound,
  openArchive,
} from '../../../src/archive/index.js';
import { CANDLE_LAYOUT } from '../../../src/archive/columns/columns.js';
import { mergeColumns } from '../../../src/archive/columns/merge.js';
import { findInvalidRow } from '../../../src/archive/check/validate.js';
import { parseInstrumentId, type CandleColumns } from '../../../src/domain/index.js';
import { columnsOf, rowsOf, type CandleRow } from '../../support/candle-columns.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BTC = parseInstrumentId('spot:BTCUSDT');
const MINUTE = 60_000;
const START = Date.UTC(2025, 0, 1);

/** A candle of a minute (from 0), on a tick of 0.01. */
const aCandle = (minute: number): fc.Arbitrary<CandleRow> =>
  fc
    .tuple(
      fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 4, maxLength: 4 }),
      fc.nat(1e9),
    )
    .map(([ticks, steps]) => {
      const [low = 1, first = 1, last = 1, high = 1] = [...ticks].sort((a, b) => a - b);
      return {
        time: START + minute * MINUTE,
        open: first / 100,
        high: high / 100,
        low: low / 100,
        close: last / 100,
        volume: steps / 1e5,
      };
    });

const someCandles: fc.Arbitrary<CandleColumns> = fc
  .uniqueArray(fc.nat(300), { minLength: 1, maxLength: 60 })
  .chain((minutes) => fc.tuple(...[...minutes].sort((a, b) => a - b).map(aCandle)))
  .map(columnsOf);

const CANDLES = { layout: CANDLE_LAYOUT, noun: 'candles' };

describe('mergeColumns', () => {
  it('law: merging candles with themselves changes nothing', () => {
    fc.assert(
      fc.property(someCandles, (columns) => {
        const merged = mergeColumns(columns, columns, CANDLES);

        expect(hashColumns(merged.columns)).toBe(hashColumns(columns));
        expect(merged).toMatchObject({
          added: 0,
          duplicates: columns.openTime.length,
          replaced: 0,
        });
      }),
    );
  });

  it('law: any parts of a series, merged in any order, give the series', () => {
    const parts = fc.tuple(someCandles, fc.array(fc.boolean()), fc.boolean());
    fc.assert(
      fc.property(parts, ([columns, isLeft, isSwapped]) => {
        const part = (side: boolean): CandleColumns =>
          pick(columns, (row) => (isLeft[row] ?? true) === side);
        const [first, second] = isSwapped ? [part(false), part(true)] : [part(true), part(false)];

        const merged = mergeColumns(first, second, CANDLES);

        expect(hashColumns(merged.columns)).toBe(hashColumns(columns));
        expect(merged.added).toBe(second.openTime.length);
      }),
    );
  });

  it('law: with replace the new row wins, and every time stays unique', () => {
    fc.assert(
      fc.property(someCandles, someCandles, (stored, incoming) => {
        const { columns, added, duplicates, replaced } = mergeColumns(stored, incoming, {
          ...CANDLES,
          replace: true,
        });

        const times = new Set([...stored.openTime, ...incoming.openTime]);
        expect([...columns.openTime]).toEqual([...times].sort((a, b) => a - b));
        expect(added + duplicates + replaced).toBe(incoming.openTime.length);
        for (const [row, time] of incoming.openTime.entries()) {
          expect(columns.close[lowerBound(columns.openTime, time)]).toBe(incoming.close[row]);
        }
      }),
    );
  });
});

function pick(columns: CandleColumns, isWanted: (row: number) => boolean): CandleColumns {
  const filter = (values: Float64Array): Float64Array => values.filter((_, row) => isWanted(row));
  return {
    openTime: filter(columns.openTime),
    open: filter(columns.open),
    high: filter(columns.high),
    low: filter(columns.low),
    close: filter(columns.close),
    volume: filter(columns.volume),
  };
}

describe('findInvalidRow', () => {
  it('law: finds a row exactly when the full check finds a defect', () => {
    const column = fc.constantFrom('openTime', 'open', 'high', 'low', 'close', 'volume');
    const value = fc.constantFrom(Number.NaN, Infinity, -1, 0, 1, 5_000, 10_000.01, START);
    fc.assert(
      fc.property(someCandles, column, fc.nat(), value, (columns, name, place, planted) => {
        columns[name][place % columns.openTime.length] = planted;
        // A check of single rows cannot find defects of the grid.
        const check = checkCandles(columns, '1min');
        const defects = check.findings.filter(({ kind }) => kind !== 'off-grid');

        expect(findInvalidRow(columns) >= 0).toBe(hasDefects({ ...check, findings: defects }));
      }),
    );
  });
});

describe('the archive', () => {
  it('law: reading a range gives the rows of the range, and no others', async () => {
    const archive = openArchive(await temporaryFolder());
    await fc.assert(
      fc.asyncProperty(someCandles, fc.nat(310), fc.nat(310), async (columns, a, b) => {
        const [from, to] = [START + Math.min(a, b) * MINUTE, START + Math.max(a, b) * MINUTE];
        const wanted = pick(columns, (row) => {
          const time = columns.openTime[row] ?? 0;
          return time >= from && time < to;
        });
        fc.pre(wanted.openTime.length > 0);
        await archive.merge(
          { instrumentId: BTC, interval: '1min', columns },
          { source: 'law', volumeUnit: 'base', replace: true },
        );
        const all = await archive.read(BTC, '1min');
        const read = await archive.read(BTC, '1min', { from, to });

        const first = lowerBound(all.openTime, from);
        const end = lowerBound(all.openTime, to);
        expect(rowsOf(read)).toEqual(rowsOf(pick(all, (row) => row >= first && row < end)));
      }),
      { numRuns: 30 },
    );
  });

  it.each(EXPORT_FORMATS)(
    'law: exporting to %s and importing gives the same candles',
    async (format) => {
      const folder = await temporaryFolder();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(someCandles, async (columns) => {
          run += 1;
          const source = openArchive(join(folder, `source-${String(run)}`));
          const target = openArchive(join(folder, `target-${String(run)}`));
          const path = join(folder, `${String(run)}.${format}`);
          const { info } = await source.merge(
            { instrumentId: BTC, interval: '1min', columns },
            { source: 'law', volumeUnit: 'base' },
          );

          await exportCandles(columns, info, { path, format });
          await importCandles(target, {
            paths: [path],
            instrumentId: BTC,
            interval: '1min',
            volumeUnit: 'base',
          });

          expect(rowsOf(await target.read(BTC, '1min'))).toEqual(rowsOf(columns));
        }),
        { numRuns: 20 },
      );
    },
  );
});
