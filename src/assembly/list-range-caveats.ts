import {
  closeTimeOf,
  floorToInterval,
  formatFixed,
  formatUtc,
  type EpochMs,
} from '../domain/index.js';
import { heldAtBreaks, type HoldingRecord } from '../report/index.js';
import type { Portfolio } from '../engine/index.js';
import type { GapRecorder } from './replay/gap-recorder.js';
import type { SeriesCursor } from './replay/series-cursor.js';

/** The candle series of an ended run, with its trades. */
interface CandleRanges {
  readonly cursors: readonly SeriesCursor[];
  /** The range for which candles are needed. */
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly gaps: GapRecorder;
  readonly portfolio: Portfolio;
  readonly record: HoldingRecord;
}

/** Lists the series that begin after the run's start or end before its end, with the position at that time. Gaps within a series are counted elsewhere. */
export function listRangeCaveats(ranges: CandleRanges): readonly string[] {
  const { cursors, from, to } = ranges;
  return [
    ...cursors.flatMap((cursor) => beginningOf(cursor, from)),
    ...cursors
      .filter((cursor) => cursor.end > 0 && closeAfterLast(cursor) <= to)
      .map((cursor) => describeEnd(cursor, ranges)),
  ];
}

function beginningOf({ instrumentId, interval, rows }: SeriesCursor, from: EpochMs): string[] {
  const containing = floorToInterval(from, interval);
  const wanted = containing < from ? closeTimeOf(containing, interval) : containing;
  const first = rows.openTime(0);
  if (first <= wanted) return [];
  return [
    `${instrumentId} ${interval}: no candles from ${formatUtc(wanted)} to ${formatUtc(first)}`,
  ];
}

function closeAfterLast(cursor: SeriesCursor): EpochMs {
  return closeTimeOf(cursor.closeTimeAt(cursor.end - 1), cursor.interval);
}

function describeEnd(cursor: SeriesCursor, { gaps, portfolio, record, to }: CandleRanges): string {
  const { instrumentId, interval, end } = cursor;
  const time = cursor.closeTimeAt(end - 1);
  const text = `${instrumentId} ${interval}: no candles from ${formatUtc(time)} to ${formatUtc(to)}, the end of the range`;
  if (!gaps.isDriving(cursor)) return text;
  const [held] = heldAtBreaks(record, [gaps.breakAfter(cursor, end - 1, portfolio)]);
  if (held === undefined || held.quantity === 0n) return `${text}; nothing was held of it`;
  const worth = `${formatFixed(held.money)} ${portfolio.equityCurrency}`;
  return `${text}; ${formatFixed(held.quantity)} were held of it, worth ${worth} at the last close`;
}
