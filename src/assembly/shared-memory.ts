import { RecordMemory } from '../engine/index.js';
import { PrecomputedStore } from '../strategy/index.js';
import { SharedCandles } from './market/shared-candles.js';

/** Values of indicators that are kept: of 100,000 candles 160 columns, of a million 16. */
const PRECOMPUTED_BYTES = 128 * 1024 * 1024;

/** Of memory for records that is kept: some 50,000 orders, each filled once. */
const RECORD_BYTES = 16 * 1024 * 1024;

/** Candles that are kept made: some 64 MB. */
const MOST_CANDLES = 300_000;

/** What runs of one market, one after the other, take over from those before: none of it changes what a run comes to. */
export interface SharedMemory {
  readonly candles: SharedCandles;
  readonly precomputed: PrecomputedStore;
  readonly recordMemory: RecordMemory;
}

/** Makes room for candles of one market, or of one of several that are kept at once. */
export function createSharedCandles(markets = 1): SharedCandles {
  return new SharedCandles({ mostCandles: MOST_CANDLES / markets });
}

/** Makes what many runs of one market share. */
export function createSharedMemory(): SharedMemory {
  return {
    candles: createSharedCandles(),
    precomputed: new PrecomputedStore({ mostBytes: PRECOMPUTED_BYTES }),
    recordMemory: new RecordMemory({ mostBytes: RECORD_BYTES }),
  };
}
