import type { EpochMs } from '../domain/index.js';
import type { StreamWarmup } from '../engine/index.js';
import { createEngine, type CreateEngineOptions } from './create-engine.js';

/** The warm-up that the strategy of a configuration needs before a start, for each of its candle streams. */
export function listWarmups(
  options: Pick<CreateEngineOptions, 'config' | 'strategyClass' | 'terms'>,
  start: EpochMs,
): readonly StreamWarmup[] {
  return createEngine({ ...options, constructed: start }).construct();
}
