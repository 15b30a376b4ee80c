import {
  maxFixed,
  minFixed,
  type Direction,
  type EnterIntent,
  type Fixed,
  type Protection,
} from '../../../domain/index.js';
import { createGuard, firingLevel } from './guard.js';
import { entryPriceOf, isDust, isLeftOver, type PositionSide } from '../position-side.js';

/**
 * The level at which the stop of an entry would first fire if the entry filled at this price. An entry without a protection of its own has the
 * stop of the position. A protection moves the stop of the whole position: its ratios and distances count from the average price, which will lie
 * between this price and the average so far. So the result is the farther of both levels, the worst case. A bracket has a stop of its own. Dust that exits
 * have left counts as no position.
 */
export function stopOfEntry(
  positionSide: PositionSide,
  { protection, bracket }: EnterIntent,
  entryPrice: Fixed,
): Fixed | undefined {
  const { direction, entryQuantity } = positionSide;
  const guard = isLeftOver(positionSide) ? undefined : positionSide.guard;
  if (bracket?.stopLoss !== undefined) return stopFrom(bracket, entryPrice, direction);
  if (protection === undefined) return guard && firingLevel(guard, direction);
  const stop = stopFrom(protection, entryPrice, direction);
  // Holdings from before the bot's start do not count in the average, and dust hardly does.
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
