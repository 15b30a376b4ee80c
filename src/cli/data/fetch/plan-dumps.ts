import { closeTimeOf, DAY_MS, floorToInterval, type EpochMs } from '../../../domain/index.js';
import type { DataSource, Dump, DumpSeries } from '../../../archive/index.js';

export interface DumpRange {
  readonly from: EpochMs;
  /** Exclusive. */
  readonly to: EpochMs;
  readonly now: EpochMs;
}

/** A file to fetch, and what may stand in its place while it is not published. */
export interface PlannedDump extends Dump {
  /** Files of its days; empty where there are none or the month is long over. */
  readonly instead: readonly Dump[];
}

/** Months are published in the week after they end; for a while longer their days are taken. */
export const MONTH_IS_LATE_MS = 14 * DAY_MS;

/** Files that together hold a range: those of months that are over, and of the days of the one that is not; that of the whole month where there are none of days. Today has none. */
export function planDumps(
  source: DataSource,
  series: DumpSeries,
  { from, to, now }: DumpRange,
): readonly PlannedDump[] {
  const planned: PlannedDump[] = [];
  const end = Math.min(to, floorToInterval(now, '1day'));
  for (let month = floorToInterval(from, '1month'); month < end;) {
    const next = closeTimeOf(month, '1month');
    const firstDay = Math.max(month, floorToInterval(from, '1day'));
    const hasDays = source.daily(series, firstDay) !== undefined;
    const days: Dump[] = [];
    for (let day = firstDay; day < Math.min(end, next); day += DAY_MS) {
      const dump = source.daily(series, day);
      if (dump !== undefined) days.push(dump);
    }
    if (next > now && hasDays) planned.push(...days.map((day) => ({ ...day, instead: [] })));
    else {
      const isRecent = now - next < MONTH_IS_LATE_MS;
      planned.push({ ...source.monthly(series, month), instead: isRecent ? days : [] });
    }
    month = next;
  }
  return planned;
}
