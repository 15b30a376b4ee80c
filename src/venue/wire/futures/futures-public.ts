import { z } from 'zod';
import { defineEndpoint } from '../endpoint.js';
import { described, familyField, field, optionalField } from '../json/fields.js';
import { FUTURES_INTERVALS } from '../interval-names.js';
import { futuresLimit } from '../limits.js';
import { DEPTH, KLINE, SERVER_TIME, TICKER_FIELDS } from '../market-shapes.js';
import { recordList } from '../json/record-list.js';
import { contractName, KLINE_SPAN, limit, needed } from '../requests/request-fields.js';
import { AMOUNT, COUNT, DECIMAL, ID, INSTANT, PRICE, SYMBOL, TEXT } from '../json/scalars.js';

/** One contract. Quantities in contracts, money in quote. */
export const CONTRACT = z.object({
  symbol: field(SYMBOL, 'string', 'Contract name'),
  status: field(COUNT, 'number', '0 not tradable, 1 tradable'),
  type: field(TEXT, 'string', 'E perpetual, S simulated, anything else mixed'),
  side: field(COUNT, 'number', '0 inverse, 1 linear'),
  multiplier: field(AMOUNT, 'number', 'Face value of one contract'),
  multiplierCoin: field(TEXT, 'string', 'Unit of the face value'),
  pricePrecision: field(COUNT, 'number', 'Decimals of a price'),
  minOrderVolume: optionalField(AMOUNT, 'number', 'Smallest order, contracts'),
  minOrderMoney: optionalField(AMOUNT, 'number', 'Smallest order, money'),
  maxMarketVolume: optionalField(AMOUNT, 'number', 'Largest MARKET order, contracts'),
  maxMarketMoney: optionalField(AMOUNT, 'number', 'Largest MARKET order, money'),
  maxLimitVolume: optionalField(AMOUNT, 'number', 'Largest LIMIT order, contracts'),
  maxValidOrder: optionalField(COUNT, 'number', 'Most working orders'),
  maxLimitMoney: familyField(AMOUNT, 'number', 'Largest LIMIT order, money'),
  marginCoin: familyField(TEXT, 'string', 'Margin currency'),
  contractId: familyField(ID, 'integer', 'Number of the contract'),
});

export const FUTURES_TICKER = z.object({
  ...TICKER_FIELDS,
  rose: optionalField(TEXT, 'string', 'Change as signed text; its unit differs, so it is not used'),
  buy: familyField(AMOUNT, 'float', 'Best bid'),
  sell: familyField(AMOUNT, 'float', 'Best ask'),
});

/**
 * Index and mark price. Live deployments write `tagPrice`, `currentFundRate` and `nextFundRate` and leave out the contract's name
 * (high confidence); either spelling of the mark is needed.
 */
export const INDEX = z
  .object({
    indexPrice: field(AMOUNT, 'float', 'Index price'),
    markPrice: optionalField(PRICE, 'float', 'Mark price'),
    contractName: optionalField(SYMBOL, 'string', 'Contract name'),
    lastFundingRate: optionalField(DECIMAL, 'float', 'Funding rate of the current period'),
    tagPrice: familyField(PRICE, 'float', 'Mark price'),
    currentFundRate: familyField(DECIMAL, 'float', 'Funding rate of the current period'),
    nextFundRate: familyField(DECIMAL, 'float', 'Running estimate of the next rate'),
    time: familyField(INSTANT, 'long', 'Timestamp'),
  })
  .transform(({ markPrice, tagPrice, ...rest }, context) => {
    const mark = markPrice ?? tagPrice;
    if (mark !== undefined) return { ...rest, markPrice: mark };
    context.issues.push({
      code: 'custom',
      message: PRICE.expected,
      path: ['markPrice'],
      input: undefined,
    });
    return z.NEVER;
  });

/** The seven public calls of the futures market. */
export const FUTURES_PUBLIC = {
  'futures.ping': defineEndpoint({
    id: 'futures.ping',
    method: 'GET',
    path: '/fapi/v1/ping',
    area: 'futures',
    access: 'public',
    rateLimit: futuresLimit('address'),
    request: z.strictObject({}),
    answer: z.unknown(),
    examples: { request: {}, answer: '{}' },
    doc: 'Tests the connection. The body is not shown by the interface; live servers send an empty object (high confidence), any JSON passes.',
  }),
  'futures.time': defineEndpoint({
    id: 'futures.time',
    method: 'GET',
    path: '/fapi/v1/time',
    area: 'futures',
    access: 'public',
    rateLimit: futuresLimit('address'),
    request: z.strictObject({}),
    answer: SERVER_TIME,
    examples: { request: {}, answer: '{"serverTime":1760000000123,"timezone":"GMT"}' },
    doc: 'Reads the server time.',
  }),
  'futures.contracts': defineEndpoint({
    id: 'futures.contracts',
    method: 'GET',
    path: '/fapi/v1/contracts',
    area: 'futures',
    access: 'public',
    rateLimit: futuresLimit('address'),
    request: z.strictObject({}),
    answer: recordList(CONTRACT, 'Contracts'),
    listName: 'list',
    examples: {
      request: {},
      answer:
        '[{"symbol":"E-BTC-USDT","status":1,"type":"E","side":1,"multiplier":0.001,"multiplierCoin":"BTC","pricePrecision":1,"minOrderVolume":1,"minOrderMoney":1,"maxMarketVolume":20000,"maxMarketMoney":10000000,"maxLimitVolume":50000,"maxValidOrder":50}]',
      familyAnswer:
        '[{"symbol":"E-BTC-USDT","status":1,"type":"E","side":1,"multiplier":"0.001","multiplierCoin":"BTC","pricePrecision":1,"minOrderVolume":1,"minOrderMoney":"1","maxMarketVolume":20000,"maxMarketMoney":"10000000","maxLimitVolume":50000,"maxValidOrder":50,"maxLimitMoney":"20000000","marginCoin":"USDT","contractId":1}]',
    },
    doc: 'Lists the contracts with their limits.',
  }),
  'futures.depth': defineEndpoint({
    id: 'futures.depth',
    method: 'GET',
    path: '/fapi/v1/depth',
    area: 'futures',
    access: 'public',
    rateLimit: futuresLimit('address'),
    request: z.strictObject({
      contractName,
      limit: limit('integer', 100, 'optional', 'Most levels per side'),
    }),
    answer: DEPTH,
    examples: {
      request: { contractName: 'E-BTC-USDT', limit: 1 },
      answer: '{"time":1760000000123,"bids":[[65000.1,120]],"asks":[[65000.3,85]]}',
      familyAnswer: '{"time":null,"bids":[["65000.1",120,120]],"asks":[["65000.3",85,85]]}',
    },
    doc: 'Reads the order book; quantities in contracts. Live servers clamp a larger limit silently and may send a null time (high confidence).',
  }),
  'futures.ticker': defineEndpoint({
    id: 'futures.ticker',
    method: 'GET',
    path: '/fapi/v1/ticker',
    area: 'futures',
    access: 'public',
    rateLimit: futuresLimit('address'),
    request: z.strictObject({ contractName }),
    answer: FUTURES_TICKER,
    examples: {
      request: { contractName: 'E-BTC-USDT' },
      answer:
        '{"time":1760000000123,"high":66000,"low":64000,"last":65000.2,"vol":1234567,"rose":"+0.0077"}',
      familyAnswer:
        '{"time":1760000000123,"high":"66000","low":"64000","last":"65000.2","vol":"1234567","rose":"+0.0077","buy":"65000.1","sell":"65000.3"}',
    },
    doc: 'Reads the figures of the last 24 hours; volume in contracts (live answers, high confidence).',
  }),
  'futures.index': defineEndpoint({
    id: 'futures.index',
    method: 'GET',
    path: '/fapi/v1/index',
    area: 'futures',
    access: 'public',
    rateLimit: futuresLimit('address'),
    request: z.strictObject({ contractName, limit: limit('string', 1000, 'optional') }),
    answer: INDEX,
    examples: {
      request: { contractName: 'E-BTC-USDT' },
      answer:
        '{"indexPrice":65001.5,"markPrice":65000.9,"contractName":"E-BTC-USDT","lastFundingRate":0.0001}',
      familyAnswer:
        '{"indexPrice":65001.5,"markPrice":65000.9,"contractName":"E-BTC-USDT","lastFundingRate":0.0001,"tagPrice":65000.9,"currentFundRate":0.0001,"nextFundRate":0.000125,"time":1760000000123}',
    },
    doc: 'Reads index price, mark price and funding rate.',
  }),
  'futures.klines': defineEndpoint({
    id: 'futures.klines',
    method: 'GET',
    path: '/fapi/v1/klines',
    area: 'futures',
    access: 'public',
    rateLimit: futuresLimit('address'),
    request: z.strictObject({
      contractName,
      interval: needed(z.enum(FUTURES_INTERVALS), 'string', 'Length of a candle'),
      limit: limit('integer', 300, 'optional'),
      ...KLINE_SPAN,
    }),
    answer: described(z.array(KLINE), 'list', 'Candles'),
    listName: 'list',
    examples: {
      request: { contractName: 'E-BTC-USDT', interval: '1h', limit: 1 },
      answer:
        '[{"idx":1760000400000,"open":65000,"close":65000.2,"high":65100,"low":64990.5,"vol":12500}]',
      familyAnswer:
        '[{"idx":1760000400,"open":"65000","close":"65000.2","high":"65100","low":"64990.5","vol":"12500"}]',
    },
    doc: 'Reads the newest candles. Order is not stated; an empty list may also mean an interval that is not served (medium confidence).',
  }),
} as const;
