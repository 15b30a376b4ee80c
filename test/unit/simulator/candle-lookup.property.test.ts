import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { CandleRows, MINUTE_MS } from '../../../src/domain/index.js';
import { CandleLookup } from '../../../src/simulator/path/candle-lookup.js';
import { columnsOf } from '../../support/candle-columns.js';
import { pagedRows } from '../../support/memory-archive.js';

const START = 1_735_689_600_000;
const PRICE = { open: 100, high: 101, low: 99, close: 100, volume: 1 };

/** Runs of minutes with holes between them. */
const someColumns = fc
  .array(fc.record({ hole: fc.nat(3), run: fc.integer({ min: 1, max: 20 }) }), { maxLength: 6 })
  .map((pieces) => {
    let minute = 0;
    const minutes = pieces.flatMap(({ hole, run }) => {
      minute += hole;
      return Array.from({ length: run }, () => (minute += 1));
    });
    return columnsOf(minutes.map((one) => ({ time: START + one * MINUTE_MS, ...PRICE })));
  });

const someTimes = fc.array(
  fc
    .tuple(fc.integer({ min: -1, max: 150 }), fc.integer({ min: -1, max: 1 }))
    .map(([minute, away]) => START + minute * MINUTE_MS + away),
  { maxLength: 40 },
);

describe('CandleLookup', () => {
  it('law: rowAt finds the row of a search over all rows, after any earlier queries', () => {
    fc.assert(
      fc.property(someColumns, someTimes, (columns, times) => {
        const candles = new CandleLookup({ interval: '1min', rows: pagedRows(columns, 7) }, 2);

        expect(times.map((time) => candles.rowAt(time))).toEqual(
          times.map((time) => CandleRows.of(columns).rowAt(time)),
        );
      }),
    );
  });
});
