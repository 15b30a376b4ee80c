import {
  fixedToNumber,
  splitInstrumentId,
  type EpochMs,
  type FundingTimesAt,
  type InstrumentId,
} from '../../domain/index.js';
import { lastRateReading } from '../../live/index.js';
import { FundingSchedule, type ContractFunding } from '../../simulator/index.js';
import type { SimulationConfig } from '../../config/index.js';
import type { MarketTerms } from './load-terms.js';

/** The funding of a contract by the configuration: stored rates, and a constant rate before and after them. */
export function fundingSourceOf(
  { stored }: Pick<MarketTerms, 'stored'>,
  { fundingRate: rate, fundingIntervalMs: intervalMs }: FundingConfig,
  instrumentId: InstrumentId,
): ContractFunding {
  return { stored: stored.get(instrumentId)?.funding, constant: { rate, intervalMs } };
}

/** Returns a function that gives the settlement times of a contract's funding. */
export function createFundingTimes(
  terms: Pick<MarketTerms, 'stored'>,
  config: FundingConfig,
): FundingTimesAt {
  const scheduleOf = createSchedules(terms, config);
  return (instrumentId, time) => scheduleOf(instrumentId).around(time);
}

/** Returns a function that gives the funding rate a live bot would have read from a venue by a time. */
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
