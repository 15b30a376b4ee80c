import { DAY_MS, formatUtc, UsageError, type EpochMs } from '../../domain/index.js';
import type { TrialSpan } from '../trials/trial-job.js';

/** How the training part moves: it keeps its length, or its start. */
export const WINDOWS = ['rolling', 'anchored'] as const;
export type WindowKind = (typeof WINDOWS)[number];

/** One step of a walk-forward: a part to choose parameters on, and a part to test them on. The test part begins where the training part ends. */
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

/** The {@link FoldLengths} that the user sets. */
type WantedLengths = { readonly [Key in keyof FoldLengths]?: number | undefined };

/** Most folds of one walk. */
const MAX_FOLDS = 1_000;
/** Number of tests in the range, if no length of a test is set. */
const TESTS_PER_RANGE = 10;
/** Length of the training part in tests, if it is not set. */
const TRAIN_PER_TEST = 4;

/** The whole UTC days of a range. */
export function wholeDaysOf({ from, to }: TrialSpan): TrialSpan {
  return { from: Math.ceil(from / DAY_MS) * DAY_MS, to: Math.floor(to / DAY_MS) * DAY_MS };
}

/** The lengths that are set. Others follow from the range: a tenth of it for a test, four tests to train, one test for a step. */
export function foldLengthsOf({ from, to }: TrialSpan, wanted: WantedLengths): FoldLengths {
  const days = (to - from) / DAY_MS;
  const test = wanted.test ?? Math.max(1, Math.floor(days / TESTS_PER_RANGE));
  return { train: wanted.train ?? TRAIN_PER_TEST * test, test, step: wanted.step ?? test };
}

/**
 * Lays out folds over a range of whole days, from its start on, as many as fit.
 *
 * @throws {UsageError} `E_FOLDS` when there is no room for one, when tests would overlap, or for more than {@link MAX_FOLDS}.
 */
export function layOutFolds(
  { from, to }: TrialSpan,
  { train, test, step }: FoldLengths,
  window: WindowKind,
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
      `expected whole days for at least one fold (${daysText(train)} training, ${daysText(test)} test), received ${daysText(days)}${days > 0 ? ` from ${formatUtc(from)} to ${formatUtc(to)}` : ''}`,
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
