import { RecordMemory } from '../engine/index.js';
import { PrecomputedStore } from '../strategy/index.js';
import { SharedCandles } from './market/shared-candles.js';

/** Memory for values of indicators: 160 columns of 100,000 candles, or 16 of a million. */
const PRECOMPUTED_BYTES = 128 * 1024 * 1024;

/** Memory for records: some 50,000 orders, each filled once. */
const RECORD_BYTES = 16 * 1024 * 1024;

/** Number of candle objects that are kept: some 64 MB. */
const MOST_CANDLES = 300_000;

/** Memory that successive runs of one market share. It does not change the result of a run. */
interface SharedMemory {
  readonly candles: SharedCandles;
  readonly precomputed: PrecomputedStore;
  readonly recordMemory: RecordMemory;
}

/** Makes the candle store of one market, or of one among `markets` that are kept at once. */
export function createSharedCandles(markets = 1): SharedCandles {
  return new SharedCandles({ mostCandles: MOST_CANDLES / markets });
}

/** Makes the memory that many runs of one market share. */
export function createSharedMemory(): SharedMemory {
  return {
    candles: createSharedCandles(),
    precomputed: new PrecomputedStore({ mostBytes: PRECOMPUTED_BYTES }),
    recordMemory: new RecordMemory({ mostBytes: RECORD_BYTES }),
  };
}
