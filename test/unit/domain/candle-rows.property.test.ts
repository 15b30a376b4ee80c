import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { CandleRows, MINUTE_MS, type CandleColumns } from '../../../src/domain/index.js';
import { columnsOf } from '../../support/candle-columns.js';
import { pagedRows } from '../../support/memory-archive.js';

const START = 1_735_689_600_000;

/** Minutes with holes. Each row has different numbers. */
const someColumns: fc.Arbitrary<CandleColumns> = fc
  .uniqueArray(fc.nat(200), { maxLength: 80 })
  .map((minutes) =>
    columnsOf(
      [...minutes]
        .sort((a, b) => a - b)
        .map((minute, row) => ({
          time: START + minute * MINUTE_MS,
          open: 100 + row,
          high: 300 + row,
          low: 1 + row,
          close: 101 + row,
          volume: row,
        })),
    ),
  );

type Question = (rows: CandleRows) => unknown;

const aRow = fc.integer({ min: -2, max: 90 });
const aTime = fc.tuple(fc.integer({ min: -2, max: 205 }), fc.integer({ min: -1, max: 1 }));
const questions: fc.Arbitrary<readonly Question[]> = fc.array(
  fc.oneof(
    aRow.map((row): Question => (rows) => [
      rows.open(row),
      rows.high(row),
      rows.low(row),
      rows.close(row),
      rows.volume(row),
      rows.openTime(row),
    ]),
    aTime.map(([minute, away]): Question => {
      const time = START + minute * MINUTE_MS + away;
      return (rows) => [rows.rowAt(time), rows.rowBefore(time)];
    }),
  ),
  { maxLength: 60 },
);

const NAMES = ['openTime', 'open', 'high', 'low', 'close', 'volume'] as const;

describe('CandleRows', () => {
  it('law: a column has the values of the rows, in any order of reads', () => {
    const asked = fc.array(aRow, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(
        someColumns,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(...NAMES),
        asked,
        (columns, blockRows, name, rows) => {
          for (const source of [CandleRows.of(columns), pagedRows(columns, blockRows)]) {
            const column = source.column(name);

            expect(column.length).toBe(columns.openTime.length);
            for (const row of rows) expect(column.at(row)).toBe(columns[name][row]);
          }
        },
      ),
    );
  });

  it('law: rows in memory and rows in blocks give the same answers, in any order of reads', () => {
    const pages = fc.record({
      blockRows: fc.integer({ min: 1, max: 9 }),
      blocks: fc.integer({ min: 2, max: 4 }),
    });
    fc.assert(
      fc.property(someColumns, pages, questions, (columns, { blockRows, blocks }, asked) => {
        const whole = CandleRows.of(columns);
        const paged = pagedRows(columns, blockRows, blocks);

        expect(paged.length).toBe(whole.length);
        for (const question of asked) expect(question(paged)).toEqual(question(whole));
        expect(paged.whole()).toEqual(whole.whole());
      }),
    );
  });

  it('law: rowAt finds the last row at or before a time', () => {
    fc.assert(
      fc.property(someColumns, aTime, (columns, [minute, away]) => {
        const time = START + minute * MINUTE_MS + away;

        expect(pagedRows(columns, 7).rowAt(time)).toBe(
          columns.openTime.filter((one) => one <= time).length - 1,
        );
      }),
    );
  });

  it('law: regularEnd ends at the first gap, or earlier for rows in blocks, and changes no other answer', () => {
    const asked = fc.array(fc.nat(79), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(someColumns, asked, questions, (columns, seeds, others) => {
        fc.pre(columns.openTime.length > 0);
        const { openTime } = columns;
        const rows = seeds.map((seed) => seed % openTime.length);
        const gapAfter = (row: number): number => {
          let end = row + 1;
          while (openTime[end] === (openTime[end - 1] ?? 0) + MINUTE_MS) end += 1;
          return end;
        };

        for (const read of [CandleRows.of(columns), pagedRows(columns, 7)]) {
          for (const row of rows) {
            const end = read.regularEnd(row, MINUTE_MS);
            expect(end).toBeGreaterThan(row);
            expect(end).toBeLessThanOrEqual(gapAfter(row));
          }
          for (const question of others)
            expect(question(read)).toEqual(question(CandleRows.of(columns)));
        }
        const whole = CandleRows.of(columns);
        for (const row of rows) expect(whole.regularEnd(row, MINUTE_MS)).toBe(gapAfter(row));
      }),
    );
  });

  it('law: rowAtFrom finds the row of rowAt from any earlier row and for any expected step', () => {
    const steps = fc.constantFrom(MINUTE_MS, 3 * MINUTE_MS, 1_000);
    fc.assert(
      fc.property(someColumns, aTime, fc.nat(), steps, (columns, [minute, away], start, step) => {
        const time = START + minute * MINUTE_MS + away;
        const last = CandleRows.of(columns).rowAt(time);
        fc.pre(last >= 0);
        const from = start % (last + 1);

        expect(CandleRows.of(columns).rowAtFrom(from, time, step)).toBe(last);
        expect(pagedRows(columns, 7).rowAtFrom(from, time, step)).toBe(last);
        for (const rows of [CandleRows.of(columns), pagedRows(columns, 7)]) {
          rows.regularEnd(from, MINUTE_MS);
          expect(rows.rowAtFrom(from, time, step)).toBe(last);
        }
      }),
    );
  });
});

describe('CandleRows in blocks', () => {
  const times = Array.from({ length: 10 }, (_, row) => ({ time: START + row * MINUTE_MS }));

  it('reads a row correctly after its block was overwritten by another block', () => {
    const rows = pagedRows(columnsOf(times), 2, 2);
    const early = rows.blockAt(0);
    rows.blockAt(4);

    rows.blockAt(8);

    expect([early.first, early.end]).toEqual([8, 10]);
    expect(rows.openTime(1)).toBe(START + MINUTE_MS);
  });

  it('reads correctly again after a block could not be read', () => {
    let isBroken = false;
    const columns = columnsOf(times);
    const rows = CandleRows.paged(
      {
        length: 10,
        read: (first, end) => {
          if (isBroken) throw new Error('the disk is gone');
          return { ...columns, openTime: columns.openTime.slice(first, end) };
        },
        readColumn: (_, first, target) => {
          if (isBroken) throw new Error('the disk is gone');
          target.set(columns.openTime.subarray(first, first + target.length));
        },
        openTimeOf: (row) => columns.openTime[row] ?? Number.NaN,
      },
      { blockRows: 2, blocks: 2 },
    );
    const column = rows.column('openTime');
    rows.blockAt(0);
    rows.blockAt(2);
    column.at(0);
    isBroken = true;
    expect(() => rows.blockAt(4)).toThrow('the disk is gone');
    expect(() => column.at(4)).toThrow('the disk is gone');

    isBroken = false;

    expect(rows.openTime(0)).toBe(START);
    expect(rows.openTime(5)).toBe(START + 5 * MINUTE_MS);
    expect([column.at(0), column.at(5)]).toEqual([START, START + 5 * MINUTE_MS]);
  });
});
