import type { FundingTimesAt, InstrumentId } from '../domain/index.js';
import { FundingSchedule, type FundingSource } from '../simulator/index.js';
import type { FuturesSimulationConfig } from './bot-config.js';
import type { MarketTerms } from './load-terms.js';

/** How the configuration funds a contract: at stored rates, before and after them at a constant one. */
export function fundingSourceOf(
  { stored }: Pick<MarketTerms, 'stored'>,
  { fundingRate: rate, fundingIntervalMs: intervalMs }: FundingConfig,
  instrumentId: InstrumentId,
): FundingSource {
  return { stored: stored.get(instrumentId)?.funding, constant: { rate, intervalMs } };
}

/** Says when funding of contracts is settled. */
export function createFundingTimes(
  terms: Pick<MarketTerms, 'stored'>,
  config: FundingConfig,
): FundingTimesAt {
  const schedules = new Map<InstrumentId, FundingSchedule>();
  return (instrumentId, time) => {
    let schedule = schedules.get(instrumentId);
    if (schedule === undefined) {
      schedule = new FundingSchedule(fundingSourceOf(terms, config, instrumentId));
      schedules.set(instrumentId, schedule);
    }
    return schedule.around(time);
  };
}

type FundingConfig = Pick<FuturesSimulationConfig, 'fundingRate' | 'fundingIntervalMs'>;
