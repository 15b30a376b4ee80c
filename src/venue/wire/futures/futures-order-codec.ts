import { createInstrumentId, parseVenueOrderId } from '../../../domain/index.js';
import type { CancelOutcome, ConditionalOutcome, SubmitOutcome, VenueOrder } from '../../orders.js';
import {
  clientIdOrNone,
  encodeAmount,
  encodeAmountOrZero,
  encodeId,
  encodeSide,
  encodeStatus,
  encodeTime,
  priceOrNone,
  symbolOf,
} from '../json/encoding.js';
import type { AnswerOf } from '../endpoint.js';
import type { ENDPOINTS } from '../endpoint-table.js';
import { pairOf, typeNumber } from './futures-encoding.js';
import type { FuturesOrderAnswer } from './futures-order-shapes.js';
import type { JsonOutput } from '../json/json.js';
import type { AnswerProfile } from '../profile.js';

type Table = typeof ENDPOINTS;

/** Outcome of a new order: the answer holds only the id. */
export function decodeFuturesCreated(answer: AnswerOf<Table['futures.order']>): SubmitOutcome {
  return {
    kind: 'accepted',
    venueOrderId: parseVenueOrderId(answer.orderId),
    status: undefined,
    filledQuantity: undefined,
  };
}

/** Writes the answer to an order or a cancel: the id. */
export function encodeFuturesOrderId(venueOrderId: string, profile: AnswerProfile): JsonOutput {
  return { orderId: encodeId(venueOrderId, profile) };
}

/** Outcome of a cancel: the venue took the request, and the order is not final yet. */
export function decodeFuturesCanceled(): CancelOutcome {
  return { kind: 'requested', status: 'canceling' };
}

export function decodeCondition(
  answer: AnswerOf<Table['futures.conditionOrder']>,
): ConditionalOutcome {
  return { kind: 'accepted', triggerId: answer.triggerId };
}

/** Writes the answer to a conditional order, an envelope in both profiles: the interface shows none. */
export function encodeCondition(triggerId: string): JsonOutput {
  const data = { triggerIds: [triggerId], ids: [], cancelIds: [] };
  return { code: '0', msg: 'success', data, succ: true };
}

/** Makes an order of a query or of the list of working ones. */
export function decodeFuturesOrder(
  answer: FuturesOrderAnswer | AnswerOf<Table['futures.queryOrder']>,
): VenueOrder {
  const isMarket = answer.type === 'market';
  return {
    instrumentId: createInstrumentId('futures', answer.contractName),
    venueOrderId: parseVenueOrderId(answer.orderId),
    clientOrderId: clientIdOrNone(answer.clientOrderId) ?? clientIdOrNone(answer.clientId),
    side: answer.side,
    action: answer.action,
    type: answer.type,
    timeInForce: isMarket ? undefined : answer.timeInForce,
    status: answer.status,
    limitPrice: isMarket ? undefined : priceOrNone(answer.price),
    quantity: answer.origQty,
    filledQuantity: answer.executedQty,
    averagePrice: priceOrNone(answer.avgPrice),
    filledNotional: undefined,
    createdTime: answer.transactTime,
    marginMode: undefined,
    leverage: undefined,
  };
}

/** Which of the two records to write. By the interface, `detail` has the pair and `open` has the type. */
type FuturesOrderView = 'detail' | 'open';

export function encodeFuturesOrder(
  order: VenueOrder,
  view: FuturesOrderView,
  profile: AnswerProfile,
): JsonOutput {
  const isFamily = profile === 'family';
  const symbol = pairOf(order);
  const type = order.type?.toUpperCase();
  return {
    orderId: encodeId(order.venueOrderId, profile),
    contractName: symbolOf(order.instrumentId),
    price: encodeAmountOrZero(order.limitPrice, profile),
    origQty: encodeAmount(order.quantity, profile),
    executedQty: encodeAmount(order.filledQuantity, profile),
    avgPrice: encodeAmountOrZero(order.averagePrice, profile),
    ...(view === 'detail' || isFamily ? { symbol } : {}),
    ...(view === 'open' || isFamily ? { type } : {}),
    side: encodeSide(order.side),
    status: encodeStatus(order.status, order.filledQuantity, profile),
    action: order.action?.toUpperCase(),
    transactTime: encodeTime(order.createdTime),
    ...(isFamily
      ? {
          timeInForce: String(typeNumber(order)),
          [view === 'detail' ? 'clientOrderId' : 'clientId']: order.clientOrderId ?? '0',
        }
      : {}),
  };
}

/** Writes the working orders. In the family's form, null replaces an empty list, as live servers send it. */
export function encodeFuturesOpenOrders(
  orders: readonly VenueOrder[],
  profile: AnswerProfile,
): JsonOutput {
  if (profile === 'family' && orders.length === 0) {
    return { code: '0', msg: 'success', data: null };
  }
  return orders.map((order) => encodeFuturesOrder(order, 'open', profile));
}
