import { formatUtc, type EpochMs } from '../domain/index.js';

/** One event of a run that led to something, or that the venue caused. */
export interface TracedStep {
  readonly time: EpochMs;
  /** Whether it came after the candles that closed at its instant: it may know what opened then. */
  readonly isAfterSlice: boolean;
  /** Of all that was wanted, sent and told: equal steps have equal ones. */
  readonly digest: string;
  /** What happened, for people. */
  readonly text: string;
  /** Orders and cancels that were sent. */
  readonly commands: number;
  /** What the strategy wanted, as text of its own; empty where nobody asked for it. */
  readonly wants: readonly string[];
  /** What was sent for it, likewise, without ids. */
  readonly sends: readonly string[];
}

/** What a run did, in the order in which it did it: data without behavior, which can go to another thread. */
export type RunTrace = readonly TracedStep[];

/** Where two runs went apart. */
export interface TraceDifference {
  readonly time: EpochMs;
  /** What the one did then; undefined where it did nothing. */
  readonly one: string | undefined;
  readonly other: string | undefined;
}

/**
 * Finds where two runs first went apart; undefined where both are the same.
 *
 * With `end`, the close of the last candle that both know, only what no later candle may change is compared: every step before it, and those at it up to the
 * candles that close then. What follows at the same instant comes after the next candle has opened (DESIGN R1, steps 5 and 6), and knows that, as it would in
 * live trading.
 */
export function findDifference(
  ones: RunTrace,
  others: RunTrace,
  end: EpochMs = Number.POSITIVE_INFINITY,
): TraceDifference | undefined {
  const [mine, theirs] = [pastOf(ones, end), pastOf(others, end)];
  const length = Math.max(mine.length, theirs.length);
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [mine[index], theirs[index]];
    if (one?.digest === other?.digest) continue;
    const time = Math.min(one?.time ?? Infinity, other?.time ?? Infinity);
    const textOf = (step: TracedStep | undefined): string | undefined =>
      step?.time === time ? step.text : undefined;
    return { time, one: textOf(one), other: textOf(other) };
  }
  return undefined;
}

/** The steps of a run that candles which close after `end` must not change. */
export function pastOf(trace: RunTrace, end: EpochMs): RunTrace {
  return trace.filter(({ time, isAfterSlice }) => time < end || (time === end && !isAfterSlice));
}

/** Says a difference in one line, for example `at …: an order to buy spot:BTCUSDT in one run, nothing in the next`. */
export function describeDifference(
  { time, one = 'nothing', other = 'nothing' }: TraceDifference,
  [first, second]: readonly [string, string] = ['in one run', 'in the next'],
): string {
  const same = one === other ? ', with other values' : '';
  return `at ${formatUtc(time)}: ${one} ${first}, ${other} ${second}${same}`;
}

/** Orders and cancels that were sent in all. */
export function countCommands(trace: RunTrace): number {
  return trace.reduce((sum, { commands }) => sum + commands, 0);
}
