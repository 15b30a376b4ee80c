/** Steps of an axis that a date may cover. */
const DATE_STEPS = 2;

/** Ticks in UTC: dates, and times where they are less than a day apart. */
export function timeTicks(ticks: readonly number[]): string[] {
  const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
  return ticks.map((tick, index) => {
    const text = new Date(tick).toISOString();
    if (step >= 27 * 86_400_000) return text.slice(0, 7);
    // The year stands beneath: beside the first day it would reach into the second.
    if (step >= 86_400_000)
      return index === 0 || isNewYear(tick, ticks[index - 1])
        ? `${text.slice(5, 10)}\n${text.slice(0, 4)}`
        : text.slice(5, 10);
    // A date is wider than the step: beneath the first time it would reach into that of a midnight near it.
    const isDated =
      isMidnight(tick) || (index === 0 && !ticks.slice(1, 1 + DATE_STEPS).some(isMidnight));
    return isDated
      ? `${text.slice(11, 16)}\n${text.slice(0, 10)}`
      : text.slice(11, step < 60_000 ? 19 : 16);
  });
}

function isMidnight(tick: number): boolean {
  return tick % 86_400_000 === 0;
}

function isNewYear(tick: number, before = tick): boolean {
  return new Date(tick).getUTCFullYear() !== new Date(before).getUTCFullYear();
}
