/**
 * From the text of an answer to domain values, step by step: medians over many runs, after a warm-up. Klines have short numbers,
 * own trades 19-digit ids, which is where the JSON parsers differ.
 */
import { parse as parseLossless } from 'lossless-json';

import { createInstrumentId } from '../../src/domain/index.js';
import {
  decodeKlines,
  decodeSpotTrade,
  ENDPOINTS,
  formatJson,
  JsonNumber,
  parseAnswer,
  parseJson,
} from '../../src/venue/wire/index.js';

const ROWS = 300;
const RUNS = 1_500;
const MINUTE = 60_000;
const START = 1_760_000_040_000;

const klines = ENDPOINTS['spot.klines'];
const trades = ENDPOINTS['spot.myTrades'];
const context = {
  instrumentId: createInstrumentId('spot', 'BTCUSDT'),
  interval: '1min',
  now: START + ROWS * MINUTE,
} as const;

/** Prices on a grid: sums of floats would grow digits no venue sends. */
function cents(base: number, row: number): number {
  return Math.round((base + row) * 100) / 100;
}

const klinesText = formatJson(
  Array.from({ length: ROWS }, (_, row) => ({
    idx: START - row * MINUTE,
    open: cents(65_000.12, row),
    close: cents(65_001.5, row),
    high: cents(65_010.75, row),
    low: cents(64_990.01, row),
    vol: cents(12.34, row),
  })),
);
const tradesText = formatJson(
  Array.from({ length: ROWS }, (_, row) => ({
    symbol: 'BTCUSDT',
    id: 6_137_967 + row,
    bidId: new JsonNumber(String(3_221_406_049_627_539_350n + BigInt(row))),
    askId: new JsonNumber(String(3_221_406_049_627_930_001n + BigInt(row))),
    price: cents(65_000.12, row),
    qty: 0.004,
    time: START + row,
    isBuyer: true,
    isMaker: false,
    feeCoin: 'BTC',
    fee: 0.000004,
  })),
);

/** What lossless-json needs to do the same: keeps a number of more than 15 digits as its text. */
function keepLongNumbers(text: string): number | string {
  return text.replace(/[-.]|[eE].*/g, '').length > 15 ? text : Number(text);
}

measure(`${String(ROWS)} klines: JSON.parse`, () => JSON.parse(klinesText) as unknown);
measure(`${String(ROWS)} klines: parseJson`, () => parseJson(klinesText));
measure(`${String(ROWS)} klines: lossless-json`, () =>
  parseLossless(klinesText, undefined, keepLongNumbers),
);
const parsedKlines = parseJson(klinesText);
measure(`${String(ROWS)} klines: validate`, () => parseAnswer(klines, parsedKlines));
measure(`${String(ROWS)} klines: parse, validate, decode`, () =>
  decodeKlines(parseAnswer(klines, parseJson(klinesText)), context),
);
measure(`${String(ROWS)} trades: JSON.parse (loses ids)`, () => JSON.parse(tradesText) as unknown);
measure(`${String(ROWS)} trades: parseJson`, () => parseJson(tradesText));
measure(`${String(ROWS)} trades: lossless-json`, () =>
  parseLossless(tradesText, undefined, keepLongNumbers),
);
measure(`${String(ROWS)} trades: parse, validate, decode`, () =>
  parseAnswer(trades, parseJson(tradesText)).map((trade) => decodeSpotTrade(trade, 'spot')),
);

function measure(name: string, work: () => unknown): void {
  for (let run = 0; run < RUNS / 5; run += 1) work();
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    if (work() === undefined) throw new Error(`${name}: nothing came back`);
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const median = (times[RUNS >> 1] ?? Number.NaN) * 1_000;
  console.log(`${name.padEnd(44)} ${median.toFixed(0).padStart(6)} µs`);
}
