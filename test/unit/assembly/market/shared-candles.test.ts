import { describe, expect, it } from 'vitest';

import { SharedCandles } from '../../../../src/assembly/index.js';
import { SeriesCursor } from '../../../../src/assembly/replay/series-cursor.js';
import { CandleRows, createInstrumentId } from '../../../../src/domain/index.js';
import { createReferenceCandles } from '../../../perf/reference-work.js';

const instrumentId = createInstrumentId('spot', 'BTCUSDT');

function cursorOf(rows: number): SeriesCursor {
  return new SeriesCursor({
    instrumentId,
    interval: '1min',
    rows: CandleRows.of(createReferenceCandles(rows)),
  });
}

/** The candles that a run takes of a series. */
function take(shared: SharedCandles, cursor: SeriesCursor) {
  return shared.of(cursor.rows, (row) => cursor.candleAt(row));
}

describe('SharedCandles', () => {
  it('gives all runs of a series the same candle objects, equal to those of its cursor', () => {
    const shared = new SharedCandles({ mostCandles: 10 });
    const cursor = cursorOf(4);

    const candles = take(shared, cursor);

    expect(candles).toEqual([0, 1, 2, 3].map((row) => cursor.candleAt(row)));
    expect(take(shared, cursor)).toBe(candles);
  });

  it('returns candles that cannot be changed', () => {
    const [candle] = take(new SharedCandles({ mostCandles: 10 }), cursorOf(1)) ?? [];

    expect(() => Object.assign(candle ?? {}, { close: 1 })).toThrow(TypeError);
  });

  it('keeps no more candles than its limit, and never drops a series', () => {
    const shared = new SharedCandles({ mostCandles: 10 });
    const cursors = [6, 5, 4, 1].map(cursorOf);

    const given = cursors.map((cursor) => take(shared, cursor)?.length);

    expect(given).toEqual([6, undefined, 4, undefined]);
    expect(cursors.map((cursor) => take(shared, cursor)?.length)).toEqual(given);
  });
});
