/** A smaller number counts as seconds: as milliseconds it would be in 1973 or before. */
export const LEAST_MILLISECONDS = 1e11;

/** Units of time in files, each with the smallest number that counts as this unit. */
const UNITS = [
  { name: 'nanoseconds', least: 1e17, perMs: 1e6 },
  { name: 'microseconds', least: 1e14, perMs: 1e3 },
  { name: 'milliseconds', least: LEAST_MILLISECONDS, perMs: 1 },
  { name: 'seconds', least: -Infinity, perMs: 1e-3 },
] as const;
type Unit = (typeof UNITS)[number];

const ISO_TIME =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>Z|UTC|[+-]\d{2}:?\d{2})?)?$/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
const DAY_LENGTH = '2025-01-01'.length;
const EXPECTED = 'a time in seconds, milliseconds, microseconds or nanoseconds, or as ISO 8601';

/**
 * Reads the times of one file. The unit of numbers follows from the size of the first one (seconds below 10^11, which they reach in
 * the year 5138) and must not change within a file.
 */
export class TimeParser {
  readonly #assumeUtc: boolean;
  #unit: Unit | undefined;
  #kind: 'ISO 8601' | 'timestamps' = 'ISO 8601';

  constructor({ assumeUtc }: { readonly assumeUtc: boolean }) {
    this.#assumeUtc = assumeUtc;
  }

  /** How the file writes time: the unit of its numbers, `ISO 8601` or `timestamps`. */
  get format(): string {
    return this.#unit?.name ?? this.#kind;
  }

  /** Reads a timestamp of a binary format as UTC milliseconds, or says what is wrong with it. */
  fromTimestamp(time: Date): number | string {
    this.#kind = 'timestamps';
    const value = time.getTime();
    return Number.isNaN(value) ? 'expected a time, received an invalid one' : value;
  }

  /** Reads a time as UTC milliseconds, or says what is wrong with it. */
  parse(text: string): number | string {
    if (NUMBER.test(text)) return this.fromNumber(Number(text));
    const match = ISO_TIME.exec(text);
    if (match === null) return `expected ${EXPECTED}, received "${text.slice(0, 40)}"`;
    const isDate = text.length === DAY_LENGTH;
    const zone = match.groups?.['zone'];
    if (zone === undefined && !isDate && !this.#assumeUtc) {
      return `expected a time with a zone, received "${text.slice(0, 40)}"; pass --utc if the file's times are UTC`;
    }
    const local = isDate
      ? text
      : text.slice(0, text.length - (zone?.length ?? 0)).replace(' ', 'T');
    const time = Date.parse(isDate ? text : `${local}${zone === 'UTC' ? 'Z' : (zone ?? 'Z')}`);
    const isRefused = Number.isNaN(time) || !isDay(text.slice(0, DAY_LENGTH));
    return isRefused ? `expected ${EXPECTED}, received "${text.slice(0, 40)}"` : time;
  }

  /** Reads a number of the file's unit as UTC milliseconds, or says what is wrong with it. */
  fromNumber(value: number): number | string {
    if (!Number.isFinite(value)) return `expected ${EXPECTED}, received ${String(value)}`;
    const unit = UNITS.find(({ least }) => value >= least);
    this.#unit ??= unit;
    if (unit === undefined || unit !== this.#unit) {
      return `expected a time in ${this.#unit?.name ?? 'one unit'} as in the previous rows, received ${String(value)}`;
    }
    // Multiplying by 1000 keeps whole seconds whole; a double holds a present time in nanoseconds only to about 256.
    if (unit.name === 'seconds') return value * 1_000;
    return unit.name === 'nanoseconds' ? Math.round(value / unit.perMs) : value / unit.perMs;
  }
}

/** Whether a day such as 2025-06-01 exists. `Date.parse` takes 30 February for 1 or 2 March. */
function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
