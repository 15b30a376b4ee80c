import type { CandleColumns } from '../domain/index.js';
import { FindingLog, type CandleCheck } from './check-candles.js';

/** In the worst hour known, mark and last of a large contract closed 2.5 % apart; beyond this one of them is another instrument. */
const LARGEST_DISTANCE = 0.1;

/**
 * Adds to the check of mark prices what candles of the same instrument and interval say: closes that lie more than 10 % from last.
 * That a mark price has no volume is no finding.
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
