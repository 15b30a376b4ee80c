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
} from '../../domain/index.js';
import { canStandAlone, valueOfOne } from '../../risk/index.js';

/** An order that chases, as far as it says where it may rest next. */
export interface ChasingOrder {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly limitPrice: Fixed;
  /** What is left of it. */
  readonly remaining: Fixed;
  readonly arrivalPrice: Fixed;
  /** How far it may rest from the arrival price, as a ratio of that. */
  readonly most: Fixed;
}

/** Prices at which it may rest from now on: from the nearest to its present one to the farthest. */
export interface ChaseRange {
  readonly next: Fixed;
  readonly bound: Fixed;
}

/**
 * Where an order that chases may rest next; undefined where it stays. No farther than the arrival price allows, and at no price at which what is left of it would
 * be less than the venue takes: what rests may still fill, what was canceled for nothing could not.
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

/** Lowest price, on the tick, at which what is left would be accepted; undefined where it would be at none. */
function leastPriceOf(
  { instrument, remaining }: ChasingOrder,
  rules: ResolvedRules,
): Fixed | undefined {
  const { minOrderMoney = 0n, tick } = rules;
  // Of inverse contracts it is the same at every price.
  const isInverse = instrument.kind === 'futures' && instrument.contract === 'inverse';
  const perPrice = isInverse ? 0n : remaining * valueOfOne(instrument, FIXED_ONE);
  const least =
    perPrice > 0n
      ? ceilToStep(divideCeil(minOrderMoney * FIXED_ONE * FIXED_ONE, perPrice), tick)
      : 0n;
  const price = maxFixed(least, tick);
  return canStandAlone(remaining, valueOfOne(instrument, price), rules) ? least : undefined;
}
