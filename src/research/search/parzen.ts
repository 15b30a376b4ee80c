import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { present } from '../../domain/index.js';
import { normalCdf, normalQuantile } from '../statistics/normal.js';
import type { Point } from './point.js';
import type { Axis, SearchSpace } from './search-space.js';

/** Newest observations, which have full weight. Older observations have less weight the older they are. */
const FULL_WEIGHTS = 25;
/**
 * Width of the kernels with one observation, as a share of an axis. Half of Optuna's width: it found better values on five of six functions of
 * docs/search.md.
 */
const WIDEST = 0.1;

/**
 * A density over a search space: one kernel per observation, and a flat kernel for the whole space. On an axis of numbers, kernels are normal distributions
 * cut at the ends. On an axis of words, a kernel gives a large share to its own word and the rest to all words.
 *
 * Source: Bergstra and others 2011, *Algorithms for hyper-parameter optimization*; weights and bandwidths of all axes together as Optuna's TPE, whose kernels
 * Watanabe 2023 (arXiv:2304.11127) compares.
 */
export class Parzen {
  readonly #space: SearchSpace;
  /** Kernel after kernel, one coordinate per axis. */
  readonly #centers: Float64Array;
  /** Per kernel. The last one is the kernel of the whole space. */
  readonly #weights: readonly number[];
  readonly #widths: readonly number[];
  /** Per kernel: the logarithm of its weight, less the logarithms that normalize its normal distributions. */
  readonly #logs: Float64Array;

  /** `observations` from the oldest to the newest. */
  constructor(space: SearchSpace, observations: readonly Point[]) {
    this.#space = space;
    this.#centers = Float64Array.from(observations.flat());
    this.#weights = weightsOf(observations.length);
    this.#widths = space.map((axis) => widthOf(axis, observations.length, space.length));
    this.#logs = Float64Array.from(this.#weights, (weight, kernel) => {
      const center = observations[kernel] ?? [];
      return center.reduce(
        (log, mean, place) => log - this.#logInside(place, mean),
        Math.log(weight),
      );
    });
  }

  /** Draws a point. */
  draw(random: RandomGenerator): Point {
    let rest = uniformFloat64(random);
    const chosen = this.#weights.findIndex((weight) => {
      rest -= weight;
      return rest < 0;
    });
    const isWhole = chosen === -1 || chosen === this.#weights.length - 1;
    return this.#space.map((axis, place) => {
      if (isWhole) return uniformFloat64(random);
      const mean = at(this.#centers, chosen * this.#space.length + place);
      if (isNumeric(axis)) return drawNear(mean, at(this.#widths, place), random);
      return uniformFloat64(random) < this.#ownShare() ? mean : uniformFloat64(random);
    });
  }

  /** Logarithm of the density at a point. */
  logDensity(point: Point): number {
    const logs = this.#logs.slice();
    let most = -Infinity;
    for (let kernel = 0; kernel < logs.length; kernel += 1) {
      const log = at(logs, kernel) + (kernel < logs.length - 1 ? this.#logAt(point, kernel) : 0);
      logs[kernel] = log;
      if (log > most) most = log;
    }
    let sum = 0;
    for (const log of logs) sum += Math.exp(log - most);
    return most + Math.log(sum);
  }

  /** The part of the logarithm that depends on the point. */
  #logAt(point: Point, kernel: number): number {
    let log = 0;
    const first = kernel * point.length;
    for (let place = 0; place < point.length; place += 1) {
      const axis = present(this.#space[place], 'axis');
      const x = at(point, place);
      const mean = at(this.#centers, first + place);
      if (isNumeric(axis)) {
        const far = (x - mean) / at(this.#widths, place);
        log -= (far * far) / 2;
      } else log += Math.log(this.#wordDensity(axis, x, mean));
    }
    return log;
  }

  /** Logarithm of the constant that normalizes a normal distribution within its axis; 0 on an axis of words. */
  #logInside(place: number, mean: number): number {
    if (!isNumeric(present(this.#space[place], 'axis'))) return 0;
    const width = at(this.#widths, place);
    const inside = normalCdf((1 - mean) / width) - normalCdf(-mean / width);
    return Math.log(width * Math.sqrt(2 * Math.PI) * inside);
  }

  /** Share of a kernel for its own word. The rest, as much as one more observation has, is spread evenly over all words. */
  #ownShare(): number {
    return 1 / (1 + 1 / this.#weights.length);
  }

  /** Density relative to an even choice. */
  #wordDensity(axis: Axis, x: number, mean: number): number {
    const words = axis.kind === 'listed' ? axis.values.length : 1;
    const own = this.#ownShare();
    const isSame = Math.floor(x * words) === Math.floor(mean * words);
    return 1 - own + (isSame ? own * words : 0);
  }
}

export function isNumeric(axis: Axis): boolean {
  return axis.kind === 'continuous' || axis.isOrdered;
}

/** Weights of `count` observations and of the whole space. Their sum is 1. */
function weightsOf(count: number): readonly number[] {
  const old = Math.max(0, count - FULL_WEIGHTS);
  const weights = Array.from({ length: count }, (_, index) => {
    if (index >= old) return 1;
    return old === 1 ? 1 / count : 1 / count + ((1 - 1 / count) * index) / (old - 1);
  });
  const all = [...weights, 1];
  const sum = all.reduce((total, weight) => total + weight, 0);
  return all.map((weight) => weight / sum);
}

function widthOf(axis: Axis, count: number, axes: number): number {
  const width = WIDEST * Math.max(1, count) ** (-1 / (axes + 4));
  // At least half a step: a narrower kernel would never leave its value.
  const step = axis.kind === 'listed' ? 0.5 / axis.values.length : 0;
  return Math.max(width, step);
}

function drawNear(mean: number, width: number, random: RandomGenerator): number {
  const [low, high] = [normalCdf(-mean / width), normalCdf((1 - mean) / width)];
  const drawn = mean + width * normalQuantile(low + (high - low) * uniformFloat64(random));
  return Math.min(1, Math.max(0, drawn));
}

function at(list: Float64Array | readonly number[], index: number): number {
  return list[index] as number;
}
