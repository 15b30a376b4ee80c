import { closeTimeOf, type EpochMs, type Interval } from '../../domain/index.js';

/** Open times [from, to) for which no candle is stored. */
export interface MissingRange {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Lists the missing parts of [from, to), given the stored open times in rising order. Gaps of the market itself are included. */
export function missingRanges(
  stored: Float64Array,
  interval: Interval,
  { from, to }: MissingRange,
): readonly MissingRange[] {
  const ranges: MissingRange[] = [];
  let next = from;
  for (const openTime of stored) {
    if (openTime >= to) break;
    if (openTime < next) continue;
    if (openTime > next) ranges.push({ from: next, to: openTime });
    next = closeTimeOf(openTime, interval);
  }
  if (next < to) ranges.push({ from: next, to });
  return ranges;
}
