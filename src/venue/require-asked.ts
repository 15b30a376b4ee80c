import {
  formatFixed,
  OutcomeUnknownError,
  WireFormatError,
  type Fixed,
  type InstrumentId,
} from '../domain/index.js';
import type { OrderTarget, VenueOrder } from './orders.js';

/** The call whose answer is checked. */
interface NamedCall {
  readonly id: string;
}

/**
 * Checks that all rows of an answer are of the instrument that was asked for. Rows of another one say nothing about it, and their ids would hide its own
 * later executions.
 *
 * @throws {WireFormatError} `E_WIRE_FORMAT`
 */
export function requireInstrument<T extends { readonly instrumentId: InstrumentId }>(
  call: NamedCall,
  asked: InstrumentId,
  rows: readonly T[],
): readonly T[] {
  const other = rows.find(({ instrumentId }) => instrumentId !== asked);
  if (other === undefined) return rows;
  throw unreadable(call, `rows of ${asked}`, `one of ${other.instrumentId}`);
}

/**
 * Checks that an answer is the order that was asked for, and that a filled one shows what it has filled: the record of another order would end
 * an order that works, or whose position is not known yet.
 *
 * @throws {WireFormatError} `E_WIRE_FORMAT`
 */
export function requireOrder(
  call: NamedCall,
  { instrumentId, venueOrderId }: OrderTarget,
  order: VenueOrder,
): VenueOrder {
  requireInstrument(call, instrumentId, [order]);
  if (order.venueOrderId !== venueOrderId)
    throw unreadable(call, `order ${venueOrderId}`, `order ${order.venueOrderId}`);
  if (order.status === 'filled' && !showsFill(order))
    throw unreadable(call, 'the filled quantity of a filled order', 'a smaller one');
  return order;
}

/** Whether the filled quantity is that of a filled order. Of a MARKET order, the ordered quantity may be money. */
function showsFill({ type, quantity, filledQuantity }: VenueOrder): boolean {
  return type === 'limit' ? filledQuantity >= quantity : filledQuantity > 0n;
}

/**
 * Checks that an answer to a new order names no other order of its sender: the order that was sent may have been placed, and its id is not the one in the answer.
 *
 * @throws {OutcomeUnknownError} `E_OUTCOME_UNKNOWN`
 */
export function requireOwnId({ id }: NamedCall, sent: string, answered: string | undefined): void {
  if (answered === undefined || answered === sent) return;
  throw new OutcomeUnknownError(
    'E_OUTCOME_UNKNOWN',
    `${id}: expected the answer to order ${sent}, received that to ${answered}`,
  );
}

/** Checks that a price is above 0: a stop would take 0 for a fall to nothing. @throws {WireFormatError} `E_WIRE_FORMAT` */
export function requirePrice(call: NamedCall, price: Fixed): void {
  if (price > 0n) return;
  throw unreadable(call, 'a price above 0', formatFixed(price));
}

function unreadable({ id }: NamedCall, expected: string, received: string): WireFormatError {
  return new WireFormatError(
    'E_WIRE_FORMAT',
    `${id}: expected ${expected}, received ${received} (E_WIRE_FORMAT)`,
  );
}
