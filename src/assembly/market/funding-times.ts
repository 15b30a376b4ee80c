import {
  fixedToNumber,
  splitInstrumentId,
  type EpochMs,
  type FundingTimesAt,
  type InstrumentId,
} from '../../domain/index.js';
import { lastRateReading } from '../../live/index.js';
import { FundingSchedule, type FundingSource } from '../../simulator/index.js';
import type { SimulationConfig } from '../../config/index.js';
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
  const scheduleOf = createSchedules(terms, config);
  return (instrumentId, time) => scheduleOf(instrumentId).around(time);
}

/** Says which rate a bot knows that reads it of a venue, as in live. */
export function createFundingRates(
  terms: Pick<MarketTerms, 'stored'>,
  config: FundingConfig & Pick<SimulationConfig['futures'], 'fundingRateKnown'>,
): (instrumentId: InstrumentId, time: EpochMs) => number | undefined {
  const scheduleOf = createSchedules(terms, config);
  return (instrumentId, time) => {
    if (splitInstrumentId(instrumentId).kind !== 'futures') return undefined;
    const rate = scheduleOf(instrumentId).shownAt(lastRateReading(time), config.fundingRateKnown);
    return rate === undefined ? undefined : fixedToNumber(rate);
  };
}

function createSchedules(
  terms: Pick<MarketTerms, 'stored'>,
  config: FundingConfig,
): (instrumentId: InstrumentId) => FundingSchedule {
  const schedules = new Map<InstrumentId, FundingSchedule>();
  return (instrumentId) => {
    let schedule = schedules.get(instrumentId);
    if (schedule === undefined) {
      schedule = new FundingSchedule(fundingSourceOf(terms, config, instrumentId));
      schedules.set(instrumentId, schedule);
    }
    return schedule;
  };
}

type FundingConfig = Pick<SimulationConfig['futures'], 'fundingRate' | 'fundingIntervalMs'>;
