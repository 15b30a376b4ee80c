import { DataError } from '../../domain/index.js';
import type { Steps } from './steps.js';
import { requireReturns, type TrialReturns } from './trial-returns.js';

/** Figure that ranks the trials of a half: the mean of the returns, or their Sharpe ratio (n − 1). */
type OverfittingMetric = 'mean' | 'sharpe';

interface OverfittingOptions {
  /** Number of blocks of days, S: even, 2 to {@link MAX_BLOCKS}. @defaultValue 16 */
  readonly blocks?: number | undefined;
  /** @defaultValue 'sharpe' */
  readonly metric?: OverfittingMetric | undefined;
}

/** How the best trial of one half of the days ranks in the other half. */
export interface Overfitting {
  /** Number of halves that were tried, C(S, S/2). */
  readonly splits: number;
  /** Days left out at the start, so that the blocks are even. */
  readonly droppedDays: number;
  /** Probability of backtest overfitting: share of the halves in which λ ≤ 0. Pure luck gives ½, not 0. */
  readonly probability: number;
  /**
   * λ of each half: ln(ω/(1 − ω)), where ω = rank/(N + 1) is the relative rank of its best trial in the other half. Each half is followed by its complement.
   */
  readonly logits: Float64Array;
  /** Slope of the best trial's figure outside on its figure inside; undefined if all figures inside are equal. */
  readonly slope: number | undefined;
  /** Share of the halves whose best trial loses outside. */
  readonly lossProbability: number;
}

const DEFAULT_BLOCKS = 16;
/** Halves between two pauses. With 20,000 trials they take about 10 ms. */
const HALVES_PER_STEP = 32;
/** 20 blocks give C(20, 10) = 184,756 halves. The sums of each part of the blocks take 2^(S/2 + 5) bytes per trial: 32 kB with 20 blocks, 8 kB with 16. */
const MAX_BLOCKS = 20;
/** For the command line, which loads none of this before it judges. */
export type MostBlocks = typeof MAX_BLOCKS;
/** If less than this share of a sum of squares is left after a subtraction, the rest is rounding. */
const ROUNDING = 1e-13;
/** Figures whose spread is at most this share of their mean differ by rounding only. */
const EQUAL = 1e-12;

/**
 * Combinatorially symmetric cross-validation: finds the best trial of every half of the blocks, and its rank in the other half. Equal ranks are averaged. Of
 * trials that are equally good inside, the first is the best. A trial whose returns are all equal has a Sharpe ratio of 0.
 *
 * It takes C(S, S/2)·N ratios: 1,000 trials and 16 blocks less than a second. It pauses after every {@link HALVES_PER_STEP} halves.
 *
 * @throws {DataError} `E_SAMPLE` when there are fewer than two trials, fewer than two days per block, or S is odd or out of range.
 * @see Source: Bailey, Borwein, López de Prado, Zhu 2015, The Probability of Backtest Overfitting
 */
export function* overfittingSteps(
  returns: TrialReturns,
  { blocks = DEFAULT_BLOCKS, metric = 'sharpe' }: OverfittingOptions = {},
): Steps<Overfitting> {
  if (blocks % 2 !== 0 || blocks < 2 || blocks > MAX_BLOCKS) {
    throw new DataError(
      'E_SAMPLE',
      `expected an even number of blocks, 2 to ${String(MAX_BLOCKS)}, received ${String(blocks)}`,
    );
  }
  requireReturns(returns, { days: 2 * blocks, trials: 2 });
  const halves = listHalves(blocks);
  const sums = sumBlocks(returns, blocks);
  const rows = (Math.floor(returns.days / blocks) * blocks) / 2;
  const judge = new Judge(2 * halves.length, returns.columns.length);
  const all = 2 ** blocks - 1;
  const [one, two] = [judge.createFigures(), judge.createFigures()];
  for (const [done, half] of halves.entries()) {
    if (done % HALVES_PER_STEP === 0) yield done / halves.length;
    figuresOf(sums, half, { rows, metric }, one);
    figuresOf(sums, all - half, { rows, metric }, two);
    judge.take(one, two);
    judge.take(two, one);
  }
  return { droppedDays: returns.days % blocks, ...judge.verdict() };
}

/** Halves of the blocks as bits, without complements: only halves with the first block. */
function listHalves(blocks: number): readonly number[] {
  const halves: number[] = [];
  for (let mask = 1; mask < 2 ** blocks; mask += 2)
    if (bitsOf(mask) === blocks / 2) halves.push(mask);
  return halves;
}

function bitsOf(mask: number): number {
  let count = 0;
  for (let rest = mask; rest > 0; rest >>>= 1) count += rest & 1;
  return count;
}

/**
 * Σ r and Σ r² of every set of the lower half of the blocks, and of every set of the upper half: element `set × N + trial`. The sums of any set of blocks are
 * two of these, always added in the same order, so that equal trials stay equal.
 */
interface BlockSums {
  readonly trials: number;
  /** Number of blocks in each part. */
  readonly width: number;
  readonly lower: PartSums;
  readonly upper: PartSums;
}

interface PartSums {
  readonly sum: Float64Array;
  readonly square: Float64Array;
}

function sumBlocks({ days, columns }: TrialReturns, blocks: number): BlockSums {
  const width = blocks / 2;
  const length = Math.floor(days / blocks);
  const dropped = days % blocks;
  const part = (start: number): PartSums => sumSets(columns, { start, length, width });
  return {
    trials: columns.length,
    width,
    lower: part(dropped),
    upper: part(dropped + width * length),
  };
}

function sumSets(
  columns: readonly Float64Array[],
  {
    start,
    length,
    width,
  }: { readonly start: number; readonly length: number; readonly width: number },
): PartSums {
  const trials = columns.length;
  const sum = new Float64Array(2 ** width * trials);
  const square = new Float64Array(2 ** width * trials);
  for (const [trial, column] of columns.entries()) {
    for (let block = 0; block < width; block += 1) {
      let [total, squares] = [0, 0];
      const from = start + block * length;
      for (let day = from; day < from + length; day += 1) {
        const value = column[day] ?? 0;
        total += value;
        squares += value * value;
      }
      // A set whose last block is this one is a set that is already summed, plus this block.
      for (let set = 0; set < 2 ** block; set += 1) {
        const [before, after] = [set * trials + trial, (set + 2 ** block) * trials + trial];
        sum[after] = (sum[before] ?? 0) + total;
        square[after] = (square[before] ?? 0) + squares;
      }
    }
  }
  return { sum, square };
}

function figuresOf(
  { trials, width, lower, upper }: BlockSums,
  half: number,
  { rows, metric }: { readonly rows: number; readonly metric: OverfittingMetric },
  figures: Float64Array,
): void {
  const low = (half & (2 ** width - 1)) * trials;
  const high = (half >>> width) * trials;
  for (let trial = 0; trial < trials; trial += 1) {
    const mean = ((lower.sum[low + trial] as number) + (upper.sum[high + trial] as number)) / rows;
    if (metric === 'mean') {
      figures[trial] = mean;
      continue;
    }
    const square = (lower.square[low + trial] as number) + (upper.square[high + trial] as number);
    const spread = square - rows * mean * mean;
    figures[trial] = spread > ROUNDING * square ? mean / Math.sqrt(spread / (rows - 1)) : 0;
  }
}

class Judge {
  readonly #trials: number;
  readonly #logits: Float64Array;
  readonly #inside: Float64Array;
  readonly #outside: Float64Array;
  #splits = 0;

  constructor(splits: number, trials: number) {
    this.#trials = trials;
    this.#logits = new Float64Array(splits);
    this.#inside = new Float64Array(splits);
    this.#outside = new Float64Array(splits);
  }

  createFigures(): Float64Array {
    return new Float64Array(this.#trials);
  }

  take(inside: Float64Array, outside: Float64Array): void {
    let best = 0;
    let most = -Infinity;
    for (let trial = 0; trial < inside.length; trial += 1) {
      if ((inside[trial] as number) <= most) continue;
      most = inside[trial] as number;
      best = trial;
    }
    const shown = outside[best] as number;
    let [below, equal] = [0, 0];
    for (const figure of outside) {
      if (figure < shown) below += 1;
      else if (figure === shown) equal += 1;
    }
    const rank = below + (equal + 1) / 2;
    // ω/(1 − ω) with ω = rank/(N + 1), without rounding ω: in the middle it is exactly 1.
    this.#logits[this.#splits] = Math.log(rank / (this.#trials + 1 - rank));
    this.#inside[this.#splits] = most;
    this.#outside[this.#splits] = shown;
    this.#splits += 1;
  }

  verdict(): Omit<Overfitting, 'droppedDays'> {
    const share = (values: Float64Array, isMeant: (value: number) => boolean): number =>
      values.reduce((count, value) => count + (isMeant(value) ? 1 : 0), 0) / this.#splits;
    return {
      splits: this.#splits,
      probability: share(this.#logits, (logit) => logit <= 0),
      logits: this.#logits,
      slope: slopeOf(this.#inside, this.#outside),
      lossProbability: share(this.#outside, (figure) => figure < 0),
    };
  }
}

/** Least-squares slope of y on x. */
function slopeOf(x: Float64Array, y: Float64Array): number | undefined {
  const meanOf = (values: Float64Array): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [meanOf(x), meanOf(y)];
  let [spread, common] = [0, 0];
  for (let index = 0; index < x.length; index += 1) {
    const off = (x[index] as number) - meanX;
    spread += off * off;
    common += off * ((y[index] as number) - meanY);
  }
  return spread > x.length * (EQUAL * meanX) ** 2 ? common / spread : undefined;
}
