import { DAY_MS, formatUtc, UsageError, type EpochMs } from '../../domain/index.js';
import type { TrialSpan } from '../trials/trial-job.js';

/** How the part that is trained on moves: it keeps its length, or its start. */
export const WINDOWS = ['rolling', 'anchored'] as const;
export type Window = (typeof WINDOWS)[number];

/** One step of a walk: what parameters are chosen on, and what they are tried on. The second begins where the first ends. */
export interface Fold {
  readonly train: TrialSpan;
  readonly test: TrialSpan;
}

/** Lengths of the parts of a fold, in days; at least 1 each. */
export interface FoldLengths {
  readonly train: number;
  readonly test: number;
  /** From the start of one fold's test part to that of the next. */
  readonly step: number;
}

/** What is asked for of {@link FoldLengths}. */
export type WantedLengths = { readonly [Key in keyof FoldLengths]?: number | undefined };

/** Most folds of one walk. */
export const MAX_FOLDS = 1_000;
/** So many tests make up the range, where it is not said. */
const TESTS_PER_RANGE = 10;
/** Training is so many times as long as a test, where it is not said. */
const TRAIN_PER_TEST = 4;

/** The whole UTC days of a range. */
export function wholeDaysOf({ from, to }: TrialSpan): TrialSpan {
  return { from: Math.ceil(from / DAY_MS) * DAY_MS, to: Math.floor(to / DAY_MS) * DAY_MS };
}

/** Lengths that were asked for; others follow from the range: a tenth of it for a test, four times that to train, a test for a step. */
export function foldLengthsOf({ from, to }: TrialSpan, wanted: WantedLengths): FoldLengths {
  const days = (to - from) / DAY_MS;
  const test = wanted.test ?? Math.max(1, Math.floor(days / TESTS_PER_RANGE));
  return { train: wanted.train ?? TRAIN_PER_TEST * test, test, step: wanted.step ?? test };
}

/**
 * Lays folds out over a range of whole days, from its start on, as many as have room.
 *
 * @throws {UsageError} `E_FOLDS` when there is no room for one, when tests would overlap, or for more than {@link MAX_FOLDS}.
 */
export function layOutFolds(
  { from, to }: TrialSpan,
  { train, test, step }: FoldLengths,
  window: Window,
): readonly Fold[] {
  if (step < test)
    throw new UsageError(
      'E_FOLDS',
      `expected --step of at least --test, ${daysText(test)}, so that no day is tested twice, received ${daysText(step)}`,
    );
  const days = Math.max(0, (to - from) / DAY_MS);
  const count = Math.floor((days - train - test) / step) + 1;
  if (count < 1)
    throw new UsageError(
      'E_FOLDS',
      `expected whole days for at least one fold, ${daysText(train)} to train and ${daysText(test)} to test, received ${daysText(days)}${days > 0 ? ` from ${formatUtc(from)} to ${formatUtc(to)}` : ''}`,
    );
  if (count > MAX_FOLDS)
    throw new UsageError(
      'E_FOLDS',
      `expected at most ${String(MAX_FOLDS)} folds, received ${String(count)}; take a longer --step`,
    );
  return Array.from({ length: count }, (_, index) => {
    const start: EpochMs = from + index * step * DAY_MS;
    const middle = start + train * DAY_MS;
    return {
      train: { from: window === 'anchored' ? from : start, to: middle },
      test: { from: middle, to: middle + test * DAY_MS },
    };
  });
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${String(days)} days`;
}
