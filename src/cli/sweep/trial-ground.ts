import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadPlugin, prepareMarket, SharedCandles } from '../../assembly/index.js';
import { DataError } from '../../domain/index.js';
import { openSnapshot, type TrialGround } from '../../research/index.js';
import { RecordMemory } from '../../engine/index.js';
import { PrecomputedStore } from '../../strategy/index.js';
import type { TrialSetup } from './trial-pool.js';

/** What a thread keeps of values of indicators: of 100,000 candles 160 columns, of a million 16. */
const PRECOMPUTED_BYTES = 128 * 1024 * 1024;

/** Of memory for records that a thread keeps: some 50,000 orders, each filled once. */
const RECORD_BYTES = 16 * 1024 * 1024;

/** Candles that a thread keeps made: some 64 MB. */
const MOST_CANDLES = 300_000;

/**
 * Makes what the combinations of a sweep run on, once per thread: the plugin, and the market as runs replay it.
 *
 * @throws {DataError} `E_SWEEP_SOURCE` when the plugin is another than when the sweep began; the errors of `loadPlugin` and
 * `prepareMarket`.
 */
export async function createTrialGround(setup: TrialSetup): Promise<TrialGround> {
  const { config, snapshot, sourceHash, cacheFolder } = setup;
  const plugin = await loadPlugin(config.strategy, {
    locate: (key) => ({ file: config.name, key: `strategy.${key}` }),
    cacheFolder,
  });
  if (plugin.sourceHash !== sourceHash) {
    throw new DataError(
      'E_SWEEP_SOURCE',
      'the plugin was changed while the sweep began; start the sweep again',
    );
  }
  return {
    config,
    market: await prepareMarket(config, openSnapshot(snapshot)),
    strategyClass: plugin.strategyClass,
    sourceHash,
    candles: new SharedCandles({ mostCandles: MOST_CANDLES }),
    precomputed: new PrecomputedStore({ mostBytes: PRECOMPUTED_BYTES }),
    recordMemory: new RecordMemory({ mostBytes: RECORD_BYTES }),
    breathe: () => nextTurn(),
  };
}
