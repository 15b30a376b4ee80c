import { HOUR_MS, type EpochMs, type FundingColumns } from '../../domain/index.js';
import { snapToMinute } from '../columns/funding-columns.js';
import { FindingLog, type CandleCheck } from './check-candles.js';
import type { CandleGap } from './gaps.js';

/** Venues cap rates far below this ratio. A larger value is probably a percentage. */
const LARGEST_USUAL_RATE = 0.1;
const MOST_GAPS = 5;

/**
 * Looks for everything that can be wrong with funding rates: rows out of order, times that come twice, stamps off the minute, numbers
 * that are not finite, rates beyond ±0.1; and for settlements missing between two that are further apart than most.
 */
export function checkFunding({ time, rate }: FundingColumns): CandleCheck {
  const log = new FindingLog();
  const seen = new Set<EpochMs>();
  let latest = -Infinity;
  for (const [index, at] of time.entries()) {
    const row = index + 1;
    const value = rate[index] ?? Number.NaN;
    if (!Number.isFinite(at) || !Number.isFinite(value)) log.add('not-finite', row);
    else if (Math.abs(value) > LARGEST_USUAL_RATE) log.add('out-of-range', row);
    if (Number.isFinite(at) && snapToMinute(at) !== at) log.add('off-minute', row);
    const minute = snapToMinute(at);
    if (seen.has(minute)) log.add('duplicate', row);
    if (at < latest) log.add('unordered', row);
    else latest = at;
    seen.add(minute);
  }
  const gaps = findFundingGaps(time);
  for (const gap of gaps) log.add('gap', gap.afterRow);
  return {
    rows: time.length,
    findings: log.findings,
    missing: gaps.reduce((sum, gap) => sum + gap.missing, 0),
    longestGaps: [...gaps].sort((a, b) => b.missing - a.missing).slice(0, MOST_GAPS),
  };
}

/** The period of a contract is not stored: it is the most common time between settlements, in whole hours. */
function findFundingGaps(time: Float64Array): readonly CandleGap[] {
  const spacings = new Map<number, number>();
  const spacingAt = (row: number): number =>
    Math.round(((time[row] ?? Number.NaN) - (time[row - 1] ?? Number.NaN)) / HOUR_MS);
  for (let row = 1; row < time.length; row += 1) {
    spacings.set(spacingAt(row), (spacings.get(spacingAt(row)) ?? 0) + 1);
  }
  const [usual] = [...spacings].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0] ?? [];
  if (usual === undefined || !(usual > 0)) return [];
  const gaps: CandleGap[] = [];
  for (let row = 1; row < time.length; row += 1) {
    const missing = Math.round(spacingAt(row) / usual) - 1;
    const from = (time[row - 1] ?? Number.NaN) + usual * HOUR_MS;
    if (missing > 0) gaps.push({ afterRow: row, from, to: time[row] ?? Number.NaN, missing });
  }
  return gaps;
}
