import type { EpochMs } from '../domain/index.js';

/** Input of a parity comparison: every input and action of a run as named texts, in the order of its engine. */
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
  /** When it was decided or happened; orders the differences. Infinity means the end of the run. */
  readonly time: EpochMs;
  readonly fields: Readonly<Record<string, string>>;
}

/** In this order: if differences have the same time, the first list is reported, because it may be the cause of the others. */
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

/** The first difference between two runs. */
export interface ParityDifference {
  readonly list: ParityList;
  /** Place in its list, from 0. */
  readonly index: number;
  readonly time: EpochMs;
  /** The first field that differs; undefined if only one run has the entry. */
  readonly field: string | undefined;
  readonly tested: TraceEntry | undefined;
  readonly live: TraceEntry | undefined;
  /** The entry before, equal in both runs; undefined at the start of the list. */
  readonly before: TraceEntry | undefined;
}

/** Outcome of comparing a live run with its backtest. */
export interface ParityReport {
  /** Entries of the backtest. */
  readonly counts: Readonly<Record<ParityList, number>>;
  /** Equal entries before the first difference of each list. */
  readonly equal: Readonly<Record<ParityList, number>>;
  readonly difference: ParityDifference | undefined;
}

/** Compares two runs entry by entry. The report names the earliest difference: later ones may follow from it. */
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
