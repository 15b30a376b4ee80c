import type { RunTrace } from '../../assembly/backtest/index.js';
import type { EpochMs } from '../../domain/index.js';

/** Digits that count of a number: what an indicator began from may weigh less. */
const DIGITS = 6;

/** What a strategy wanted in a run, one text each: the instant, and the intent with its numbers to six digits and without places of other intents. */
export function listWants(trace: RunTrace): readonly string[] {
  return trace.flatMap(({ wants }) =>
    wants.map((want) =>
      want
        .replace(/,?"intentId":\d+/g, '')
        .replace(/\d+\.\d+(?:e[+-]?\d+)?/g, (number) => Number(number).toPrecision(DIGITS)),
    ),
  );
}

/** What two lists do not have in common, each with as many of a text as it has more. */
export interface WantsDifference {
  readonly onlyOne: readonly string[];
  readonly onlyOther: readonly string[];
}

/** Compares lists whatever their order is. */
export function compareWants(ones: readonly string[], others: readonly string[]): WantsDifference {
  return { onlyOne: beyond(ones, others), onlyOther: beyond(others, ones) };
}

function beyond(list: readonly string[], known: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const want of known) left.set(want, (left.get(want) ?? 0) + 1);
  return list.filter((want) => {
    const count = left.get(want) ?? 0;
    left.set(want, count - 1);
    return count <= 0;
  });
}

/** When the first of them was wanted; Infinity where there are none. */
export function firstTime(wants: readonly string[]): EpochMs {
  return wants.reduce(
    (first, want) => Math.min(first, Number.parseInt(want, 10)),
    Number.POSITIVE_INFINITY,
  );
}
