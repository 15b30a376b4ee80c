import { z } from 'zod';
import { defineEndpoint } from '../endpoint.js';
import { described } from '../json/fields.js';
import { FUTURES_ACCOUNT, FUTURES_ACCOUNT_EXAMPLES } from './futures-account-shapes.js';
import {
  CONDITION_IDS,
  FUTURES_OPEN_ORDER,
  FUTURES_ORDER,
  FUTURES_ORDER_ID,
  FUTURES_OWN_TRADE,
  HISTORY_ORDER,
  PROFIT,
} from './futures-order-shapes.js';
import { futuresLimit } from '../limits.js';
import {
  ACTION_TEXT,
  AMOUNT_TEXT,
  CLIENT_ID_TEXT,
  contractName,
  futuresClientOrderId,
  ID_TEXT,
  limit,
  limitNeedsPrice,
  needed,
  optional,
  required,
  SIDE_TEXT,
  SYMBOL_TEXT,
  TYPE_TEXT,
} from '../requests/request-fields.js';

const side = needed(SIDE_TEXT, 'string', 'BUY or SELL');
const open = needed(ACTION_TEXT, 'string', 'OPEN or CLOSE');
const type = needed(TYPE_TEXT, 'string', 'LIMIT or MARKET');
const price = optional(AMOUNT_TEXT, 'number', 'Price; needed for LIMIT orders');
const positionType = needed(z.literal([1, 2]), 'number', '1 cross, 2 isolated');
const fromId = optional(ID_TEXT, 'long', 'Record to start from, inclusive');
const page = { contractName, limit: limit('string', 1000, 'optional', 'Rows'), fromId } as const;

/** What an order and a condition say of the order to place. */
const orderFields = {
  volume: needed(AMOUNT_TEXT, 'number', 'Contracts; quote value for a MARKET order that opens'),
  price,
  contractName,
  type,
  side,
  open,
  positionType,
  clientOrderId: futuresClientOrderId(),
} as const;

/** The nine signed calls of the futures market. Fields marked `family` are required by documents of the family (medium confidence). */
export const FUTURES_SIGNED = {
  'futures.order': defineEndpoint({
    id: 'futures.order',
    method: 'POST',
    path: '/fapi/v1/order',
    area: 'futures',
    access: 'signed',
    rateLimit: futuresLimit('key'),
    request: limitNeedsPrice(
      z.strictObject({
        ...orderFields,
        timeInForce: optional(
          z.enum(['IOC', 'FOK', 'POST_ONLY']),
          'string',
          'IOC, FOK or POST_ONLY; absent: good till canceled',
        ),
      }),
      'type',
    ),
    answer: FUTURES_ORDER_ID,
    examples: {
      request: {
        volume: '10',
        price: '65000',
        contractName: 'E-BTC-USDT',
        type: 'LIMIT',
        side: 'BUY',
        open: 'OPEN',
        positionType: 2,
        clientOrderId: 'ek-2',
        timeInForce: 'IOC',
      },
      answer: '{"orderId":2566092292056842280}',
      familyAnswer: '{"orderId":"2566092292056842280"}',
    },
    doc: 'Places an order. The answer is not listed; it holds the id (high confidence). Never repeated.',
  }),
  'futures.conditionOrder': defineEndpoint({
    id: 'futures.conditionOrder',
    method: 'POST',
    path: '/fapi/v1/conditionOrder',
    area: 'futures',
    access: 'signed',
    rateLimit: futuresLimit('key'),
    enveloped: true,
    request: limitNeedsPrice(
      z.strictObject({
        ...orderFields,
        triggerType: needed(
          z.enum(['1', '2', '3', '4']),
          'string',
          '1 stop-loss, 2 take-profit, 3 chase-up, 4 chase-down',
        ),
        triggerPrice: needed(AMOUNT_TEXT, 'string', 'Level of the last traded price'),
      }),
      'type',
    ),
    answer: CONDITION_IDS,
    examples: {
      request: {
        volume: '10',
        contractName: 'E-BTC-USDT',
        type: 'MARKET',
        side: 'SELL',
        open: 'CLOSE',
        positionType: 2,
        triggerType: '1',
        triggerPrice: '63000',
      },
      answer:
        '{"code":"0","msg":"success","data":{"triggerIds":["2566092292056842999"],"ids":[],"cancelIds":[]},"succ":true}',
      familyAnswer: '{"orderId":2566092292056842999}',
    },
    doc: 'Hands a condition to the venue. The answer is not listed; an envelope with trigger ids (high confidence). It can be neither listed nor canceled through this interface.',
  }),
  'futures.cancel': defineEndpoint({
    id: 'futures.cancel',
    method: 'POST',
    path: '/fapi/v1/cancel',
    area: 'futures',
    access: 'signed',
    rateLimit: futuresLimit('key'),
    request: z.strictObject({
      contractName,
      orderId: needed(ID_TEXT, 'string', 'Id given by the venue'),
    }),
    answer: FUTURES_ORDER_ID,
    examples: {
      request: { contractName: 'E-BTC-USDT', orderId: '2566092292056842280' },
      answer: '{"orderId":2566092292056842280}',
      familyAnswer: '{"orderId":"2566092292056842280"}',
    },
    doc: 'Asks for the end of an order. The answer is not listed; it holds the id (high confidence). The order may still fill before it ends.',
  }),
  'futures.queryOrder': defineEndpoint({
    id: 'futures.queryOrder',
    method: 'GET',
    path: '/fapi/v1/order',
    area: 'futures',
    access: 'signed',
    rateLimit: futuresLimit('key'),
    request: z.strictObject({
      contractName: required(SYMBOL_TEXT, 'string', 'Contract name, for example E-BTC-USDT'),
      orderId: required(ID_TEXT, 'string', 'Id given by the venue'),
      clientOrderId: optional(CLIENT_ID_TEXT, 'string', 'Our own id'),
    }),
    answer: FUTURES_ORDER,
    examples: {
      request: { contractName: 'E-BTC-USDT', orderId: '2566092292056842280' },
      answer:
        '{"orderId":2566092292056842280,"contractName":"E-BTC-USDT","price":65000,"origQty":10,"executedQty":10,"avgPrice":64999.8,"symbol":"BTC-USDT","status":"FILLED","side":"BUY","action":"OPEN","transactTime":1760000000123}',
      familyAnswer:
        '{"orderId":"2566092292056842280","contractName":"E-BTC-USDT","price":"65000","origQty":"10","executedQty":"10","avgPrice":"64999.8","symbol":"BTC-USDT","status":"FILLED","side":"BUY","action":"OPEN","transactTime":"1760000000123","type":"LIMIT","timeInForce":"3","clientOrderId":"ek-2"}',
    },
    doc: 'Reads one order. Live servers answer a wrong id with an error body (high confidence).',
  }),
  'futures.openOrders': defineEndpoint({
    id: 'futures.openOrders',
    method: 'GET',
    path: '/fapi/v1/openOrders',
    area: 'futures',
    access: 'signed',
    rateLimit: futuresLimit('key'),
    request: z.strictObject({ contractName }),
    answer: described(z.array(FUTURES_OPEN_ORDER), 'list', 'Working orders'),
    listName: 'list',
    examples: {
      request: { contractName: 'E-BTC-USDT' },
      answer:
        '[{"orderId":2566092292056842281,"contractName":"E-BTC-USDT","price":64000,"origQty":5,"executedQty":0,"avgPrice":0,"type":"LIMIT","side":"BUY","status":"NEW","action":"OPEN","transactTime":1760000000123}]',
      familyAnswer: '{"code":"0","msg":"success","data":null}',
    },
    doc: 'Reads the working orders of a contract. Live servers answer an empty list with an envelope around null (high confidence).',
  }),
  'futures.orderHistorical': defineEndpoint({
    id: 'futures.orderHistorical',
    method: 'POST',
    path: '/fapi/v1/orderHistorical',
    area: 'futures',
    access: 'signed',
    rateLimit: futuresLimit('key'),
    idempotent: true,
    request: z.strictObject(page),
    answer: described(z.array(HISTORY_ORDER), 'list', 'Orders'),
    listName: 'list',
    examples: {
      request: { contractName: 'E-BTC-USDT', limit: 1 },
      answer:
        '[{"side":"BUY","clientId":"ek-2","ctimeMs":1760000000123,"ctime":"2025-10-09T08:53:20","positionType":2,"orderId":2566092292056842280,"avgPrice":64999.8,"openOrClose":"OPEN","leverageLevel":5,"type":3,"status":2,"volume":10,"dealVolume":10,"dealMoney":649.998,"price":65000,"contractId":1,"contractName":"E-BTC-USDT","openMakerFeeRate":0.0002,"openTakerFeeRate":0.0006,"closeMakerFeeRate":0.0002,"closeTakerFeeRate":0.0006}]',
    },
    doc: 'Reads orders of a contract, ended ones too. A POST that changes nothing. The answer is not listed; fields as documents and live answers show them (high confidence).',
  }),
  'futures.profitHistorical': defineEndpoint({
    id: 'futures.profitHistorical',
    method: 'POST',
    path: '/fapi/v1/profitHistorical',
    area: 'futures',
    access: 'signed',
    rateLimit: futuresLimit('key'),
    idempotent: true,
    request: z.strictObject(page),
    answer: described(z.array(PROFIT), 'list', 'Results'),
    listName: 'list',
    examples: {
      request: { contractName: 'E-BTC-USDT' },
      answer:
        '[{"id":8801,"contractId":1,"side":"SELL","positionType":2,"volume":900,"leverageLevel":20,"openPrice":44500,"openEndPrice":45000,"closeProfit":-45,"tradeFee":-5.23575,"capitalFee":0,"historyRealizedAmount":-50.23575,"realizedAmount":-50.23575,"settleProfit":0,"shareAmount":0,"ctime":1760000000123,"mtime":1760000100456}]',
    },
    doc: 'Reads results of closed positions. A POST that changes nothing. The answer is not listed; fields as documents and live answers show them (high confidence).',
  }),
  'futures.myTrades': defineEndpoint({
    id: 'futures.myTrades',
    method: 'GET',
    path: '/fapi/v1/myTrades',
    area: 'futures',
    access: 'signed',
    rateLimit: futuresLimit('key'),
    request: z.strictObject({
      contractName,
      limit: limit('string', 1000, 'optional', 'Rows'),
      fromId: optional(ID_TEXT, 'long', 'Trade id to start from, inclusive'),
    }),
    answer: described(z.array(FUTURES_OWN_TRADE), 'list', 'Own executions'),
    listName: 'list',
    examples: {
      request: { contractName: 'E-BTC-USDT', fromId: '3921' },
      answer:
        '[{"symbol":"BTC-USDT","tradeId":3921,"bidId":2566092292056842280,"askId":2566092292056840007,"bidUserId":10001,"askUserId":10002,"price":64999.8,"qty":10,"amount":649.998,"time":1760000000456,"fee":0.389999,"side":"BUY","contractName":"E-BTC-USDT","isMaker":false,"isBuyer":true}]',
      familyAnswer:
        '[{"symbol":"BTC-USDT","tradeId":"3921","bidId":"2566092292056842280","askId":"2566092292056840007","bidUserId":10001,"askUserId":10002,"price":"64999.8","qty":"10","amount":"649.998","time":1760000000456,"fee":"0.389999","side":"BUY","contractName":"E-BTC-USDT","isMaker":false,"isBuyer":true}]',
    },
    doc: 'Reads own executions of a contract from an id on.',
  }),
  'futures.account': defineEndpoint({
    id: 'futures.account',
    method: 'GET',
    path: '/fapi/v1/account',
    area: 'futures',
    access: 'signed',
    rateLimit: futuresLimit('key'),
    request: z.strictObject({}),
    answer: FUTURES_ACCOUNT,
    examples: {
      request: {},
      ...FUTURES_ACCOUNT_EXAMPLES,
    },
    doc: 'Reads margin accounts and positions. An object by the interface, a list per margin coin on live servers (high confidence); once the whole answer came as a JSON text.',
  }),
} as const;
