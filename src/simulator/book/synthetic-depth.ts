import {
  divideCeil,
  divideFloor,
  FIXED_ONE,
  floorToStep,
  maxFixed,
  minFixed,
  type Fixed,
  type ResolvedRules,
  type Side,
} from '../../domain/index.js';
import type { DepthLevel } from '../../venue/index.js';
import type { PathPrice } from '../path/candle-path.js';

/** Number of levels if the cost of an order grows with its quantity. Neighbors are about the same price apart. */
const LEVELS = 20n;

export interface DepthTerms {
  /** The current price, before rounding. */
  readonly path: PathPrice;
  readonly rules: Pick<ResolvedRules, 'tick' | 'step'>;
  /** Half spread and slippage of a taker of this quantity, as a ratio of the price. It does not fall as the quantity grows. */
  readonly costOf: (quantity: Fixed) => Fixed;
  /** Volume that orders may take, in base or contracts. */
  readonly volume: Fixed;
  /** Levels per side. */
  readonly levels: number;
}

/**
 * The book that a MARKET order meets. Walking it for a quantity gives the price that the order then gets by DESIGN R4. The whole book holds as much
 * as would fill. It is empty without a volume.
 *
 * If every quantity has the same price, there is one level. If the price depends on the quantity, each level has the price that its part of the order
 * adds. At the end of each level, the average price of the walk is within a tick of the order's price. In between, the walk is dearer.
 */
export function makeDepth(terms: DepthTerms): {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
} {
  return { bids: makeSide('sell', terms), asks: makeSide('buy', terms) };
}

/** The levels that a taker on `side` walks, the best first. */
function makeSide(side: Side, terms: DepthTerms): readonly DepthLevel[] {
  const { path, rules, costOf, levels } = terms;
  const { tick } = rules;
  // With this scale, price × quantity × scale is always a whole number.
  const scale = path.denominator * FIXED_ONE;
  const made: { price: Fixed; quantity: Fixed }[] = [];
  let [taken, paid] = [0n, 0n];
  for (const quantity of quantitiesOf(terms)) {
    const cost = costOf(quantity);
    const factor = side === 'buy' ? FIXED_ONE + cost : FIXED_ONE - cost;
    const added = quantity - taken;
    const price = levelPrice(side, {
      value: quantity * path.numerator * factor - paid,
      scale: added * scale,
      tick,
      before: made.at(-1)?.price,
    });
    const last = made.at(-1);
    if (last?.price === price) last.quantity += added;
    else if (made.length === levels) break;
    else made.push({ price, quantity: added });
    paid += price * added * scale;
    taken = quantity;
  }
  return made;
}

/** Rounds to the tick against the taker. Never better than the level before. */
function levelPrice(
  side: Side,
  level: {
    readonly value: bigint;
    readonly scale: bigint;
    readonly tick: Fixed;
    readonly before: Fixed | undefined;
  },
): Fixed {
  const { value, scale, tick, before } = level;
  if (side === 'buy') {
    const price = divideCeil(value, scale * tick) * tick;
    return before === undefined ? price : maxFixed(price, before);
  }
  const price = maxFixed(divideFloor(value, scale * tick) * tick, tick);
  return before === undefined ? price : minFixed(price, before);
}

/**
 * Total quantity up to the end of each level. The first is one step. The others grow with the square of the level, for a cost that grows with the
 * root of the quantity.
 */
function* quantitiesOf({ rules: { step }, volume }: DepthTerms): Iterable<Fixed> {
  let before = 0n;
  for (let level = 0n; level <= LEVELS; level += 1n) {
    const share = floorToStep((volume * level * level) / (LEVELS * LEVELS), step);
    const quantity = level === 0n ? minFixed(step, floorToStep(volume, step)) : share;
    if (quantity > before) yield quantity;
    before = maxFixed(before, quantity);
  }
}
