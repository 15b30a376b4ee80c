import type { FileColumn } from '../columns/columns.js';

const ROWS_PER_CHUNK = 16_384;

/** Writes columns as CSV, piece by piece: times in UTC milliseconds, numbers with the fewest digits that give the same float64. */
export function* csvChunks(columns: readonly FileColumn[]): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  const names = columns.map(({ name, kind }) => (kind === 'time' ? 'time_ms' : name));
  yield encoder.encode(`${names.join(',')}\n`);
  const rows = columns[0]?.values.length ?? 0;
  for (let start = 0; start < rows; start += ROWS_PER_CHUNK) {
    const end = Math.min(rows, start + ROWS_PER_CHUNK);
    let text = '';
    for (let row = start; row < end; row += 1) {
      let separator = '';
      for (const { values } of columns) {
        text += `${separator}${String(values[row])}`;
        separator = ',';
      }
      text += '\n';
    }
    yield encoder.encode(text);
  }
}
