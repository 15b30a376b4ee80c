import {
  ceilToStep,
  FIXED_ONE,
  floorToStep,
  maxFixed,
  multiplyFixed,
  type Fixed,
  type ResolvedRules,
} from '../../domain/index.js';
import type { DepthLevel } from '../../venue/index.js';

/** Distance of two levels as a ratio of the price: a basis point. */
const LEVEL_SPACING: Fixed = FIXED_ONE / 10_000n;

/** A book around a price. */
export interface SyntheticDepth {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

/**
 * Makes the book others are thought to stand in: best bid and ask half a spread from the last price, at least a tick below and above it,
 * further levels a basis point apart, each thicker than the one before. `unit` is the quantity of the first level.
 *
 * Bids end where prices would: at the first tick.
 */
export function makeDepth(
  last: Fixed,
  rules: ResolvedRules,
  book: { readonly halfSpread: Fixed; readonly unit: Fixed; readonly levels: number },
): SyntheticDepth {
  const { tick } = rules;
  const { halfSpread, levels } = book;
  const bestBid = floorToStep(multiplyFixed(last, FIXED_ONE - halfSpread), tick);
  const bestAsk = ceilToStep(multiplyFixed(last, FIXED_ONE + halfSpread), tick);
  const bid = bestBid >= last ? bestBid - tick : bestBid;
  const ask = bestAsk <= last ? bestAsk + tick : bestAsk;
  const gap = maxFixed(floorToStep(multiplyFixed(last, LEVEL_SPACING), tick), tick);
  const unit = maxFixed(floorToStep(book.unit, rules.step), rules.step);
  const bids: DepthLevel[] = [];
  const asks: DepthLevel[] = [];
  for (let level = 0n; level < BigInt(levels); level += 1n) {
    const quantity = unit * (level + 1n);
    const price = bid - level * gap;
    if (price > 0n) bids.push({ price, quantity });
    asks.push({ price: ask + level * gap, quantity });
  }
  return { bids, asks };
}
