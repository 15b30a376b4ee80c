import {
  maxFixed,
  minFixed,
  type Direction,
  type EnterIntent,
  type Fixed,
  type Protection,
} from '../../domain/index.js';
import { createGuard, firingLevel } from './guard.js';
import { entryPriceOf, isDust, type PositionSide } from './position-side.js';

/**
 * Where the stop of an entry will fire at first if it fills at this price. One that adds without a protection of its own has the stop of the
 * position. With one it moves that stop for all that is held: ratios and distances count from the average price, which lies between this price and
 * the average of before, so that the stop is at the farther of both levels at worst. That of its bracket is its own.
 */
export function stopOfEntry(
  positionSide: PositionSide,
  { protection, bracket }: EnterIntent,
  entryPrice: Fixed,
): Fixed | undefined {
  const { direction, guard, entryQuantity } = positionSide;
  if (bracket?.stopLoss !== undefined) return stopFrom(bracket, entryPrice, direction);
  if (protection === undefined) return guard && firingLevel(guard, direction);
  const stop = stopFrom(protection, entryPrice, direction);
  // What was held when the bot began has no part in the average, and dust hardly any.
  if (stop === undefined || entryQuantity === 0n || isDust(positionSide)) return stop;
  const ofAverage = stopFrom(protection, entryPriceOf(positionSide), direction);
  if (ofAverage === undefined) return undefined;
  return direction === 'long' ? minFixed(stop, ofAverage) : maxFixed(stop, ofAverage);
}

function stopFrom(
  protection: Protection,
  entryPrice: Fixed,
  direction: Direction,
): Fixed | undefined {
  const created = createGuard(protection, entryPrice, direction);
  return created.kind === 'guard' ? firingLevel(created.guard, direction) : undefined;
}
