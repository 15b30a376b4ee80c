import { divideFixed, fixedToNumber, parseFixed, type Fixed } from '../../domain/index.js';
import type { CurvePoint } from './curve-returns.js';

/**
 * Return of a calendar month, or of a year if `month` is 0. Times are UTC; the return is from the first to the last point of the curve in that month or year.
 */
interface MonthReturn {
  readonly year: number;
  /** 1 to 12; 0 is the whole year. */
  readonly month: number;
  /** Null if the equity was not above 0 at the start. */
  readonly value: number | null;
}

/** Returns by month. The return of each whole year follows its months. The first and the last entry may cover a part of a month. */
export function monthlyReturns(curve: readonly CurvePoint[]): readonly MonthReturn[] {
  const returns: MonthReturn[] = [];
  const [first] = curve;
  if (first === undefined) return returns;
  let monthStart = parseFixed(first[1]);
  let yearStart = monthStart;
  let current = calendarOf(first[0]);
  let equity = monthStart;
  const endMonth = (): void => {
    returns.push({ ...current, value: growth(monthStart, equity) });
    monthStart = equity;
  };
  const endYear = (): void => {
    returns.push({ year: current.year, month: 0, value: growth(yearStart, equity) });
    yearStart = equity;
  };
  for (const [time, text] of curve.slice(1)) {
    // A point at midnight belongs to the day that ends there.
    const at = calendarOf(time - 1);
    if (at.month !== current.month || at.year !== current.year) {
      endMonth();
      if (at.year !== current.year) endYear();
      current = at;
    }
    equity = parseFixed(text);
  }
  endMonth();
  endYear();
  return returns;
}

function calendarOf(time: number): { readonly year: number; readonly month: number } {
  const date = new Date(time);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}

function growth(before: Fixed, after: Fixed): number | null {
  return before <= 0n ? null : fixedToNumber(divideFixed(after - before, before));
}
