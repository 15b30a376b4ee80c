import { WireFormatError, type InstrumentId } from '../domain/index.js';
import type { OrderTarget, VenueOrder } from '../venue/index.js';
import type { AnyEndpoint } from '../venue/wire/index.js';

/**
 * Checks that all rows of an answer are of the instrument that was asked for. Rows of another one say nothing about it, and their ids would hide its own
 * later executions.
 *
 * @throws {WireFormatError} `E_WIRE_FORMAT`
 */
export function requireInstrument<T extends { readonly instrumentId: InstrumentId }>(
  endpoint: AnyEndpoint,
  asked: InstrumentId,
  rows: readonly T[],
): readonly T[] {
  const other = rows.find(({ instrumentId }) => instrumentId !== asked);
  if (other === undefined) return rows;
  throw unreadable(endpoint, `rows of ${asked}`, `one of ${other.instrumentId}`);
}

/**
 * Checks that an answer is the order that was asked for, and that a filled one shows what it has filled: the record of another order would end
 * an order that works, or whose position is not known yet.
 *
 * @throws {WireFormatError} `E_WIRE_FORMAT`
 */
export function requireOrder(
  endpoint: AnyEndpoint,
  { instrumentId, venueOrderId }: OrderTarget,
  order: VenueOrder,
): VenueOrder {
  requireInstrument(endpoint, instrumentId, [order]);
  if (order.venueOrderId !== venueOrderId)
    throw unreadable(endpoint, `order ${venueOrderId}`, `order ${order.venueOrderId}`);
  if (order.status === 'filled' && !showsFill(order))
    throw unreadable(endpoint, 'the filled quantity of a filled order', 'a smaller one');
  return order;
}

/** Whether the filled quantity is that of a filled order. Of a MARKET order, the ordered quantity may be money. */
function showsFill({ type, quantity, filledQuantity }: VenueOrder): boolean {
  return type === 'limit' ? filledQuantity >= quantity : filledQuantity > 0n;
}

function unreadable({ id }: AnyEndpoint, expected: string, received: string): WireFormatError {
  return new WireFormatError(
    'E_WIRE_FORMAT',
    `${id}: expected ${expected}, received ${received} (E_WIRE_FORMAT)`,
  );
}
