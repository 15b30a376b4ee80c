import { eigenOf, type Eigen } from './symmetric-eigen.js';

/** Constants of the strategy that depend only on the dimensions, with the names of Hansen's tutorial. */
interface EvolutionConstants {
  readonly lambda: number;
  readonly mu: number;
  /** From the best to the worst. Weights after the first mu are below 0. */
  readonly weights: readonly number[];
  readonly muEff: number;
  readonly cSigma: number;
  readonly dSigma: number;
  readonly cC: number;
  readonly c1: number;
  readonly cMu: number;
  /** Expected length of a vector of standard normal numbers. */
  readonly chi: number;
}

/** Source: Hansen 2016, *The CMA evolution strategy: a tutorial* (arXiv:1604.00772), table 1. */
export function evolutionConstants(n: number): EvolutionConstants {
  const lambda = 4 + Math.floor(3 * Math.log(n));
  const mu = Math.floor(lambda / 2);
  const raw = Array.from(
    { length: lambda },
    (_, i) => Math.log((lambda + 1) / 2) - Math.log(i + 1),
  );
  const [first, rest] = [raw.slice(0, mu), raw.slice(mu)];
  const [muEff, muEffRest] = [effective(first), effective(rest)];
  const c1 = 2 / ((n + 1.3) ** 2 + muEff);
  const cMu = Math.min(1 - c1, (2 * (0.25 + muEff + 1 / muEff - 2)) / ((n + 2) ** 2 + muEff));
  const scale = Math.min(
    1 + c1 / cMu,
    1 + (2 * muEffRest) / (muEff + 2),
    (1 - c1 - cMu) / (n * cMu),
  );
  const positive = sum(raw.filter((weight) => weight > 0));
  const negative = -sum(raw.filter((weight) => weight < 0));
  const cSigma = (muEff + 2) / (n + muEff + 5);
  return {
    lambda,
    mu,
    weights: raw.map((weight) => (weight >= 0 ? weight / positive : (scale * weight) / negative)),
    muEff,
    cSigma,
    dSigma: 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + cSigma,
    cC: (4 + muEff / n) / (n + 4 + (2 * muEff) / n),
    c1,
    cMu,
    chi: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
  };
}

type Vector = readonly number[];

/** A normal distribution that moves to the better half of its samples. */
export class Evolution {
  readonly #constants: EvolutionConstants;
  #mean: Vector;
  #sigma: number;
  #pathSigma: Vector;
  #pathC: Vector;
  #covariance: readonly Float64Array[];
  #eigen: Eigen;
  #generation = 0;

  constructor(mean: Vector, sigma: number) {
    const n = mean.length;
    this.#constants = evolutionConstants(n);
    this.#mean = mean;
    this.#sigma = sigma;
    this.#pathSigma = mean.map(() => 0);
    this.#pathC = mean.map(() => 0);
    this.#covariance = mean.map((_, row) =>
      Float64Array.from({ length: n }, (__, at) => +(at === row)),
    );
    this.#eigen = eigenOf(this.#covariance);
  }

  get lambda(): number {
    return this.#constants.lambda;
  }

  /** Standard deviation along the longest axis. */
  get width(): number {
    return this.#sigma * Math.sqrt(Math.max(...this.#eigen.values));
  }

  /** Turns standard normal numbers into a point of this distribution. */
  sample(normals: Vector): Vector {
    const scaled = normals.map((z, i) => z * Math.sqrt(this.#eigenvalue(i)));
    const y = this.#eigen.vectors.map((row) => dot([...row], scaled));
    return y.map((value, i) => (this.#mean[i] ?? 0) + this.#sigma * value);
  }

  /** Updates the distribution. `ranked`: the points of a generation, from the best to the worst. */
  update(ranked: readonly Vector[]): void {
    const { mu, weights, muEff, cSigma, dSigma, cC, chi } = this.#constants;
    const n = this.#mean.length;
    const steps = ranked.map((point) =>
      point.map((value, i) => (value - (this.#mean[i] ?? 0)) / this.#sigma),
    );
    const step = combine(steps.slice(0, mu), weights);
    this.#generation += 1;
    this.#mean = this.#mean.map((value, i) => value + this.#sigma * (step[i] ?? 0));
    const pull = Math.sqrt(cSigma * (2 - cSigma) * muEff);
    const white = this.#whiten(step);
    this.#pathSigma = this.#pathSigma.map(
      (value, i) => (1 - cSigma) * value + pull * (white[i] ?? 0),
    );
    const length = Math.hypot(...this.#pathSigma);
    const settled = Math.sqrt(1 - (1 - cSigma) ** (2 * this.#generation));
    const isCalm = length / settled < (1.4 + 2 / (n + 1)) * chi;
    const pullC = isCalm ? Math.sqrt(cC * (2 - cC) * muEff) : 0;
    this.#pathC = this.#pathC.map((value, i) => (1 - cC) * value + pullC * (step[i] ?? 0));
    this.#adaptCovariance(steps, isCalm ? 0 : cC * (2 - cC));
    this.#sigma *= Math.exp((cSigma / dSigma) * (length / chi - 1));
  }

  /** `lost`: share of the variance that the path did not add while it stood still. */
  #adaptCovariance(steps: readonly Vector[], lost: number): void {
    const { weights, c1, cMu } = this.#constants;
    const n = this.#mean.length;
    const kept = 1 + c1 * lost - c1 - cMu * sum(weights);
    // A step with a negative weight counts only by its direction. With its full length the matrix could lose its real roots.
    const scaled = steps.map((step, i) => {
      const weight = weights[i] ?? 0;
      return weight >= 0
        ? weight
        : (weight * n) / (Math.hypot(...this.#whiten(step)) ** 2 + 1e-300);
    });
    this.#covariance = this.#covariance.map((row, r) =>
      row.map((value, c) => {
        const one = c1 * (this.#pathC[r] ?? 0) * (this.#pathC[c] ?? 0);
        const many = steps.reduce(
          (total, step, i) => total + (scaled[i] ?? 0) * (step[r] ?? 0) * (step[c] ?? 0),
          0,
        );
        return kept * value + one + cMu * many;
      }),
    );
    this.#eigen = eigenOf(this.#covariance);
  }

  /** C^(−1/2) times a vector. */
  #whiten(vector: Vector): Vector {
    const { vectors } = this.#eigen;
    const turned = vector.map((_, i) => {
      const column = vectors.map((row) => row[i] ?? 0);
      return dot(column, vector) / Math.sqrt(this.#eigenvalue(i));
    });
    return vectors.map((row) => dot([...row], turned));
  }

  #eigenvalue(index: number): number {
    return Math.max(this.#eigen.values[index] ?? 0, 1e-30);
  }
}

function combine(vectors: readonly Vector[], weights: readonly number[]): Vector {
  const [first = []] = vectors;
  return first.map((_, at) =>
    vectors.reduce((total, vector, i) => total + (weights[i] ?? 0) * (vector[at] ?? 0), 0),
  );
}

function effective(weights: readonly number[]): number {
  return sum(weights) ** 2 / sum(weights.map((weight) => weight * weight));
}

function dot(a: Vector, b: Vector): number {
  return a.reduce((total, value, i) => total + value * (b[i] ?? 0), 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
