import type { InstrumentId, Refusal } from '../../domain/index.js';
import type { OwnOrders } from './own-orders.js';
import type { PositionSide, Remainder } from './position-side.js';

/**
 * Nothing is sent again of what is meant, by default of the whole side. What was to be sent in parts is refused: some of it was never sent, and nothing
 * else says so. What the venue left of an order has the end of that.
 */
export function giveUpRests(
  ownOrders: OwnOrders,
  positionSide: PositionSide,
  refusalOf: (id: InstrumentId, rest: Remainder) => Refusal,
  isMeant: (rest: Remainder) => boolean = () => true,
): void {
  const { remainders, instrumentId } = positionSide;
  if (remainders.size === 0) return;
  for (const rest of [...remainders.values()].filter(isMeant)) {
    const { intentId, intent, schedule } = rest;
    remainders.delete(intentId);
    if (schedule !== undefined)
      ownOrders.refuse(positionSide, intentId, intent, refusalOf(instrumentId, rest));
  }
}
