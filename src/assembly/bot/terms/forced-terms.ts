import type { BacktestConfig } from '../../../config/index.js';
import type { MarketSessionOptions } from '../../../live/index.js';
import type { MarketTerms } from '../../market/load-terms.js';
import { feeModelOf } from '../../venue-models.js';

/** Returns the maintenance tiers and fees of a configuration and its archive. They tell which closes are liquidations. */
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
