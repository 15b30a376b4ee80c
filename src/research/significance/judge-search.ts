import { DAYS_PER_YEAR } from '../../domain/index.js';
import {
  deflatedSharpe2014,
  deflatedSharpe2026,
  luckySharpe,
  minimumBacktestYears,
} from '../statistics/deflated-sharpe.js';
import { effectiveTrials } from '../statistics/effective-trials.js';
import { luckOfBest } from '../statistics/expected-maximum.js';
import { adjustPValues, pValueOf, sharpeAt } from '../statistics/haircut.js';
import { momentsOf } from '../statistics/moments.js';
import { overfittingSteps, type Overfitting } from '../statistics/overfitting.js';
import { realitySteps } from '../statistics/reality-check.js';
import { estimateBlockLengths, type Random } from '../statistics/stationary-bootstrap.js';
import type { Steps } from '../statistics/steps.js';
import type { TrialReturns } from '../statistics/trial-returns.js';
import { isRanked, ofYear, orNull, sampleOf, type RankedTrial } from './judge-trial.js';
import type { ReturnsTable } from './read-returns-table.js';
import type { LedgerSearch } from './read-search.js';
import type {
  Haircut,
  HaircutFound,
  LuckOf,
  OverfittingFound,
  SearchJudgment,
} from './significance-schema.js';

interface JudgeOptions {
  readonly judged: RankedTrial;
  readonly search: Pick<LedgerSearch, 'trials' | 'known' | 'since'>;
  readonly table: ReturnsTable;
  readonly random: Random;
  /** Number of draws of the reality check. */
  readonly draws: number;
  /** Number of blocks of PBO, even. @defaultValue 16, or as many as have two days each */
  readonly blocks?: number | undefined;
}

/** The current work of a judgment, and its share that is done. */
interface JudgeStep {
  readonly doing: 'effective number' | 'overfitting' | 'reality check';
  readonly done: number;
}

/**
 * Judges one trial by all trials of its search. It pauses between small pieces of work.
 *
 * @throws {DataError} `E_SAMPLE` when the blocks are no even number, or have fewer than two days each.
 */
export function* judgeSearch(options: JudgeOptions): Generator<JudgeStep, SearchJudgment> {
  const { judged, search, table, random, draws } = options;
  const sharpes = search.known.filter(isRanked).map(({ sharpe }) => sharpe);
  const variance = momentsOf(sharpes)?.variance ?? NaN;
  const luckWith = (trials: number): LuckOf => luckOf(judged, { trials, variance });
  yield { doing: 'effective number', done: 0 };
  const effective = effectiveTrials(table);
  const blocks = options.blocks ?? blocksFor(table.days);
  const overfitting = yield* saying('overfitting', overfittingSteps(table, { blocks }));
  const meanBlock = meanBlockOf(table);
  const reality = yield* saying('reality check', realitySteps(table, { random, meanBlock, draws }));
  const { from, to, days, trials, leftOut } = table;
  return {
    trials: search.trials,
    since: search.since ?? null,
    spread: orNull(ofYear(Math.sqrt(variance))),
    luck: { effective: luckWith(Math.max(1, effective)), raw: luckWith(search.trials) },
    table: {
      trials: trials.length,
      from,
      to,
      days,
      hasTrial: trials.some(({ id }) => id === judged.id),
      ...leftOut,
    },
    overfitting: describeOverfitting(overfitting, blocks),
    reality: { ...reality, meanBlock },
    haircut: haircutOf(judged, search),
  };
}

function* saying<T>(doing: JudgeStep['doing'], steps: Steps<T>): Generator<JudgeStep, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield { doing, done: step.value };
  }
}

function luckOf(
  judged: RankedTrial,
  search: { readonly trials: number; readonly variance: number },
): LuckOf {
  const sample = sampleOf(judged);
  const { sharpe, count } = sample;
  return {
    trials: search.trials,
    expectedBest: orNull(ofYear(luckySharpe(search))),
    minimumYears: sharpe > 0 ? minimumBacktestYears(search.trials, ofYear(sharpe)) : null,
    probability: luckOfBest({ sharpe, count, trials: search.trials }),
    dsr: {
      edition2014: orNull(deflatedSharpe2014(sample, search)),
      edition2026: orNull(deflatedSharpe2026(sample, search)),
    },
  };
}

const MOST_BLOCKS = 16;

/** As many as in the paper, or the largest even number with at least two days per block. */
function blocksFor(days: number): number {
  return Math.min(MOST_BLOCKS, 2 * Math.floor(days / 4));
}

/** Classes of the histogram on each side of 0. */
const CLASSES = 6;

function describeOverfitting(found: Overfitting, blocks: number): OverfittingFound {
  const { splits, droppedDays, probability, lossProbability, slope, logits } = found;
  const largest = logits.reduce((most, logit) => Math.max(most, Math.abs(logit)), 0);
  const width = Math.max(1, Math.ceil(largest)) / CLASSES;
  const counts = new Int32Array(2 * CLASSES);
  for (const logit of logits) {
    // A class excludes its lower end and includes its upper end, so that 0 counts on the left.
    const place = Math.max(0, Math.ceil(logit / width) + CLASSES - 1);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const histogram = Array.from(counts, (count, place) => ({
    from: (place - CLASSES) * width,
    to: (place - CLASSES + 1) * width,
    count,
  }));
  return {
    blocks,
    splits,
    droppedDays,
    probability,
    lossProbability,
    slope: slope ?? null,
    histogram,
  };
}

/** One block length for all columns, because they follow one path: the mean of their estimates. */
function meanBlockOf({ columns }: TrialReturns): number {
  const lengths = columns.map((column) => estimateBlockLengths(column).stationary);
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

function haircutOf(judged: RankedTrial, { known, trials }: JudgeOptions['search']): HaircutFound {
  const others = known.filter((trial) => trial.id !== judged.id);
  const values = [judged, ...others].map(pValue);
  // A trial without daily returns counts as one that found nothing.
  const unknown = Math.max(0, trials - values.length);
  const adjusted = adjustPValues([...values, ...new Array<number>(unknown).fill(1)]);
  const years = judged.moments.count / DAYS_PER_YEAR;
  const left = ([p = 1]: readonly number[]): Haircut => ({ p, sharpe: orNull(sharpeAt(p, years)) });
  return {
    tests: values.length + unknown,
    p: pValue(judged),
    bonferroni: left(adjusted.bonferroni),
    sidak: left(adjusted.sidak),
    holm: left(adjusted.holm),
    bhy: left(adjusted.bhy),
  };
}

/** A losing trial has found nothing: its p-value is 1. */
function pValue({
  sharpe = 0,
  moments,
}: Pick<RankedTrial, 'moments'> & { sharpe?: number | undefined }): number {
  return pValueOf(Math.max(0, ofYear(sharpe)), moments.count / DAYS_PER_YEAR);
}
