import type { RunTrace } from '../../assembly/backtest/index.js';
import type { EpochMs } from '../../domain/index.js';

/** Significant digits that are compared. The start of an indicator may still change later digits. */
const DIGITS = 6;

/** Intents of a strategy in a run, one text each: the time, and the intent with its numbers to six digits and without ids of intents. */
export function listWants(trace: RunTrace): readonly string[] {
  return trace.flatMap(({ wants }) =>
    wants.map((want) =>
      want
        .replace(/,?"intentId":\d+/g, '')
        .replace(/\d+\.\d+(?:e[+-]?\d+)?/g, (number) => Number(number).toPrecision(DIGITS)),
    ),
  );
}

/** Texts of each list that the other lacks. A repeated text appears as often as one list has it more. */
interface WantsDifference {
  readonly onlyOne: readonly string[];
  readonly onlyOther: readonly string[];
}

/** Compares lists without regard to order. */
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

/** Time of the first intent; Infinity without intents. */
export function firstTime(wants: readonly string[]): EpochMs {
  return wants.reduce(
    (first, want) => Math.min(first, Number.parseInt(want, 10)),
    Number.POSITIVE_INFINITY,
  );
}
