import { closeTimeOf, DAY_MS, floorToInterval, type EpochMs } from '../../../domain/index.js';
import type { DataSource, Dump, DumpSeries } from '../../../archive/index.js';

interface DumpRange {
  readonly from: EpochMs;
  /** Exclusive. */
  readonly to: EpochMs;
  readonly now: EpochMs;
}

/** A file to fetch, and the files that may replace it while it is not published. */
export interface PlannedDump extends Dump {
  /** Files of its days; empty if there are none, or if the month ended long ago. */
  readonly instead: readonly Dump[];
}

/** A month's file is published in the week after the month. Until this time after its end, the files of its days may replace it. */
export const MONTH_IS_LATE_MS = 14 * DAY_MS;

/**
 * Lists the files that together hold a range: of each past month its file, of the running month the files of its days. If a source has no files of days, the
 * running month needs its file, too. Today has no file.
 */
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
