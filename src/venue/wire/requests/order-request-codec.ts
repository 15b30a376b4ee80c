import {
  createInstrumentId,
  type Fixed,
  formatFixed,
  InvariantError,
  type OrderRequest,
  parseFixed,
  type PositionAction,
  type ProductKind,
  type Side,
  splitInstrumentId,
  type TimeInForce,
} from '../../../domain/index.js';
import type { ConditionalOrder, TriggerKind, VenueOrderRequest } from '../../orders.js';
import { decodeSide, encodeSide, symbolOf } from '../json/encoding.js';
import type { CheckedRequestOf, RequestOf } from '../endpoint.js';
import type { ENDPOINTS } from '../endpoint-table.js';

type Table = typeof ENDPOINTS;
type SpotRequest = RequestOf<Table['spot.order']>;
type BatchEntry = RequestOf<Table['spot.batchOrders']>['orders'][number];
type FuturesRequest = RequestOf<Table['futures.order']>;
type ConditionRequest = RequestOf<Table['futures.conditionOrder']>;

/** Triggers by the interface's number. */
const TRIGGERS = {
  '1': 'stop-loss',
  '2': 'take-profit',
  '3': 'chase-up',
  '4': 'chase-down',
} as const satisfies Readonly<Record<string, TriggerKind>>;
const TRIGGER_NUMBERS: Readonly<Record<TriggerKind, keyof typeof TRIGGERS>> = {
  'stop-loss': '1',
  'take-profit': '2',
  'chase-up': '3',
  'chase-down': '4',
};

/** The unit the venue reads an order's volume in. A wrong one would trade a wrong amount, so it is checked, never converted. */
function unitOf(
  kind: ProductKind,
  order: {
    readonly type: 'market' | 'limit';
    readonly side: Side;
    readonly action?: PositionAction | undefined;
  },
): VenueOrderRequest['unit'] {
  if (kind === 'futures') {
    return order.type === 'market' && order.action === 'open' ? 'quote' : 'contracts';
  }
  return order.type === 'market' && order.side === 'buy' ? 'quote' : 'base';
}

function checkTerms(order: VenueOrderRequest, kinds: readonly ProductKind[]): void {
  const { kind } = splitInstrumentId(order.instrumentId);
  if (!kinds.includes(kind)) {
    throw new InvariantError(
      'E_ORDER_TERMS',
      `expected an order for ${kinds.join(' or ')}, received one for ${order.instrumentId}`,
    );
  }
  const unit = unitOf(kind, order);
  if (order.unit !== unit) {
    throw new InvariantError(
      'E_ORDER_TERMS',
      `expected the quantity of a ${order.type} ${order.side} on ${order.instrumentId} in ${unit}, received it in ${order.unit}`,
    );
  }
  if (kind !== 'futures' && order.type === 'limit' && order.timeInForce !== 'GTC') {
    throw new InvariantError(
      'E_ORDER_TERMS',
      `expected time in force GTC on ${order.instrumentId}, received ${order.timeInForce}`,
    );
  }
}

/**
 * Writes an order for spot or margin, or for the test endpoint.
 *
 * @throws {InvariantError} `E_ORDER_TERMS` when the order is in the wrong unit, for another market, or asks for a time in force spot does
 * not know: risk lets no such order pass.
 */
export function encodeSpotOrderRequest(order: OrderRequest | VenueOrderRequest): SpotRequest {
  checkTerms(order, ['spot', 'margin']);
  return {
    symbol: symbolOf(order.instrumentId),
    volume: formatFixed(order.quantity),
    side: encodeSide(order.side),
    ...typeAndPrice(order),
    newClientOrderId: order.clientOrderId,
  };
}

/** Reads an order a client sent to spot or margin. */
export function decodeSpotOrderRequest(
  request: CheckedRequestOf<Table['spot.order']> | CheckedRequestOf<Table['margin.order']>,
  kind: 'spot' | 'margin',
): VenueOrderRequest {
  const { symbol, side, volume, type, price, newClientOrderId } = request;
  return decodeOrder({
    kind,
    symbol,
    volume,
    type,
    price,
    side: decodeSide(side),
    clientOrderId: newClientOrderId,
  });
}

/** Writes one entry of a spot batch, which carries no id of ours. */
export function encodeBatchEntry(order: OrderRequest | VenueOrderRequest): BatchEntry {
  checkTerms(order, ['spot']);
  const { type, price } = typeAndPrice(order);
  return {
    price,
    volume: formatFixed(order.quantity),
    side: encodeSide(order.side),
    batchType: type,
  };
}

/** Reads one entry of a spot batch. */
export function decodeBatchEntry(entry: BatchEntry, symbol: string): VenueOrderRequest {
  const { price, volume, side, batchType } = entry;
  return decodeOrder({
    kind: 'spot',
    symbol,
    volume,
    price,
    type: batchType,
    side: decodeSide(side),
    clientOrderId: undefined,
  });
}

/**
 * Writes a futures order.
 *
 * @throws {InvariantError} `E_ORDER_TERMS` as {@link encodeSpotOrderRequest}, and when the margin mode or the action is missing.
 */
export function encodeFuturesOrderRequest(order: OrderRequest | VenueOrderRequest): FuturesRequest {
  checkTerms(order, ['futures']);
  const { action, marginMode } = order;
  if (action === undefined || marginMode === undefined) {
    throw new InvariantError(
      'E_ORDER_TERMS',
      `an order on ${order.instrumentId} has to say its action and margin mode`,
    );
  }
  return {
    volume: formatFixed(order.quantity),
    contractName: symbolOf(order.instrumentId),
    ...typeAndPrice(order),
    side: encodeSide(order.side),
    open: action === 'open' ? 'OPEN' : 'CLOSE',
    positionType: marginMode === 'cross' ? 1 : 2,
    clientOrderId: order.clientOrderId,
    timeInForce:
      order.type === 'limit' && order.timeInForce !== 'GTC' ? order.timeInForce : undefined,
  };
}

/** Reads a futures order. */
export function decodeFuturesOrderRequest(
  request: CheckedRequestOf<Table['futures.order']>,
): VenueOrderRequest {
  const { contractName, volume, type, price, open, positionType, timeInForce } = request;
  return decodeOrder({
    kind: 'futures',
    symbol: contractName,
    volume,
    type,
    price,
    timeInForce,
    side: decodeSide(request.side),
    action: open === 'OPEN' ? 'open' : 'close',
    marginMode: positionType === 1 ? 'cross' : 'isolated',
    clientOrderId: request.clientOrderId,
  });
}

/** Writes a conditional order. The request has no field for the time in force, so it must be GTC. */
export function encodeConditionRequest(condition: ConditionalOrder): ConditionRequest {
  const { timeInForce, ...request } = encodeFuturesOrderRequest(condition.order);
  if (timeInForce !== undefined) {
    throw new InvariantError(
      'E_ORDER_TERMS',
      `expected time in force GTC of a conditional order, received ${timeInForce}`,
    );
  }
  return {
    ...request,
    triggerType: TRIGGER_NUMBERS[condition.trigger],
    triggerPrice: formatFixed(condition.triggerPrice),
  };
}

/** Reads a conditional order. */
export function decodeConditionRequest(
  request: CheckedRequestOf<Table['futures.conditionOrder']>,
): {
  readonly order: VenueOrderRequest;
  readonly trigger: TriggerKind;
  readonly triggerPrice: Fixed;
} {
  const { triggerType, triggerPrice, ...order } = request;
  return {
    order: decodeFuturesOrderRequest(order),
    trigger: TRIGGERS[triggerType],
    triggerPrice: parseFixed(triggerPrice),
  };
}

function typeAndPrice(order: OrderRequest | VenueOrderRequest): {
  readonly type: 'LIMIT' | 'MARKET';
  readonly price: string | undefined;
} {
  return order.type === 'limit'
    ? { type: 'LIMIT', price: formatFixed(order.limitPrice) }
    : { type: 'MARKET', price: undefined };
}

interface SentOrder {
  readonly kind: ProductKind;
  readonly symbol: string;
  readonly volume: string;
  readonly type: 'LIMIT' | 'MARKET';
  readonly price: string | undefined;
  readonly side: Side;
  readonly clientOrderId: string | undefined;
  readonly action?: PositionAction;
  readonly marginMode?: VenueOrderRequest['marginMode'];
  readonly timeInForce?: TimeInForce | undefined;
}

function decodeOrder(sent: SentOrder): VenueOrderRequest {
  const { kind, side, action, clientOrderId, marginMode } = sent;
  const type = sent.type === 'LIMIT' ? 'limit' : 'market';
  const common = {
    side,
    action,
    clientOrderId,
    marginMode,
    instrumentId: createInstrumentId(kind, sent.symbol.toUpperCase()),
    quantity: parseFixed(sent.volume),
    unit: unitOf(kind, { type, side, action }),
  };
  // The check of the request lets no LIMIT order pass without a price.
  return type === 'limit' && sent.price !== undefined
    ? {
        ...common,
        type,
        limitPrice: parseFixed(sent.price),
        timeInForce: sent.timeInForce ?? 'GTC',
      }
    : { ...common, type: 'market' };
}
