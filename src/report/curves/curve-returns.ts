import {
  DAY_MS,
  divideFixed,
  fixedToNumber,
  parseFixed,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';

/** A point of the equity curve of a result. */
export type CurvePoint = readonly [time: EpochMs, equity: string];

/** One whole UTC day of a curve. */
export interface DayReturn {
  /** End of the day. */
  readonly time: EpochMs;
  readonly value: number;
}

/**
 * Simple returns over whole UTC days, by the formula of the statistics: between neighboring midnights, divided exactly, then rounded to float64. A midnight
 * without a point has the equity of the point before it: the curve of closes may have none in a gap, or within a long candle. Empty if an equity to divide by is
 * not above 0.
 */
export function curveReturns(curve: readonly CurvePoint[]): readonly DayReturn[] {
  const returns: DayReturn[] = [];
  let previous: Fixed | undefined;
  for (const [time, equity] of midnightsOf(curve)) {
    if (previous !== undefined) {
      if (previous <= 0n) return [];
      returns.push({ time, value: fixedToNumber(divideFixed(equity - previous, previous)) });
    }
    previous = equity;
  }
  return returns;
}

/** The equity at each midnight from the first point of a curve to its last. */
function* midnightsOf(
  curve: readonly CurvePoint[],
): Generator<readonly [time: EpochMs, equity: Fixed]> {
  let midnight = Math.ceil((curve[0]?.[0] ?? 0) / DAY_MS) * DAY_MS;
  for (const [index, [time, text]] of curve.entries()) {
    const next = curve[index + 1]?.[0] ?? time + 1;
    if (midnight >= next) continue;
    const equity = parseFixed(text);
    for (; midnight < next; midnight += DAY_MS) yield [midnight, equity];
  }
}
