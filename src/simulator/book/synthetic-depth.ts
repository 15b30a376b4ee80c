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
import type { PathPrice } from '../candle-path.js';

/** Where what an order costs grows with its quantity, this many levels are shown, apart by about the same price. */
const LEVELS = 20n;

export interface DepthTerms {
  /** Where orders trade now. */
  readonly path: PathPrice;
  readonly rules: Pick<ResolvedRules, 'tick' | 'step'>;
  /** Half spread and slippage of a taker of so much, as a ratio of the price; it does not fall as the quantity grows. */
  readonly costOf: (quantity: Fixed) => Fixed;
  /** What orders may take, in base or contracts. */
  readonly volume: Fixed;
  /** Levels per side. */
  readonly levels: number;
}

/**
 * The book that a MARKET order meets: who walks it for a quantity finds what the order then gets by DESIGN R4, and all of it together is what
 * would fill. Without a volume it is empty.
 *
 * One price for every quantity is one level. Where the price depends on the quantity, each level has what its part of the order adds: the walk
 * ends within a tick of the order's price at the end of each level, and is dearer in between.
 */
export function makeDepth(terms: DepthTerms): {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
} {
  return { bids: makeSide('sell', terms), asks: makeSide('buy', terms) };
}

/** The levels that takers of a side walk, the best first. */
function makeSide(side: Side, terms: DepthTerms): readonly DepthLevel[] {
  const { path, rules, costOf, levels } = terms;
  const { tick } = rules;
  // Of price × quantity × scale all numbers are whole.
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

/** To the tick against the taker, and never better than the level before. */
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

/** Up to where each level reaches: one step, and then as a cost goes that grows with the root of the quantity. */
function* quantitiesOf({ rules: { step }, volume }: DepthTerms): Iterable<Fixed> {
  let before = 0n;
  for (let level = 0n; level <= LEVELS; level += 1n) {
    const share = floorToStep((volume * level * level) / (LEVELS * LEVELS), step);
    const quantity = level === 0n ? minFixed(step, floorToStep(volume, step)) : share;
    if (quantity > before) yield quantity;
    before = maxFixed(before, quantity);
  }
}
