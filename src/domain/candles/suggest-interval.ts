import { suggestWord } from '../suggestion.js';

/** Units of intervals as other programs write them. */
const UNITS: Readonly<Record<string, string>> = {
  m: 'min',
  minute: 'min',
  minutes: 'min',
  H: 'h',
  hour: 'h',
  hours: 'h',
  d: 'day',
  D: 'day',
  days: 'day',
  w: 'week',
  W: 'week',
  weeks: 'week',
  M: 'month',
  mo: 'month',
  mon: 'month',
  months: 'month',
};

/** The same length in another unit. */
const EQUALS: Readonly<Record<string, string>> = {
  '60min': '1h',
  '120min': '2h',
  '240min': '4h',
  '24h': '1day',
  '1440min': '1day',
  '7day': '1week',
};

/** Finds the interval that was probably meant: the same interval in the notation of other programs, otherwise the nearest word. */
export function suggestInterval(word: string, intervals: readonly string[]): string | undefined {
  const [, count = '', unit = ''] = /^(\d+) ?([A-Za-z]+)$/.exec(word) ?? [];
  const name = `${count}${UNITS[unit] ?? unit}`;
  const meant = EQUALS[name] ?? name;
  if (intervals.includes(meant)) return meant;
  // "7min" is spelled correctly, but there is no such interval.
  if (/^\d+(?:min|h|day|week|month)$/.test(name)) return undefined;
  return suggestWord(word, intervals);
}
