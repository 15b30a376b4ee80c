/**
 * From the text of an answer of 300 rows to domain values, step by step. Klines have short numbers, own trades 19-digit ids, which is where the JSON parsers
 * differ.
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
import { measure, nanosecondsEach, type Case } from './measure.js';

const ROWS = 300;
const RUNS = 100;
const MINUTE = 60_000;
const START = 1_760_000_040_000;

const klines = ENDPOINTS['spot.klines'];
const trades = ENDPOINTS['spot.myTrades'];
const context = {
  instrumentId: createInstrumentId('spot', 'BTCUSDT'),
  interval: '1min',
  now: START + ROWS * MINUTE,
} as const;

/** Prices on a grid: sums of floats would have more digits than any venue sends. */
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

/** The number parser that lossless-json needs for the same result: it keeps a number of more than 15 digits as its text. */
function keepLongNumbers(text: string): number | string {
  return text.replace(/[-.]|[eE].*/g, '').length > 15 ? text : Number(text);
}

const parsedKlines = parseJson(klinesText);
await measure(
  [
    aStep('klines: JSON.parse', () => JSON.parse(klinesText) as unknown),
    aStep('klines: parseJson', () => parseJson(klinesText), 'klines: JSON.parse'),
    aStep('klines: lossless-json', () => parseLossless(klinesText, undefined, keepLongNumbers)),
    aStep('klines: validate', () => parseAnswer(klines, parsedKlines)),
    aStep(
      'klines: parse, validate, decode',
      () => decodeKlines(parseAnswer(klines, parseJson(klinesText)), context),
      'klines: JSON.parse',
    ),
    aStep('trades: JSON.parse (loses ids)', () => JSON.parse(tradesText) as unknown),
    aStep('trades: parseJson', () => parseJson(tradesText), 'trades: JSON.parse (loses ids)'),
    aStep('trades: lossless-json', () => parseLossless(tradesText, undefined, keepLongNumbers)),
    aStep(
      'trades: parse, validate, decode',
      () =>
        parseAnswer(trades, parseJson(tradesText)).map((trade) => decodeSpotTrade(trade, 'spot')),
      'trades: JSON.parse (loses ids)',
    ),
  ],
  { rounds: 15, warmups: 3 },
);

function aStep(name: string, work: () => unknown, reference?: string): Case {
  const run = (): number =>
    nanosecondsEach(RUNS, () => {
      if (work() === undefined) throw new Error(`${name}: nothing came back`);
    }) / 1_000;
  return { name, unit: 'µs', better: 'less', reference, run };
}
