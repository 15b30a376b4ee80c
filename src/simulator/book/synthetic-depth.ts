import {
  ceilToStep,
  divideFloor,
  FIXED_ONE,
  floorToStep,
  maxFixed,
  minFixed,
  multiplyFixed,
  type EpochMs,
  type Fixed,
  type ResolvedRules,
  type Side,
} from '../../domain/index.js';
import type { DepthLevel } from '../../venue/index.js';
import { mix } from './mix.js';

/** The venue gives no more levels than this per side. Source: exchange interface, depth. */
export const MAX_LEVELS = 100;

/** Levels are about a basis point of the price apart, at least a tick. */
const SPACING: Fixed = FIXED_ONE / 10_000n;
/** The first level holds about this part of what is traded in a minute. */
const FIRST_LEVEL_PART = 10n;
/** A level further out holds more: a tenth of the first per level. */
const GROWTH_PART = 10n;

export interface DepthTerms {
  readonly rules: ResolvedRules;
  /** Half the spread as a ratio of the price. */
  readonly halfSpread: Fixed;
  /** What is traded in a minute, in base or contracts. */
  readonly minuteVolume: Fixed;
  /** Levels per side, at most {@link MAX_LEVELS}. */
  readonly levels: number;
  readonly seed: number;
}

/**
 * Makes the book around a price: best bid and ask half a spread from it, at least a tick below and above; further levels about a basis
 * point apart, with drawn offsets and quantities that grow outward and with the volume. The draw changes each second.
 *
 * Bids end where prices would. It answers questions about the book; what orders cost is for the fill rules to say (DESIGN R4).
 */
export function makeDepth(
  last: Fixed,
  time: EpochMs,
  terms: DepthTerms,
): { readonly bids: readonly DepthLevel[]; readonly asks: readonly DepthLevel[] } {
  const { tick } = terms.rules;
  const { halfSpread } = terms;
  // Not below the last tick that there is: a bid of 0 is none.
  const bid = minFixed(
    floorToStep(multiplyFixed(last, FIXED_ONE - halfSpread), tick),
    floorToStep(last - 1n, tick),
  );
  const ask = maxFixed(
    ceilToStep(multiplyFixed(last, FIXED_ONE + halfSpread), tick),
    ceilToStep(last + 1n, tick),
  );
  const gap = maxFixed(floorToStep(multiplyFixed(last, SPACING), tick), tick);
  const makeSide = (side: Side, best: Fixed, outward: Fixed): readonly DepthLevel[] => {
    const levels: DepthLevel[] = [];
    const count = Math.min(terms.levels, MAX_LEVELS);
    for (let index = 0; index < count; index += 1) {
      const price =
        best + outward * levelOffset(index, gap, tick, drawOf(side, index, time, terms));
      if (price <= 0n) break;
      levels.push({
        price,
        quantity: quantityOf(index, drawOf(side, -1 - index, time, terms), terms),
      });
    }
    return levels;
  };
  return { bids: makeSide('buy', bid, -1n), asks: makeSide('sell', ask, 1n) };
}

/** Distance of a level from the best one: so many gaps, and a drawn part of one, in ticks; less than a gap, so that levels never meet. */
function levelOffset(index: number, gap: Fixed, tick: Fixed, draw: number): Fixed {
  if (index === 0) return 0n;
  return BigInt(index) * gap + (BigInt(draw) % (gap / tick)) * tick;
}

/** Between half and one and a half of what the level holds on average; at least a step. */
function quantityOf(index: number, draw: number, { rules, minuteVolume }: DepthTerms): Fixed {
  const average = (minuteVolume * (GROWTH_PART + BigInt(index))) / (FIRST_LEVEL_PART * GROWTH_PART);
  const drawn = divideFloor(average * (500n + BigInt(draw % 1_001)), 1_000n);
  return maxFixed(floorToStep(drawn, rules.step), rules.step);
}

function drawOf(side: Side, what: number, time: EpochMs, { seed }: DepthTerms): number {
  return mix(seed, Math.floor(time / 1_000), what, side === 'buy' ? 1 : 2);
}
