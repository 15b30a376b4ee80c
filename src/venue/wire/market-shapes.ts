import { z } from 'zod';
import { described, field, optionalField } from './json/fields.js';
import { AMOUNT, FLOAT, INSTANT, PRICE, TEXT } from './json/scalars.js';

/** Server time of both hosts: `{"timezone":"GMT","serverTime":1760000000000}`. The zone is a display name and not used. */
export const SERVER_TIME = z.object({
  timezone: optionalField(TEXT, 'string', 'Server time zone, a display name'),
  serverTime: field(INSTANT, 'long', 'Server time, UTC milliseconds'),
});

/**
 * One candlestick: `{"idx":1760000000000,"open":100,"close":101,"high":102,"low":99,"vol":12.5}`. Old servers send `idx` in seconds.
 */
export const KLINE = z.object({
  idx: field(INSTANT, 'long', 'Start, UTC milliseconds'),
  open: field(FLOAT, 'float', 'Opening price'),
  close: field(FLOAT, 'float', 'Closing price'),
  high: field(FLOAT, 'float', 'Highest price'),
  low: field(FLOAT, 'float', 'Lowest price'),
  vol: field(FLOAT, 'float', 'Volume: base on spot, contracts on futures'),
});

/**
 * One level of a book, `[price, quantity]`. Further columns are ignored: some deployments add cumulated quantities.
 * Source: live answers of the family, confidence high.
 */
const LEVEL = z.tuple(
  [field(PRICE, 'float', 'Price'), field(AMOUNT, 'float', 'Quantity at that price')],
  z.unknown(),
);

/** Order book: `{"time":1760000000000,"bids":[[100.5,2]],"asks":[[100.6,1]]}`. Futures answers may say `"time":null`. */
export const DEPTH = z.object({
  time: optionalField(INSTANT, 'long', 'Current time, UTC milliseconds'),
  bids: described(z.array(LEVEL), 'list', 'Buy side, best price first'),
  asks: described(z.array(LEVEL), 'list', 'Sell side, best price first'),
});

/** Fields both tickers share. */
export const TICKER_FIELDS = {
  time: field(INSTANT, 'long', 'Timestamp'),
  high: field(AMOUNT, 'float', 'Highest price of 24 hours'),
  low: field(AMOUNT, 'float', 'Lowest price of 24 hours'),
  last: field(PRICE, 'float', 'Latest price'),
  vol: field(AMOUNT, 'float', 'Volume of 24 hours: base on spot, contracts on futures'),
} as const;
