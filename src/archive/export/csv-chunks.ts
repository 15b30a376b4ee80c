import type { CandleColumns } from '../../domain/index.js';

const HEADER = 'time_ms,open,high,low,close,volume\n';
const ROWS_PER_CHUNK = 16_384;

/** Writes candles as CSV, piece by piece: times in UTC milliseconds, numbers with the fewest digits that give the same float64. */
export function* csvChunks(columns: CandleColumns): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(HEADER);
  const { openTime, open, high, low, close, volume } = columns;
  for (let start = 0; start < openTime.length; start += ROWS_PER_CHUNK) {
    const end = Math.min(openTime.length, start + ROWS_PER_CHUNK);
    let text = '';
    for (let row = start; row < end; row += 1) {
      text += `${String(openTime[row])},${String(open[row])},${String(high[row])},${String(low[row])},${String(close[row])},${String(volume[row])}\n`;
    }
    yield encoder.encode(text);
  }
}
