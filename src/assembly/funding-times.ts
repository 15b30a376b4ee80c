import {
  createFundingSchedule,
  type EpochMs,
  type FundingColumns,
  type FundingSchedule,
} from '../domain/index.js';
import type { MarketTerms } from './load-terms.js';

/** Says when funding is settled: at the stored times, before and after them each `intervalMs` from 00:00 UTC. */
export function createFundingTimes(
  { stored }: Pick<MarketTerms, 'stored'>,
  intervalMs: number,
): FundingSchedule {
  const regular = createFundingSchedule(intervalMs);
  return (instrumentId, time) => {
    const usual = regular(instrumentId, time);
    const funding = stored.get(instrumentId)?.funding;
    if (usual === undefined || funding === undefined || funding.time.length === 0) return usual;
    const row = rowsUntil(funding, time);
    return {
      previous: funding.time[row - 1] ?? usual.previous,
      next: funding.time[row] ?? usual.next,
    };
  };
}

/** How many rates are settled by `time`. */
function rowsUntil({ time: times }: FundingColumns, time: EpochMs): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
