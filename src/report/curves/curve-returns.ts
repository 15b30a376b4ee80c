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
 * Simple returns over whole UTC days, by the formula of the statistics: between neighboring midnights, divided exactly, then rounded to float64. Empty if an
 * equity to divide by is not above 0.
 */
export function curveReturns(curve: readonly CurvePoint[]): readonly DayReturn[] {
  const returns: DayReturn[] = [];
  let previous: Fixed | undefined;
  for (const [time, text] of curve) {
    if (time % DAY_MS !== 0) continue;
    const equity = parseFixed(text);
    if (previous !== undefined) {
      if (previous <= 0n) return [];
      returns.push({ time, value: fixedToNumber(divideFixed(equity - previous, previous)) });
    }
    previous = equity;
  }
  return returns;
}
