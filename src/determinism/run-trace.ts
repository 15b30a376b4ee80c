import { formatUtc, type EpochMs } from '../domain/index.js';

/** One event of a run that led to an intent or a command, or that came from the venue. */
export interface TracedStep {
  readonly time: EpochMs;
  /** Whether it came after the candles that closed at its instant: the strategy may then know the next open. */
  readonly isAfterSlice: boolean;
  /** Hash of the event's intents, commands and venue update: equal steps have equal digests. */
  readonly digest: string;
  /** Description of the step for people. */
  readonly text: string;
  /** Orders and cancels that were sent. */
  readonly commands: number;
  /** The strategy's intents as text; empty unless `keepsWants` is set. */
  readonly wants: readonly string[];
  /** The submitted orders as text, without ids; empty unless `keepsWants` is set. */
  readonly sends: readonly string[];
}

/** The steps of a run in their order: plain data that can go to another thread. */
export type RunTrace = readonly TracedStep[];

/** The first difference between two runs. */
interface TraceDifference {
  readonly time: EpochMs;
  /** The step of the first run at this time; undefined if it did nothing. */
  readonly one: string | undefined;
  readonly other: string | undefined;
}

/**
 * Finds the first difference between two runs; undefined if both are the same.
 *
 * `end` is the close of the last candle that both runs share. With it, only steps that no later candle may change are compared: every step before `end`, and
 * those at `end` up to the candles that close then. Later steps at the same instant come after the next candle has opened (DESIGN R1, steps 5 and 6). They
 * may know that open, as in live trading.
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

/** Describes a difference in one line, for example `at …: an order to buy spot:BTCUSDT in one run, nothing in the next`. */
export function describeDifference(
  { time, one = 'nothing', other = 'nothing' }: TraceDifference,
  [first, second]: readonly [string, string] = ['in one run', 'in the next'],
): string {
  const same = one === other ? ', with other values' : '';
  return `at ${formatUtc(time)}: ${one} ${first}, ${other} ${second}${same}`;
}

/** Counts all orders and cancels that were sent. */
export function countCommands(trace: RunTrace): number {
  return trace.reduce((sum, { commands }) => sum + commands, 0);
}
