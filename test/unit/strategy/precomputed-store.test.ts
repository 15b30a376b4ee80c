import { describe, expect, it } from 'vitest';

import { PrecomputedStore } from '../../../src/strategy/index.js';
import { columnsFrom } from '../../support/candle-columns.js';

const SERIES = columnsFrom(0, 4, 60_000);
const OTHER = columnsFrom(0, 4, 60_000);
/** Size of one column of four numbers. */
const BYTES = 32;

/** Asks for a column. Returns whether the store computed it. */
function isComputed(store: PrecomputedStore, name: string, series = SERIES): boolean {
  let computed = false;
  store.column(series, { name, length: 4 }, () => {
    computed = true;
    return { values: new Float64Array(4), lastStray: -1 };
  });
  return computed;
}

describe('PrecomputedStore', () => {
  it('computes each column of a series once', () => {
    const store = new PrecomputedStore({ mostBytes: 10 * BYTES });

    const asked = [
      isComputed(store, 'a'),
      isComputed(store, 'a'),
      isComputed(store, 'b'),
      isComputed(store, 'a', OTHER),
      isComputed(store, 'a'),
    ];

    expect(asked).toEqual([true, false, true, true, false]);
    expect(store.bytes).toBe(3 * BYTES);
  });

  it('removes the column that was not used for the longest time if there is no room', () => {
    const store = new PrecomputedStore({ mostBytes: 2 * BYTES });
    for (const name of ['a', 'b', 'a', 'c']) {
      store.beginRun();
      isComputed(store, name);
    }

    expect(store.bytes).toBe(2 * BYTES);
    store.beginRun();
    expect([isComputed(store, 'a'), isComputed(store, 'c')]).toEqual([false, false]);
    store.beginRun();
    expect(isComputed(store, 'b')).toBe(true);
  });

  it('keeps the columns of the current run, and returns no column beyond its limit', () => {
    const store = new PrecomputedStore({ mostBytes: 2 * BYTES });
    const ask = (name: string): Float64Array | undefined =>
      store.column(SERIES, { name, length: 4 }, () => ({
        values: Float64Array.of(1, 2, 3, 4),
        lastStray: -1,
      }))?.values;

    store.beginRun();
    const given = [ask('a'), ask('b'), ask('c'), ask('a')];

    expect(given).toEqual([given[0], given[0], undefined, given[0]]);
    expect(given[0]).toEqual(Float64Array.of(1, 2, 3, 4));
    expect(store.bytes).toBe(2 * BYTES);
    store.beginRun();
    expect(ask('c')).toBeDefined();
    expect(store.bytes).toBe(2 * BYTES);
  });
});
