import type { TickWindow } from './tick-window.js';

/** Returns one sum per candle, oldest first, of a window with `parts` numbers per candle. Read it at once: the window overwrites it later. */
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
