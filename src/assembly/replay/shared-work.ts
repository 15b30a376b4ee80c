import type { Engine } from '../../engine/index.js';
import type { PrecomputedStore } from '../../strategy/index.js';
import type { SharedCandles } from '../market/shared-candles.js';
import type { SeriesCursor } from './series-cursor.js';

/** Gives the cursors of a run the candles that an earlier run on the same data has made. */
export function shareCandles(shared: SharedCandles, cursors: readonly SeriesCursor[]): void {
  for (const cursor of cursors) {
    if (cursor.rest() === undefined) continue;
    cursor.candles = shared.of(cursor.rows, (row) => cursor.candleAt(row));
  }
}

/** Computes the indicators of a run ahead, or takes their values from an earlier run on the same data. */
export function precomputeRun(
  store: PrecomputedStore,
  cursors: readonly SeriesCursor[],
  engine: Engine,
): void {
  store.beginRun();
  for (const cursor of cursors) {
    const rest = cursor.rest();
    if (rest === undefined) continue;
    engine.precomputeSeries(engine.routeOf(cursor), {
      ...rest,
      candleAt: (row) => cursor.candleAt(row),
      store,
    });
  }
}
