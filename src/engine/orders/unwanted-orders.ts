import {
  directionOf,
  formatFixed,
  multiplyFixed,
  type FillRecord,
  type ForcedCause,
  type Instrument,
  type OrderIntent,
  type OrderRequest,
} from '../../domain/index.js';
import { WorkingOrder } from './working/working-order.js';

/** The role and the intent that stand for an order without an intent of its own. */
export function wantedBy(
  request: OrderRequest,
  label?: string,
): { readonly role: 'entry' | 'exit'; readonly intent: OrderIntent } {
  const role = request.action === 'open' ? 'entry' : 'exit';
  return { role, intent: intentOf(request, label) };
}

/** The intent that would have led to an order, made from the request alone. */
function intentOf(request: OrderRequest, label?: string): OrderIntent {
  const { instrumentId: instrument, action } = request;
  const direction = directionOf(request);
  const quantity = formatFixed(request.quantity);
  const size = request.unit === 'quote' ? { notional: quantity } : { quantity };
  const limitPrice = request.type === 'limit' ? formatFixed(request.limitPrice) : undefined;
  const terms = {
    instrument,
    direction,
    ...(label !== undefined && { label }),
    ...(limitPrice !== undefined && { limitPrice }),
  };
  return action === 'open'
    ? { kind: 'enter', ...terms, size, add: true }
    : { kind: 'exit', ...terms };
}

/** The order that the venue made for us, already filled by its only fill. */
export function forcedOrder(
  { clientOrderId, instrumentId, side, action, quantity, price, eventTime }: FillRecord,
  cause: ForcedCause,
  instrument: Instrument,
): WorkingOrder {
  const order = new WorkingOrder({
    request: {
      type: 'market',
      clientOrderId,
      intentId: 0,
      instrumentId,
      side,
      action,
      quantity,
      unit: instrument.kind === 'futures' ? 'contracts' : 'base',
    },
    role: 'forced',
    direction: directionOf({ side, action }),
    intent: { kind: 'exit', instrument: instrumentId, label: cause },
    cancelsRest: false,
    createdTime: eventTime,
  });
  order.filledQuantity = quantity;
  order.filledNotional = multiplyFixed(price, quantity);
  order.reason = { code: cause, text: FORCED_TEXTS[cause] };
  order.moveTo('filled', eventTime);
  return order;
}

const FORCED_TEXTS: Readonly<Record<ForcedCause, string>> = {
  liquidation: 'the margin of the position ran out',
  netting: 'own long and short were set off against each other on the way to a liquidation',
  'margin-call': 'the margin account owed too much',
  external: 'somebody else has traded on the margin account',
};
