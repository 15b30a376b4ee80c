import type { Fixed } from '../../domain/index.js';

/** The most orders of one intent. More would be a mistake, or the result of a senseless maximum. */
export const MAX_LEGS = 100;

/** How many orders of at most `most` add up to `total`. */
export function countLegs(total: Fixed, most: Fixed): bigint {
  return (total + most - 1n) / most;
}

/** Cuts `total` into `count` legs of equal steps, the surplus steps first. The legs add up to `total`, which is on the grid. */
export function splitEvenly(total: Fixed, count: bigint, step: Fixed): readonly Fixed[] {
  const each = smallestLeg(total, count, step);
  const surplus = Number((total - each * count) / step);
  return Array.from({ length: Number(count) }, (_, leg) => (leg < surplus ? each + step : each));
}

/** The last leg of an even split. */
export function smallestLeg(total: Fixed, count: bigint, step: Fixed): Fixed {
  return (total / (step * count)) * step;
}
