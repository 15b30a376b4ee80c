import { z } from 'zod';
import { defineEndpoint } from '../endpoint.js';
import { described, familyField, field, optionalField } from '../json/fields.js';
import { SPOT_INTERVALS } from '../interval-names.js';
import { unstatedSpotLimit } from '../limits.js';
import { DEPTH, KLINE, SERVER_TIME, TICKER_FIELDS } from '../market-shapes.js';
import { recordList } from '../json/record-list.js';
import { KLINE_SPAN, limit, required, spotSymbol as symbol } from '../requests/request-fields.js';
import { AMOUNT, COUNT, INSTANT, PRICE, SYMBOL, TEXT } from '../json/scalars.js';
import { SIDE } from '../json/word-scalars.js';

/** One pair of the symbol list. Limits are additions of other deployments; minimum money is in quote. */
export const SPOT_SYMBOL = z.object({
  symbol: field(SYMBOL, 'string', 'Pair name; some deployments write it in lower case'),
  baseAsset: field(TEXT, 'string', 'Base currency'),
  quoteAsset: field(TEXT, 'string', 'Quote currency'),
  pricePrecision: field(COUNT, 'integer', 'Decimals of a price'),
  quantityPrecision: field(COUNT, 'integer', 'Decimals of a quantity'),
  limitVolumeMin: familyField(AMOUNT, 'float', 'Smallest quantity of a LIMIT order, base'),
  limitPriceMin: familyField(AMOUNT, 'float', 'Smallest price of a LIMIT order'),
  limitAmountMin: familyField(AMOUNT, 'float', 'Smallest money of a LIMIT order, quote'),
  marketBuyMin: familyField(AMOUNT, 'float', 'Smallest money of a MARKET BUY, quote'),
  marketSellMin: familyField(AMOUNT, 'float', 'Smallest quantity of a MARKET SELL, base'),
});

export const SPOT_TICKER = z.object({
  ...TICKER_FIELDS,
  open: optionalField(AMOUNT, 'float', 'Opening price, 24 hours ago; often missing'),
  buy: familyField(AMOUNT, 'float', 'Best bid'),
  sell: familyField(AMOUNT, 'float', 'Best ask'),
  amount: familyField(AMOUNT, 'float', 'Traded money of 24 hours, quote'),
  rose: familyField(TEXT, 'string', 'Change: a ratio on some deployments, percent on others'),
});

export const SPOT_TRADE = z.object({
  price: field(PRICE, 'float', 'Trade price'),
  time: field(INSTANT, 'long', 'UTC milliseconds'),
  qty: field(AMOUNT, 'float', 'Quantity, base'),
  side: field(SIDE, 'string', 'Direction of the taker: BUY or SELL'),
});

/** The seven public calls of the spot market. Their limits are not stated by the interface. */
export const SPOT_PUBLIC = {
  'spot.ping': defineEndpoint({
    id: 'spot.ping',
    method: 'GET',
    path: '/sapi/v1/ping',
    area: 'spot',
    access: 'public',
    rateLimit: unstatedSpotLimit('spot.ping', 'address'),
    request: z.strictObject({}),
    answer: z.unknown(),
    examples: { request: {}, answer: '{}' },
    doc: 'Tests the connection. The body is not shown by the interface; live servers send an empty object (high confidence), any JSON passes.',
  }),
  'spot.time': defineEndpoint({
    id: 'spot.time',
    method: 'GET',
    path: '/sapi/v1/time',
    area: 'spot',
    access: 'public',
    rateLimit: unstatedSpotLimit('spot.time', 'address'),
    request: z.strictObject({}),
    answer: SERVER_TIME,
    examples: { request: {}, answer: '{"timezone":"GMT","serverTime":1760000000123}' },
    doc: 'Reads the server time.',
  }),
  'spot.symbols': defineEndpoint({
    id: 'spot.symbols',
    method: 'GET',
    path: '/sapi/v1/symbols',
    area: 'spot',
    access: 'public',
    rateLimit: unstatedSpotLimit('spot.symbols', 'address'),
    request: z.strictObject({}),
    answer: recordList(SPOT_SYMBOL, 'Pairs'),
    listName: 'symbols',
    examples: {
      request: {},
      answer:
        '[{"symbol":"BTCUSDT","baseAsset":"BTC","quoteAsset":"USDT","pricePrecision":2,"quantityPrecision":5}]',
      familyAnswer:
        '{"symbols":[{"symbol":"btcusdt","baseAsset":"BTC","quoteAsset":"USDT","pricePrecision":2,"quantityPrecision":5,"limitVolumeMin":"0.00001","limitPriceMin":"0.01","limitAmountMin":"5","marketBuyMin":"5","marketSellMin":"0.00001"}]}',
    },
    doc: 'Lists the pairs with their precisions. Other deployments wrap the list in `symbols` and add minima (high confidence).',
  }),
  'spot.depth': defineEndpoint({
    id: 'spot.depth',
    method: 'GET',
    path: '/sapi/v1/depth',
    area: 'spot',
    access: 'public',
    rateLimit: unstatedSpotLimit('spot.depth', 'address'),
    request: z.strictObject({
      symbol,
      limit: limit('integer', 100, 'interface', 'Most levels per side'),
    }),
    answer: DEPTH,
    examples: {
      request: { symbol: 'BTCUSDT', limit: 2 },
      answer:
        '{"time":1760000000123,"bids":[[65000.1,0.5],[64999.9,1.25]],"asks":[[65000.3,0.4],[65000.9,2]]}',
      familyAnswer:
        '{"time":1760000000123,"bids":[["65000.1","0.5","0.5"],["64999.9","1.25","1.75"]],"asks":[["65000.3","0.4","0.4"],["65000.9","2","2.4"]]}',
    },
    doc: 'Reads the order book. Other deployments send texts and further columns (high confidence).',
  }),
  'spot.ticker': defineEndpoint({
    id: 'spot.ticker',
    method: 'GET',
    path: '/sapi/v1/ticker',
    area: 'spot',
    access: 'public',
    rateLimit: unstatedSpotLimit('spot.ticker', 'address'),
    request: z.strictObject({ symbol }),
    answer: SPOT_TICKER,
    examples: {
      request: { symbol: 'BTCUSDT' },
      answer:
        '{"time":1760000000123,"high":66000,"low":64000,"last":65000.2,"vol":1234.56789,"open":64500}',
      familyAnswer:
        '{"time":1760000000123,"high":"66000","low":"64000","last":"65000.2","vol":"1234.56789","open":"64500","buy":"65000.1","sell":"65000.3","amount":"80246912.85","rose":"0.00775503"}',
    },
    doc: 'Reads the figures of the last 24 hours. `rose` of other deployments differs in unit and is not used.',
  }),
  'spot.trades': defineEndpoint({
    id: 'spot.trades',
    method: 'GET',
    path: '/sapi/v1/trades',
    area: 'spot',
    access: 'public',
    rateLimit: unstatedSpotLimit('spot.trades', 'address'),
    request: z.strictObject({ symbol, limit: limit('string', 1000, 'interface') }),
    answer: described(z.array(SPOT_TRADE), 'list', 'Recent trades'),
    listName: 'list',
    examples: {
      request: { symbol: 'BTCUSDT', limit: 1 },
      answer: '[{"price":65000.2,"time":1760000000100,"qty":0.012,"side":"BUY"}]',
      familyAnswer: '[{"price":"65000.2","time":1760000000100,"qty":"0.012","side":"buy"}]',
    },
    doc: 'Reads recent prints. Other deployments wrap them in `list` and write the side in lower case (high confidence).',
  }),
  'spot.klines': defineEndpoint({
    id: 'spot.klines',
    method: 'GET',
    path: '/sapi/v1/klines',
    area: 'spot',
    access: 'public',
    rateLimit: unstatedSpotLimit('spot.klines', 'address'),
    request: z.strictObject({
      symbol,
      interval: required(z.enum(SPOT_INTERVALS), 'string', 'Length of a candle'),
      limit: limit('integer', 300, 'interface'),
      ...KLINE_SPAN,
    }),
    answer: described(z.array(KLINE), 'list', 'Candles'),
    listName: 'list',
    examples: {
      request: { symbol: 'BTCUSDT', interval: '60min', limit: 2 },
      answer:
        '[{"idx":1760000400000,"open":65000,"close":65000.2,"high":65100,"low":64990.5,"vol":12.5},{"idx":1759996800000,"open":64900,"close":65000,"high":65050,"low":64850,"vol":80.125}]',
      familyAnswer:
        '[{"idx":1760000400,"open":"65000","close":"65000.2","high":"65100","low":"64990.5","vol":"12.5"},{"idx":1759996800,"open":"64900","close":"65000","high":"65050","low":"64850","vol":"80.125"}]',
    },
    doc: 'Reads the newest candles. Order is not stated; documents show newest first (medium confidence), so none is assumed. The newest candle may still be open.',
  }),
} as const;
