import type { CandleColumns } from '../../domain/index.js';
import { FindingLog, type CandleCheck } from './check-candles.js';

/** In the worst hour known, mark and last of a large contract closed 2.5 % apart. Beyond 10 %, one of them belongs to another instrument. */
const LARGEST_DISTANCE = 0.1;

/**
 * Adds a finding to the check of mark prices: closes more than 10 % away from the close of the candle of the same instrument and
 * interval. Drops the finding `zero-volume`, because no mark price has a volume.
 */
export function checkMarks(
  check: CandleCheck,
  marks: CandleColumns,
  candles: CandleColumns | undefined,
): CandleCheck {
  const log = new FindingLog();
  let candle = 0;
  for (const [row, time] of marks.openTime.entries()) {
    if (candles === undefined) break;
    while ((candles.openTime[candle] ?? Infinity) < time) candle += 1;
    if (candles.openTime[candle] !== time) continue;
    const distance = (marks.close[row] ?? Number.NaN) / (candles.close[candle] ?? Number.NaN) - 1;
    if (Math.abs(distance) > LARGEST_DISTANCE) log.add('far-from-last', row + 1);
  }
  const own = check.findings.filter(({ kind }) => kind !== 'zero-volume');
  return { ...check, findings: [...log.findings, ...own] };
}
