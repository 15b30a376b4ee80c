import { z } from 'zod';
import { defineEndpoint } from '../endpoint.js';
import { described } from '../json/fields.js';
import { spotLimit, unstatedSpotLimit } from '../limits.js';
import {
  AMOUNT_TEXT,
  batch,
  ID_TEXT,
  limit,
  limitNeedsPrice,
  needed,
  newClientOrderId,
  optional,
  required,
  SIDE_TEXT,
  spotSymbol as symbol,
  TYPE_TEXT,
} from '../requests/request-fields.js';
import {
  BATCH_CANCELED,
  BATCH_IDS,
  CANCELED_ORDER,
  CREATED_ORDER,
  SPOT_ACCOUNT,
  SPOT_ORDER,
  SPOT_OWN_TRADE,
} from './spot-order-shapes.js';

const orderId = required(ID_TEXT, 'string', 'Id given by the venue');

/** An order: volume is base, except for a MARKET BUY, where it is the money to spend (live answers, confidence high). */
const SPOT_ORDER_REQUEST = limitNeedsPrice(
  z.strictObject({
    symbol,
    volume: required(AMOUNT_TEXT, 'number', 'Quantity in base; for a MARKET BUY money in quote'),
    side: required(SIDE_TEXT, 'string', 'BUY or SELL'),
    type: required(TYPE_TEXT, 'string', 'LIMIT or MARKET'),
    price: optional(AMOUNT_TEXT, 'number', 'Price; must be sent for LIMIT orders'),
    newClientOrderId,
    recvWindow: optional(z.int().min(1), 'integer', 'Milliseconds the request stays valid'),
  }),
  'type',
);

const BATCH_ENTRY = limitNeedsPrice(
  z.strictObject({
    price: optional(AMOUNT_TEXT, 'float', 'Price; must be sent for LIMIT orders'),
    volume: needed(AMOUNT_TEXT, 'float', 'Quantity in base; for a MARKET BUY money in quote'),
    side: needed(SIDE_TEXT, 'string', 'BUY or SELL'),
    batchType: needed(TYPE_TEXT, 'string', 'LIMIT or MARKET'),
  }),
  'batchType',
);

/** The nine signed calls of the spot market. */
export const SPOT_SIGNED = {
  'spot.order': defineEndpoint({
    id: 'spot.order',
    method: 'POST',
    path: '/sapi/v1/order',
    area: 'spot',
    access: 'signed',
    rateLimit: spotLimit('spot.order', 100),
    request: SPOT_ORDER_REQUEST,
    answer: CREATED_ORDER,
    examples: {
      request: {
        symbol: 'BTCUSDT',
        volume: '0.01',
        side: 'BUY',
        type: 'LIMIT',
        price: '65000',
        newClientOrderId: 'ek-1',
      },
      answer:
        '{"orderId":3221406049627539350,"clientOrderId":"ek-1","symbol":"BTCUSDT","transactTime":1760000000123,"price":65000,"origQty":0.01,"executedQty":0,"type":"LIMIT","side":"BUY","status":"NEW"}',
      familyAnswer:
        '{"orderId":["3221406049627539350"],"clientOrderId":"ek-1","symbol":"btcusdt","transactTime":"1760000000123","price":"65000","origQty":"0.01","executedQty":"0","type":"LIMIT","side":"BUY","status":0}',
    },
    doc: 'Places an order. It is not idempotent: client ids are not checked for uniqueness (medium confidence), so it is never repeated.',
  }),
  'spot.orderTest': defineEndpoint({
    id: 'spot.orderTest',
    method: 'POST',
    path: '/sapi/v1/order/test',
    area: 'spot',
    access: 'signed',
    rateLimit: unstatedSpotLimit('spot.orderTest', 'key'),
    idempotent: true,
    request: SPOT_ORDER_REQUEST,
    answer: z.unknown(),
    examples: {
      request: { symbol: 'BTCUSDT', volume: '100', side: 'BUY', type: 'MARKET' },
      answer: '{}',
    },
    doc: 'Checks an order without placing it. The answer is not listed; an empty object says that it would be accepted (high confidence).',
  }),
  'spot.batchOrders': defineEndpoint({
    id: 'spot.batchOrders',
    method: 'POST',
    path: '/sapi/v1/batchOrders',
    area: 'spot',
    access: 'signed',
    rateLimit: spotLimit('spot.batchOrders', 50),
    request: z.strictObject({ symbol, orders: batch(BATCH_ENTRY, 'The orders, at most 10') }),
    answer: BATCH_IDS,
    examples: {
      request: {
        symbol: 'BTCUSDT',
        orders: [
          { price: '64000', volume: '0.01', side: 'BUY', batchType: 'LIMIT' },
          { volume: '0.02', side: 'SELL', batchType: 'MARKET' },
        ],
      },
      answer: '{"ids":[3221406049627539351,3221406049627539352]}',
      familyAnswer:
        '{"ids":["3221406049627539351","3221406049627539352"],"idsString":["3221406049627539351","3221406049627539352"]}',
    },
    doc: 'Places up to 10 orders. The answer is not listed; ids in request order (high confidence). A partly accepted batch is not documented: a different number of ids leaves all outcomes unknown.',
  }),
  'spot.queryOrder': defineEndpoint({
    id: 'spot.queryOrder',
    method: 'GET',
    path: '/sapi/v1/order',
    area: 'spot',
    access: 'signed',
    rateLimit: spotLimit('spot.queryOrder', 20),
    request: z.strictObject({ orderId, newClientOrderId, symbol }),
    answer: SPOT_ORDER,
    examples: {
      request: { orderId: '3221406049627539350', symbol: 'BTCUSDT' },
      answer:
        '{"orderId":3221406049627539350,"clientOrderId":"ek-1","symbol":"BTCUSDT","price":65000,"origQty":0.01,"executedQty":0.004,"avgPrice":64999.5,"type":"LIMIT","side":"BUY","status":"PARTIALLY_FILLED"}',
      familyAnswer:
        '{"orderId":"3221406049627539350","clientOrderId":"ek-1","symbol":"btcusdt","price":"65000","origQty":"0.01","executedQty":"0.004","avgPrice":"64999.5","type":"LIMIT","side":"BUY","status":"Partially Filled","transactTime":"1760000000123"}',
    },
    doc: 'Reads one order.',
  }),
  'spot.cancel': defineEndpoint({
    id: 'spot.cancel',
    method: 'POST',
    path: '/sapi/v1/cancel',
    area: 'spot',
    access: 'signed',
    rateLimit: spotLimit('spot.cancel', 100),
    request: z.strictObject({ orderId, newClientOrderId, symbol }),
    answer: CANCELED_ORDER,
    examples: {
      request: { orderId: '3221406049627539350', symbol: 'BTCUSDT' },
      answer:
        '{"orderId":3221406049627539350,"clientOrderId":"ek-1","symbol":"BTCUSDT","status":"CANCELED"}',
      familyAnswer:
        '{"orderId":["3221406049627539350"],"clientOrderId":"ek-1","symbol":"btcusdt","status":"PENDING_CANCEL"}',
    },
    doc: 'Asks for the end of an order. It may still fill before it ends (high confidence); its state is read by polling.',
  }),
  'spot.batchCancel': defineEndpoint({
    id: 'spot.batchCancel',
    method: 'POST',
    path: '/sapi/v1/batchCancel',
    area: 'spot',
    access: 'signed',
    rateLimit: spotLimit('spot.batchCancel', 50),
    request: z.strictObject({
      symbol,
      orderIds: batch(
        required(ID_TEXT, 'long', 'Id given by the venue'),
        'Ids, at most 10, written as numbers',
      ),
    }),
    answer: BATCH_CANCELED,
    examples: {
      request: { symbol: 'BTCUSDT', orderIds: ['3221406049627539351', '3221406049627539352'] },
      answer: '{"success":[3221406049627539351],"failed":[3221406049627539352]}',
      familyAnswer: '{"success":["3221406049627539351"],"failed":["3221406049627539352"]}',
    },
    doc: 'Asks for the end of up to 10 orders of one pair. The answer is not listed; its two lists are well attested (high confidence).',
  }),
  'spot.openOrders': defineEndpoint({
    id: 'spot.openOrders',
    method: 'GET',
    path: '/sapi/v1/openOrders',
    area: 'spot',
    access: 'signed',
    rateLimit: spotLimit('spot.openOrders', 20),
    request: z.strictObject({ symbol, limit: limit('integer', 1000, 'interface') }),
    answer: described(z.array(SPOT_ORDER), 'list', 'Working orders'),
    listName: 'list',
    examples: {
      request: { symbol: 'BTCUSDT' },
      answer:
        '[{"orderId":3221406049627539350,"clientOrderId":"ek-1","symbol":"BTCUSDT","price":65000,"origQty":0.01,"executedQty":0,"avgPrice":0,"type":"LIMIT","side":"BUY","status":"NEW"}]',
      familyAnswer:
        '[{"orderId":"3221406049627539350","clientOrderId":"ek-1","symbol":"btcusdt","price":"65000","origQty":"0.01","executedQty":"0","avgPrice":"0","type":"LIMIT","side":"BUY","status":"NEW_","time":1760000000123}]',
    },
    doc: 'Reads the working orders of one pair. Other deployments add `time` and may wrap the list (high confidence).',
  }),
  'spot.myTrades': defineEndpoint({
    id: 'spot.myTrades',
    method: 'GET',
    path: '/sapi/v1/myTrades',
    area: 'spot',
    access: 'signed',
    rateLimit: spotLimit('spot.myTrades', 20),
    request: z.strictObject({
      symbol,
      limit: limit('string', 1000, 'interface'),
      fromId: required(ID_TEXT, 'integer', 'Trade id to start from, inclusive; 0 for the first'),
    }),
    familyDefaults: { fromId: '0' },
    answer: described(z.array(SPOT_OWN_TRADE), 'list', 'Own executions'),
    listName: 'list',
    examples: {
      request: { symbol: 'BTCUSDT', fromId: '0' },
      answer:
        '[{"symbol":"BTCUSDT","id":6137967,"bidId":3221406049627539350,"askId":3221406049627530001,"price":64999.5,"qty":0.004,"time":1760000000456,"isBuyer":true,"isMaker":false,"feeCoin":"BTC","fee":0.000004}]',
      familyAnswer:
        '[{"symbol":"BTCUSDT","side":"BUY","id":"6137967","bidId":"3221406049627539350","askId":"3221406049627530001","price":"64999.5","qty":"0.004","time":1760000000456,"isBuyer":true,"isMaker":false,"isSelf":false,"feeCoin":"BTC","fee":"0.000004","bidUserId":10001,"askUserId":10002}]',
    },
    doc: 'Reads own executions from an id on. Samples come newest first (high confidence); whether fromId is included is not stated, inclusive is assumed.',
  }),
  'spot.account': defineEndpoint({
    id: 'spot.account',
    method: 'GET',
    path: '/sapi/v1/account',
    area: 'spot',
    access: 'signed',
    rateLimit: spotLimit('spot.account', 20),
    request: z.strictObject({}),
    answer: SPOT_ACCOUNT,
    examples: {
      request: {},
      answer:
        '{"balances":[{"asset":"USDT","free":9740.5,"locked":259.5},{"asset":"BTC","free":0.003996,"locked":0}]}',
      familyAnswer:
        '{"uid":"10001","balances":[{"asset":"USDT","free":"9740.5","locked":"259.5"},{"asset":"BTC","free":"0.003996","locked":"0"}]}',
    },
    doc: 'Reads the balances. Other top-level fields are not listed by the interface and ignored.',
  }),
} as const;
