import type { MarketSessionOptions } from '../../live/index.js';
import type { BacktestConfig } from '../../config/index.js';
import type { MarketTerms } from '../market/load-terms.js';
import { feeModelOf } from '../venue-models.js';

/** What a configuration and its archive say of a venue's maintenance and fees: liquidations are known by them. */
export function createForcedTerms(
  { simulation }: Pick<BacktestConfig, 'simulation'>,
  { tiers }: Pick<MarketTerms, 'tiers'>,
): NonNullable<MarketSessionOptions['forcedTerms']> {
  const { futures } = simulation;
  const model = feeModelOf(simulation);
  return (instrumentId, time) => ({
    tiers: tiers.at(instrumentId, time),
    maxFeeRate: futures.maxFeeRate,
    takerRate: model.ratesAt(instrumentId, time).taker,
  });
}
