/** Number of axis steps that a date label may cover. */
const DATE_STEPS = 2;

/** Labels of ticks in UTC: dates, or times if ticks are less than a day apart. */
export function timeTicks(ticks: readonly number[]): string[] {
  const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
  return ticks.map((tick, index) => {
    const text = new Date(tick).toISOString();
    if (step >= 27 * 86_400_000) return text.slice(0, 7);
    // The year goes on a second line: next to the first day it would overlap the second.
    if (step >= 86_400_000)
      return index === 0 || isNewYear(tick, ticks[index - 1])
        ? `${text.slice(5, 10)}\n${text.slice(0, 4)}`
        : text.slice(5, 10);
    // A date is wider than a step: below the first time it would overlap the date of a midnight near it.
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
