import { floorToInterval, type CandleColumns, type Interval } from '../../domain/index.js';
import { findGaps, type CandleGap } from './gaps.js';

/** What a check can find, defects first. Gaps and minutes without trades are facts of markets, the others are damage. */
const FINDING_KINDS = [
  'unreadable',
  'unordered',
  'duplicate',
  'off-grid',
  'not-finite',
  'not-positive',
  'high-below-low',
  'open-outside',
  'close-outside',
  'off-minute',
  'out-of-range',
  'far-from-last',
  'long-gap',
  'gap',
  'zero-volume',
] as const;
type FindingKind = (typeof FINDING_KINDS)[number];

const NOTICES: readonly FindingKind[] = ['gap', 'zero-volume'];
const MOST_ROWS = 5;
const MOST_GAPS = 5;

/** How often one kind of finding occurred, and in which rows first. */
export interface Finding {
  readonly kind: FindingKind;
  /** Whether this kind makes the candles unfit. Gaps and candles without volume do not. */
  readonly isDefect: boolean;
  readonly count: number;
  /** The first rows, from 1; of a gap the row before it. */
  readonly rows: readonly number[];
}

export interface CheckOptions {
  /** Longest gap, in milliseconds, that is no defect. @defaultValue no gap is a defect */
  readonly maxGapMs?: number | undefined;
}

export interface CandleCheck {
  readonly rows: number;
  /** Kinds found at least once, in the order of {@link FINDING_KINDS}. */
  readonly findings: readonly Finding[];
  /** Candles absent in all gaps. */
  readonly missing: number;
  /** The longest gaps, longest first. */
  readonly longestGaps: readonly CandleGap[];
}

/**
 * Looks for everything that can be wrong with candles: rows out of order, times that come twice, times off the grid of the interval,
 * numbers that are not finite, prices not above 0 and volumes below 0, high below low, open or close outside high and low, gaps that
 * are too long; and for gaps and candles without volume.
 */
export function checkCandles(
  columns: CandleColumns,
  interval: Interval,
  { maxGapMs = Infinity }: CheckOptions = {},
): CandleCheck {
  const log = new FindingLog();
  const { openTime } = columns;
  const isInOrder = isOrdered(openTime);
  checkTimes(openTime, interval, { log, isInOrder });
  checkNumbers(columns, log);
  const gaps = findGaps(isInOrder ? openTime : openTime.slice().sort(), interval);
  for (const gap of gaps) {
    log.add('gap', gap.afterRow);
    if (gap.to - gap.from > maxGapMs) log.add('long-gap', gap.afterRow);
  }
  const longestGaps = [...gaps]
    .sort((a, b) => b.missing - a.missing || a.from - b.from)
    .slice(0, MOST_GAPS);
  return {
    rows: openTime.length,
    findings: log.findings,
    missing: gaps.reduce((sum, gap) => sum + gap.missing, 0),
    longestGaps,
  };
}

/** Whether a check found damage, other than gaps and candles without volume. */
export function hasDefects(check: CandleCheck): boolean {
  return check.findings.some((finding) => finding.isDefect);
}

/** Counts what was found, and keeps the first rows of each kind. */
export class FindingLog {
  readonly #counts = new Map<FindingKind, number>();
  readonly #rows = new Map<FindingKind, number[]>();

  add(kind: FindingKind, row: number): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    const rows = this.#rows.get(kind) ?? [];
    this.#rows.set(kind, rows);
    if (rows.length < MOST_ROWS) rows.push(row);
  }

  get findings(): readonly Finding[] {
    return FINDING_KINDS.filter((kind) => this.#counts.has(kind)).map((kind) => ({
      kind,
      isDefect: !NOTICES.includes(kind),
      count: this.#counts.get(kind) ?? 0,
      rows: this.#rows.get(kind) ?? [],
    }));
  }
}

function checkTimes(
  openTime: Float64Array,
  interval: Interval,
  { log, isInOrder }: { readonly log: FindingLog; readonly isInOrder: boolean },
): void {
  // Among rows out of order an equal time may lie far away.
  const seen = isInOrder ? undefined : new Set<number>();
  let latest = -Infinity;
  for (let index = 0; index < openTime.length; index += 1) {
    const time = openTime[index] ?? Number.NaN;
    const row = index + 1;
    if (!Number.isFinite(time)) log.add('not-finite', row);
    else if (floorToInterval(time, interval) !== time) log.add('off-grid', row);
    if (seen === undefined ? time === latest : seen.has(time)) log.add('duplicate', row);
    if (time < latest) log.add('unordered', row);
    else latest = time;
    seen?.add(time);
  }
}

function isOrdered(openTime: Float64Array): boolean {
  let previous = -Infinity;
  for (let index = 0; index < openTime.length; index += 1) {
    const time = openTime[index] ?? Number.NaN;
    if (!(time >= previous)) return false;
    previous = time;
  }
  return true;
}

function checkNumbers({ open, high, low, close, volume }: CandleColumns, log: FindingLog): void {
  for (let index = 0; index < open.length; index += 1) {
    const row = index + 1;
    const first = open[index] ?? Number.NaN;
    const highest = high[index] ?? Number.NaN;
    const lowest = low[index] ?? Number.NaN;
    const last = close[index] ?? Number.NaN;
    const amount = volume[index] ?? Number.NaN;
    if (!Number.isFinite(first + highest + lowest + last + amount)) {
      log.add('not-finite', row);
      continue;
    }
    if (!(Math.min(first, highest, lowest, last) > 0) || amount < 0) log.add('not-positive', row);
    if (highest < lowest) log.add('high-below-low', row);
    else {
      if (first > highest || first < lowest) log.add('open-outside', row);
      if (last > highest || last < lowest) log.add('close-outside', row);
    }
    if (amount === 0) log.add('zero-volume', row);
  }
}
