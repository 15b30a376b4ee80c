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
  /** Its end. */
  readonly time: EpochMs;
  readonly value: number;
}

/**
 * Simple returns over whole UTC days, as the statistics have them: each between neighboring midnights, divided exactly and then rounded to float64. Empty where an
 * equity that would be a divisor is not above 0.
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
