import { z } from 'zod';
import { defineEndpoint } from './endpoint.js';
import { described } from './json/fields.js';
import { marginLimit } from './limits.js';
import {
  AMOUNT_TEXT,
  ID_TEXT,
  limit,
  limitNeedsPrice,
  needed,
  newClientOrderId,
  optional,
  SIDE_TEXT,
  SYMBOL_TEXT,
  TYPE_TEXT,
} from './requests/request-fields.js';
import {
  CANCELED_ORDER,
  CREATED_ORDER,
  SPOT_ORDER,
  SPOT_OWN_TRADE,
} from './spot/spot-order-shapes.js';

const symbol = needed(SYMBOL_TEXT, 'string', 'Pair name, for example BTCUSDT');
const orderId = needed(ID_TEXT, 'string', 'Id given by the venue');

/**
 * The five margin calls. Their answers are not shown by the interface; documents of the family give them the shapes of the spot calls
 * (medium confidence, no live answer seen), so those are used.
 */
export const MARGIN = {
  'margin.order': defineEndpoint({
    id: 'margin.order',
    method: 'POST',
    path: '/sapi/v1/margin/order',
    area: 'margin',
    access: 'signed',
    rateLimit: marginLimit('margin.order', 'interface'),
    request: limitNeedsPrice(
      z.strictObject({
        symbol,
        volume: needed(AMOUNT_TEXT, 'number', 'Quantity in base; for a MARKET BUY money in quote'),
        side: needed(SIDE_TEXT, 'string', 'BUY or SELL'),
        type: needed(TYPE_TEXT, 'string', 'LIMIT or MARKET'),
        price: optional(AMOUNT_TEXT, 'number', 'Price; must be sent for LIMIT orders'),
        newClientOrderId,
        recvWindow: optional(z.int().min(1), 'string', 'Milliseconds the request stays valid'),
      }),
      'type',
    ),
    answer: CREATED_ORDER,
    examples: {
      request: { symbol: 'BTCUSDT', volume: '0.01', side: 'SELL', type: 'LIMIT', price: '66000' },
      answer:
        '{"orderId":3221406049627539400,"clientOrderId":"","symbol":"BTCUSDT","transactTime":1760000000123,"price":66000,"origQty":0.01,"executedQty":0,"type":"LIMIT","side":"SELL","status":"NEW"}',
    },
    doc: 'Places an order on borrowed funds. Never repeated.',
  }),
  'margin.queryOrder': defineEndpoint({
    id: 'margin.queryOrder',
    method: 'GET',
    path: '/sapi/v1/margin/order',
    area: 'margin',
    access: 'signed',
    rateLimit: marginLimit('margin.queryOrder', 'default'),
    request: z.strictObject({ orderId, newClientOrderId, symbol }),
    answer: SPOT_ORDER,
    examples: {
      request: { orderId: '3221406049627539400', symbol: 'BTCUSDT' },
      answer:
        '{"orderId":3221406049627539400,"clientOrderId":"","symbol":"BTCUSDT","price":66000,"origQty":0.01,"executedQty":0.01,"avgPrice":66000,"type":"LIMIT","side":"SELL","status":"FILLED"}',
      familyAnswer:
        '{"orderId":"3221406049627539400","clientOrderId":"","symbol":"BTCUSDT","price":"66000","origQty":"0.01","executedQty":"0.01","avgPrice":"66000","type":"LIMIT","side":"SELL","status":"FILLED","transactTime":1760000000123}',
    },
    doc: 'Reads one margin order.',
  }),
  'margin.cancel': defineEndpoint({
    id: 'margin.cancel',
    method: 'POST',
    path: '/sapi/v1/margin/cancel',
    area: 'margin',
    access: 'signed',
    rateLimit: marginLimit('margin.cancel', 'default'),
    request: z.strictObject({ orderId, newClientOrderId, symbol }),
    answer: CANCELED_ORDER,
    examples: {
      request: { orderId: '3221406049627539400', symbol: 'BTCUSDT' },
      answer:
        '{"orderId":3221406049627539400,"clientOrderId":"","symbol":"BTCUSDT","status":"CANCELED"}',
    },
    doc: 'Asks for the end of a margin order.',
  }),
  'margin.openOrders': defineEndpoint({
    id: 'margin.openOrders',
    method: 'GET',
    path: '/sapi/v1/margin/openOrders',
    area: 'margin',
    access: 'signed',
    rateLimit: marginLimit('margin.openOrders', 'default'),
    request: z.strictObject({ symbol, limit: limit('integer', 1000, 'optional') }),
    answer: described(z.array(SPOT_ORDER), 'list', 'Working orders'),
    listName: 'list',
    examples: {
      request: { symbol: 'BTCUSDT' },
      answer:
        '[{"orderId":3221406049627539400,"clientOrderId":"","symbol":"BTCUSDT","price":66000,"origQty":0.01,"executedQty":0,"avgPrice":0,"type":"LIMIT","side":"SELL","status":"NEW"}]',
      familyAnswer:
        '[{"orderId":"3221406049627539400","clientOrderId":"","symbol":"BTCUSDT","price":"66000","origQty":"0.01","executedQty":"0","avgPrice":"0","type":"LIMIT","side":"SELL","status":"NEW","time":1760000000123}]',
    },
    doc: 'Reads the working margin orders of one pair.',
  }),
  'margin.myTrades': defineEndpoint({
    id: 'margin.myTrades',
    method: 'GET',
    path: '/sapi/v1/margin/myTrades',
    area: 'margin',
    access: 'signed',
    rateLimit: marginLimit('margin.myTrades', 'default'),
    request: z.strictObject({
      symbol,
      limit: limit('integer', 1000, 'optional'),
      fromId: optional(ID_TEXT, 'integer', 'Trade id to start from, inclusive'),
    }),
    answer: described(z.array(SPOT_OWN_TRADE), 'list', 'Own executions'),
    listName: 'list',
    examples: {
      request: { symbol: 'BTCUSDT', fromId: '6137960' },
      answer:
        '[{"symbol":"BTCUSDT","id":6137968,"bidId":3221406049627530002,"askId":3221406049627539400,"price":66000,"qty":0.01,"time":1760000000456,"isBuyer":false,"isMaker":true,"feeCoin":"USDT","fee":0.66}]',
    },
    doc: 'Reads own margin executions from an id on.',
  }),
} as const;
