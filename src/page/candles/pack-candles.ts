import { DAY_MS, MINUTE_MS } from '../../domain/index.js';
import type { PackedCandles } from '../page-data.js';

/** A candle to be packed. */
export interface PlainCandle {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

const MOST_DECIMALS = 18;

/**
 * Packs candles of one length, in order of time, as base64 of variable-length numbers (seven bits per byte). For each candle: the time since the open of the
 * candle before, in lengths or, if candles do not open at multiples of their length (weeks, months), in `unitMs`. Then, in units of the last decimal: open less
 * the close before, close less open, high less the higher of the two, and the lower of the two less low. Exact for prices of at most 18 decimals, if a float64
 * can count their units. `decimals` is the smallest exact number.
 */
export function packCandles(candles: readonly PlainCandle[], stepMs: number): PackedCandles {
  const decimals = decimalsOf(candles);
  const scale = 10 ** decimals;
  const units = (price: number): number => Math.round(price * scale);
  const unitMs = unitOf(candles, stepMs);
  const bytes: number[] = [];
  let time = 0;
  let close = 0;
  for (const candle of candles) {
    const [o, h, l, c] = [candle.open, candle.high, candle.low, candle.close].map(units) as [
      number,
      number,
      number,
      number,
    ];
    push(bytes, (candle.time - time) / unitMs);
    push(bytes, zigzag(o - close));
    push(bytes, zigzag(c - o));
    push(bytes, zigzag(h - Math.max(o, c)));
    push(bytes, zigzag(Math.min(o, c) - l));
    time = candle.time;
    close = c;
  }
  return {
    stepMs,
    ...(unitMs !== stepMs && { unitMs }),
    count: candles.length,
    decimals,
    base64: Buffer.from(bytes).toString('base64'),
  };
}

/** Longest of a few units that divides every time. */
function unitOf(candles: readonly PlainCandle[], stepMs: number): number {
  return (
    [stepMs, DAY_MS, MINUTE_MS].find((unit) => candles.every(({ time }) => time % unit === 0)) ?? 1
  );
}

function decimalsOf(candles: readonly PlainCandle[]): number {
  const highest = candles.reduce((most, { high }) => Math.max(most, high), 0);
  const most = countableDecimals(highest);
  let decimals = 0;
  for (const { open, high, low, close } of candles)
    for (const price of [open, high, low, close])
      while (decimals < most && !isOnGrid(price, decimals)) decimals += 1;
  return decimals;
}

/** Most decimals whose units a float64 can count up to a price. */
function countableDecimals(price: number): number {
  let decimals = MOST_DECIMALS;
  while (decimals > 0 && price * 10 ** decimals > Number.MAX_SAFE_INTEGER) decimals -= 1;
  return decimals;
}

function isOnGrid(price: number, decimals: number): boolean {
  const scale = 10 ** decimals;
  return Math.round(price * scale) / scale === price;
}

/** Maps numbers near 0 to small numbers: 0, −1, 1, −2 become 0, 1, 2, 3. */
function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** Without bit operations: they have 32 bits, too few for prices in units of a late decimal. */
function push(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}
