import { fixedFromNumber, fixedToNumber } from '../amounts/fixed.js';

/** Volumes add up as whole numbers of one of these units: the finest one that holds their sum. */
const UNITS_PER_ONE = [1e8, 1e5, 1e3, 1] as const;
/** Below it a number of units is exact, and its quotient by the units per one is the float64 nearest to the decimal. */
const EXACT_UNITS = 1e15;

/**
 * Adds the volumes of the rows from `start` to `end` (exclusive): the exact sum of the decimals they show, rounded once to float64.
 *
 * So the sum does not depend on how the rows are grouped, while a sum of fifteen digits holds it: adding hours gives what adding
 * minutes gives, which plain float64 additions do not.
 * @throws {DomainError} `E_DECIMAL` when a volume is NaN or infinite.
 */
export function sumVolumes(volume: Float64Array, start: number, end: number): number {
  for (const unitsPerOne of UNITS_PER_ONE) {
    const units = sumUnits(volume, start, end, unitsPerOne);
    if (!Number.isNaN(units)) return units / unitsPerOne;
  }
  let sum = 0n;
  for (let row = start; row < end; row += 1) sum += fixedFromNumber(volume[row] ?? Number.NaN);
  return fixedToNumber(sum);
}

/** The sum in units; NaN if a volume lies between two units, or the sum is too large to be exact. */
function sumUnits(volume: Float64Array, start: number, end: number, unitsPerOne: number): number {
  let units = 0;
  for (let row = start; row < end; row += 1) {
    const value = volume[row] ?? Number.NaN;
    const rounded = Math.round(value * unitsPerOne);
    units += rounded;
    // NaN fails the comparisons as well.
    const isExact = rounded / unitsPerOne === value && Math.abs(units) < EXACT_UNITS;
    if (!isExact) return Number.NaN;
  }
  return units;
}
