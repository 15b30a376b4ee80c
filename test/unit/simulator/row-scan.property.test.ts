import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MINUTE_MS } from '../../../src/domain/index.js';
import { RowScan } from '../../../src/simulator/path/row-scan.js';
import { CandleLookup } from '../../../src/simulator/path/candle-lookup.js';
import { columnsOf } from '../../support/candle-columns.js';
import { pagedRows } from '../../support/memory-archive.js';

const START = 1_735_689_600_000;

/** Candles of whole prices, with holes between them. */
const someCandles = fc
  .array(
    fc.record({
      hole: fc.constantFrom(0, 0, 0, 3),
      low: fc.integer({ min: 90, max: 100 }),
      width: fc.nat(8),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((rows) => {
    let minute = -1;
    return rows.map(({ hole, low, width }) => {
      minute += 1 + hole;
      return { time: START + minute * MINUTE_MS, open: low, high: low + width, low, close: low };
    });
  });

/** The market stands at a candle and asks about later candles. Both positions only move forward. */
const someQuestions = fc.array(
  fc.record({ ahead: fc.nat(3), further: fc.integer({ min: 1, max: 12 }) }),
  { maxLength: 20 },
);

describe('RowScan', () => {
  it('law: staysBetween is true exactly if no requested candle touches one of the levels', () => {
    fc.assert(
      fc.property(
        someCandles,
        fc.tuple(fc.integer({ min: 86, max: 94 }), fc.integer({ min: 98, max: 110 })),
        someQuestions,
        (candles, [low, high], questions) => {
          const columns = columnsOf(candles.map((candle) => ({ ...candle, volume: 1 })));
          const stored = new CandleLookup({ interval: '1min', rows: pagedRows(columns, 7) }, 0);
          const scan = new RowScan(stored);
          let place = 0;
          for (const { ahead, further } of questions) {
            place = Math.min(place + ahead, candles.length - 1);
            const cursor = candles[place]?.time ?? START;
            const time = cursor + further * MINUTE_MS;
            const asked = candles.slice(place).filter((candle) => candle.time < time);
            const first = asked.find((candle) => candle.low <= low || candle.high >= high);

            expect(scan.staysBetween(low, high, cursor, time)).toBe(first === undefined);
            if (first !== undefined) expect(scan.seenUntil).toBe(first.time);
          }
        },
      ),
    );
  });
});
