import type { PublicTrade } from '../venue/index.js';

/** New trades in a list of recent public trades. */
interface NewTrades {
  readonly trades: readonly PublicTrade[];
  /** Whether trades between the two lists may be missing: the lists do not overlap. */
  readonly hasGap: boolean;
}

/**
 * Finds the new trades in a list of recent public trades. Trades carry no id, so the list is compared with the end of the seen trades: the longest
 * matching overlap counts as seen. An old answer that arrives late brings nothing.
 */
export function newTradesOf(
  seen: readonly PublicTrade[],
  recent: readonly PublicTrade[],
): NewTrades {
  if (seen.length === 0) return { trades: recent, hasGap: false };
  for (let start = 0; start < seen.length; start += 1) {
    const overlap = Math.min(seen.length - start, recent.length);
    if (recent.slice(0, overlap).every((trade, index) => isSame(trade, seen[start + index])))
      return { trades: recent.slice(overlap), hasGap: false };
  }
  return { trades: recent, hasGap: recent.length > 0 };
}

function isSame(a: PublicTrade, b: PublicTrade | undefined): boolean {
  return (
    b !== undefined &&
    a.time === b.time &&
    a.price === b.price &&
    a.quantity === b.quantity &&
    a.takerSide === b.takerSide
  );
}
