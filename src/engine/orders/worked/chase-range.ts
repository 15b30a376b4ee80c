import {
  ceilToStep,
  divideCeil,
  FIXED_ONE,
  maxFixed,
  multiplyFixed,
  type Fixed,
  type Instrument,
  type ResolvedRules,
  type Side,
} from '../../../domain/index.js';
import { canStandAlone, valueOfOne } from '../../../risk/index.js';

/** The values of a chasing order that decide where it may rest next. */
interface ChasingOrder {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly limitPrice: Fixed;
  /** Unfilled quantity. */
  readonly remaining: Fixed;
  readonly arrivalPrice: Fixed;
  /** How far it may rest from the arrival price, as a ratio of that. */
  readonly most: Fixed;
}

/** Prices at which the order may rest next, from the nearest (`next`) to the farthest (`bound`). */
export interface ChaseRange {
  readonly next: Fixed;
  readonly bound: Fixed;
}

/**
 * Where a chasing order may rest next; undefined if it has to stay. The range ends at the largest distance from the arrival price. It leaves out
 * prices at which the rest is below the venue's minimum: a resting order may still fill, but a canceled one could not be sent again.
 */
export function chaseRangeOf(order: ChasingOrder, rules: ResolvedRules): ChaseRange | undefined {
  const least = leastPriceOf(order, rules);
  if (least === undefined) return undefined;
  const { side, limitPrice, arrivalPrice, most } = order;
  const distance = multiplyFixed(arrivalPrice, most);
  const isBuy = side === 'buy';
  const next = isBuy ? maxFixed(limitPrice + rules.tick, least) : limitPrice - rules.tick;
  const bound = isBuy ? arrivalPrice + distance : maxFixed(arrivalPrice - distance, least);
  return (isBuy ? next <= bound : next >= bound) ? { next, bound } : undefined;
}

/** Lowest price, on the tick, at which the venue would accept the rest; undefined if it would at no price. */
function leastPriceOf(
  { instrument, remaining }: ChasingOrder,
  rules: ResolvedRules,
): Fixed | undefined {
  const { minOrderMoney = 0n, tick } = rules;
  // The value of inverse contracts is the same at every price.
  const isInverse = instrument.kind === 'futures' && instrument.contract === 'inverse';
  const perPrice = isInverse ? 0n : remaining * valueOfOne(instrument, FIXED_ONE);
  const least =
    perPrice > 0n
      ? ceilToStep(divideCeil(minOrderMoney * FIXED_ONE * FIXED_ONE, perPrice), tick)
      : 0n;
  const price = maxFixed(least, tick);
  return canStandAlone(remaining, valueOfOne(instrument, price), rules) ? least : undefined;
}
