import type { TickWindow } from './tick-window.js';

/** Adds up the numbers of each candle: of a window that was given `parts` of each, one sum per candle, oldest first. To be read at once. */
export function candleSums(window: TickWindow, parts: number): Float64Array {
  const values = window.values();
  if (parts === 1) return values;
  const candles = values.length / parts;
  for (let candle = 0; candle < candles; candle += 1) {
    let sum = 0;
    for (let part = 0; part < parts; part += 1) sum += values[candle * parts + part] as number;
    values[candle] = sum;
  }
  return values.subarray(0, candles);
}
