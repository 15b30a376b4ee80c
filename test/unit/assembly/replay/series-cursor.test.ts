import { describe, expect, it } from 'vitest';

import { SeriesCursor } from '../../../../src/assembly/replay/series-cursor.js';
import { CandleRows, MINUTE_MS } from '../../../../src/domain/index.js';
import { columnsFrom } from '../../../support/candle-columns.js';
import { pagedRows } from '../../../support/memory-archive.js';
import { BTC } from '../../../support/replay.js';

const columns = columnsFrom(0, 12, MINUTE_MS);

const cursorOf = (rows: CandleRows, until?: number): SeriesCursor =>
  new SeriesCursor({ instrumentId: BTC, interval: '1min', rows }, until);

describe('SeriesCursor.rest', () => {
  it('returns the rows that a run has not read yet if the columns stay in memory', () => {
    const cursor = cursorOf(CandleRows.of(columns), 8 * MINUTE_MS);
    cursor.row = 3;

    expect(cursor.rest()).toEqual({ columns, first: 3, end: 8 });
  });

  it('returns undefined if no row is left', () => {
    const cursor = cursorOf(CandleRows.of(columns), 8 * MINUTE_MS);
    cursor.row = 9;

    expect(cursor.rest()).toBeUndefined();
  });

  it('returns undefined if another block may replace the rows in memory', () => {
    expect(cursorOf(pagedRows(columns, 4), 4 * MINUTE_MS).rest()).toBeUndefined();
    expect(cursorOf(pagedRows(columns, 12), 4 * MINUTE_MS).rest()).toMatchObject({ end: 4 });
  });
});
