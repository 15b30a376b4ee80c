import type { PackedCandles } from '../page-data.js';

/** Candles by column. */
export interface Bars {
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly stepMs: number;
}

/** Reads what `packCandles` wrote. */
export function unpackCandles({
  base64,
  count,
  decimals,
  stepMs,
  unitMs = stepMs,
}: PackedCandles): Bars {
  const text = atob(base64);
  const scale = 10 ** decimals;
  const column = (): Float64Array => new Float64Array(count);
  const bars = { time: column(), open: column(), high: column(), low: column(), close: column() };
  let at = 0;
  const next = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = text.charCodeAt(at);
      at += 1;
      if (byte < 128) return value + byte * factor;
      value += (byte - 128) * factor;
      factor *= 128;
    }
  };
  const signed = (): number => {
    const value = next();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  };
  let [time, close] = [0, 0];
  for (let row = 0; row < count; row += 1) {
    time += next() * unitMs;
    const open = close + signed();
    close = open + signed();
    const high = Math.max(open, close) + signed();
    const low = Math.min(open, close) - signed();
    bars.time[row] = time;
    bars.open[row] = open / scale;
    bars.high[row] = high / scale;
    bars.low[row] = low / scale;
    bars.close[row] = close / scale;
  }
  return { ...bars, stepMs };
}

/** First row at or after a time. */
export function rowFrom(times: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
