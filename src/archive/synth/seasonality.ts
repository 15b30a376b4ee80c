import { DAY_MS, HOUR_MS, type EpochMs } from '../../domain/index.js';

/**
 * Activity by UTC hour against the day's mean of 1: quiet before Europe wakes, busiest when Europe and America overlap.
 * Assumption: the shape of large crypto pairs, rounded; not fitted to any one of them.
 */
const ACTIVITY_BY_HOUR = [
  1.0, 0.95, 0.9, 0.8, 0.7, 0.7, 0.75, 0.85, 0.95, 1.0, 0.95, 0.95, 1.1, 1.4, 1.6, 1.55, 1.35, 1.2,
  1.1, 1.05, 1.0, 0.95, 0.8, 0.75,
] as const;
const MEAN_ACTIVITY = ACTIVITY_BY_HOUR.reduce((sum, value) => sum + value, 0) / 24;
const WEEKEND = 0.65;
/** 1970-01-03, the first Saturday of the epoch. */
const FIRST_SATURDAY = 2 * DAY_MS;

/** How busy the market is at an instant: about 1 in the mean of a working day, interpolated between full hours, less at weekends. */
export function activityAt(time: EpochMs): number {
  const hours = (((time % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS;
  const hour = Math.floor(hours);
  const before = ACTIVITY_BY_HOUR[hour] ?? MEAN_ACTIVITY;
  const after = ACTIVITY_BY_HOUR[(hour + 1) % 24] ?? MEAN_ACTIVITY;
  const ofDay = (before + (after - before) * (hours - hour)) / MEAN_ACTIVITY;
  const dayOfWeek = Math.floor((time - FIRST_SATURDAY) / DAY_MS) % 7;
  const isWeekend = (dayOfWeek + 7) % 7 < 2;
  return isWeekend ? ofDay * WEEKEND : ofDay;
}
