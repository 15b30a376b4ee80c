import type { EpochMs } from '../domain/index.js';

/** What parity compares: each thing a run learned or did, in the order in which its engine did, as named texts. */
export interface ParityTrace {
  readonly candles: readonly TraceEntry[];
  readonly refusals: readonly TraceEntry[];
  readonly orders: readonly TraceEntry[];
  readonly cancels: readonly TraceEntry[];
  readonly fills: readonly TraceEntry[];
  readonly worked: readonly TraceEntry[];
  readonly balances: readonly TraceEntry[];
}

export interface TraceEntry {
  /** When it was decided, or happened; for the order of differences. Infinity: at the end. */
  readonly time: EpochMs;
  readonly fields: Readonly<Record<string, string>>;
}

/** Of differences at one instant the first of these is told: it may be the cause of the others. */
export const PARITY_LISTS = [
  'candles',
  'refusals',
  'orders',
  'cancels',
  'fills',
  'worked',
  'balances',
] as const satisfies readonly (keyof ParityTrace)[];
export type ParityList = (typeof PARITY_LISTS)[number];

/** Where two runs differ first. */
export interface ParityDifference {
  readonly list: ParityList;
  /** Place in its list, from 0. */
  readonly index: number;
  readonly time: EpochMs;
  /** The first field that differs; undefined where one run has the entry and the other has not. */
  readonly field: string | undefined;
  readonly tested: TraceEntry | undefined;
  readonly live: TraceEntry | undefined;
  /** The entry before, which is equal in both; undefined at the start of the list. */
  readonly before: TraceEntry | undefined;
}

/** How a live run compares with its backtest. */
export interface ParityReport {
  /** Of the backtest. */
  readonly counts: Readonly<Record<ParityList, number>>;
  /** Entries that are equal, counted up to the first difference of each list. */
  readonly equal: Readonly<Record<ParityList, number>>;
  readonly difference: ParityDifference | undefined;
}

/** Compares two runs entry by entry. Of several differences the earliest is told: what comes after may follow from it. */
export function compareTraces(tested: ParityTrace, live: ParityTrace): ParityReport {
  const counts: Record<ParityList, number> = zeroes();
  const equal: Record<ParityList, number> = zeroes();
  let difference: ParityDifference | undefined;
  for (const list of PARITY_LISTS) {
    counts[list] = tested[list].length;
    const found = firstDifference(list, tested[list], live[list]);
    equal[list] = found?.index ?? tested[list].length;
    if (found !== undefined && (difference === undefined || found.time < difference.time))
      difference = found;
  }
  return { counts, equal, difference };
}

function zeroes(): Record<ParityList, number> {
  return { candles: 0, refusals: 0, orders: 0, cancels: 0, fills: 0, worked: 0, balances: 0 };
}

function firstDifference(
  list: ParityList,
  tested: readonly TraceEntry[],
  live: readonly TraceEntry[],
): ParityDifference | undefined {
  for (let index = 0; index < Math.max(tested.length, live.length); index += 1) {
    const one = tested[index];
    const other = live[index];
    const field = one && other && differingField(one, other);
    if (one !== undefined && other !== undefined && field === undefined) continue;
    const time = Math.min(one?.time ?? Infinity, other?.time ?? Infinity);
    return { list, index, time, field, tested: one, live: other, before: tested[index - 1] };
  }
  return undefined;
}

function differingField(one: TraceEntry, other: TraceEntry): string | undefined {
  const names = new Set([...Object.keys(one.fields), ...Object.keys(other.fields)]);
  return [...names].find((name) => one.fields[name] !== other.fields[name]);
}
