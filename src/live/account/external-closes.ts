import { compareIds, type Direction, type Fixed, type VenueOrderId } from '../../domain/index.js';
import type { VenueTrade } from '../../venue/index.js';

/** Executions of one order that is in no journal. All of them close one side. */
export interface ExternalClose {
  readonly venueOrderId: VenueOrderId;
  readonly direction: Direction;
  /** In the order in which they happened. */
  readonly trades: readonly VenueTrade[];
  readonly quantity: Fixed;
}

export function groupByOrder(trades: readonly VenueTrade[]): readonly ExternalClose[] {
  const groups = new Map<string, { id: VenueOrderId; trades: VenueTrade[] }>();
  for (const trade of trades.toSorted((a, b) => compareIds(a.venueTradeId, b.venueTradeId))) {
    const known = groups.get(trade.venueOrderId);
    if (known === undefined)
      groups.set(trade.venueOrderId, { id: trade.venueOrderId, trades: [trade] });
    else known.trades.push(trade);
  }
  return [...groups.values()].map(({ id, trades: own }) => ({
    venueOrderId: id,
    direction: own[0]?.side === 'buy' ? 'short' : 'long',
    trades: own,
    quantity: own.reduce((sum, { quantity }) => sum + quantity, 0n),
  }));
}

export function sumOfCloses(closes: readonly ExternalClose[], direction: Direction): Fixed {
  return closes
    .filter((close) => close.direction === direction)
    .reduce((sum, { quantity }) => sum + quantity, 0n);
}

/** Pairs of closes in which the venue netted own long against own short: equal quantities at one price without a fee. */
export function findNetted(closes: readonly ExternalClose[]): ReadonlySet<ExternalClose> {
  const netted = new Set<ExternalClose>();
  const isFree = ({ trades }: ExternalClose): boolean => trades.every(({ fee }) => fee === 0n);
  for (const long of closes.filter(({ direction }) => direction === 'long').filter(isFree)) {
    const short = closes.find(
      (other) =>
        other.direction === 'short' &&
        !netted.has(other) &&
        isFree(other) &&
        other.quantity === long.quantity &&
        other.trades[0]?.price === long.trades[0]?.price,
    );
    if (short !== undefined) netted.add(long).add(short);
  }
  return netted;
}
