import type { InstrumentId, Refusal } from '../../domain/index.js';
import type { OwnOrders } from './own-orders.js';
import { dropRemainder, type PositionSide, type Remainder } from './position-side.js';

/**
 * Drops remaining quantities, by default all of the side, so that they are not sent again. A quantity that is sent in parts is refused: some parts
 * were never sent, and no other record says so. The rest of an order needs no refusal, because the order's end records it.
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
    dropRemainder(positionSide, intentId);
    if (schedule !== undefined)
      ownOrders.refuse(positionSide, intentId, intent, refusalOf(instrumentId, rest));
  }
}
