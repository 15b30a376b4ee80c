import { fixedFromNumber, fixedToNumber } from './fixed.js';

/** Volumes on a grid of eight decimals add up as whole numbers of this unit. */
const UNITS_PER_ONE = 1e8;
/** Below it a number of units is exact, and its quotient by {@link UNITS_PER_ONE} is the float64 nearest to the decimal. */
const EXACT_UNITS = 1e15;

/**
 * Adds the volumes of the rows from `start` to `end` (exclusive): the exact sum of the decimals they show, rounded once to float64.
 *
 * So the sum does not depend on how the rows are grouped, while a sum of fifteen digits holds it: adding hours gives what adding
 * minutes gives, which plain float64 additions do not.
 * @throws {DomainError} `E_DECIMAL` when a volume is NaN or infinite.
 */
export function sumVolumes(volume: Float64Array, start: number, end: number): number {
  let units = 0;
  for (let row = start; row < end; row += 1) {
    const value = volume[row] ?? Number.NaN;
    const rounded = Math.round(value * UNITS_PER_ONE);
    units += rounded;
    // NaN fails the comparisons as well.
    const isExact = rounded / UNITS_PER_ONE === value && Math.abs(units) < EXACT_UNITS;
    if (!isExact) return sumDecimals(volume, start, end);
  }
  return units / UNITS_PER_ONE;
}

/** The same for volumes with more decimals, or more digits, than whole units can hold. */
function sumDecimals(volume: Float64Array, start: number, end: number): number {
  let sum = 0n;
  for (let row = start; row < end; row += 1) sum += fixedFromNumber(volume[row] ?? Number.NaN);
  return fixedToNumber(sum);
}
