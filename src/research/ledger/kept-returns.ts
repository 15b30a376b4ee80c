import { compareFigures, type Objective } from '../search/objective.js';

/** A sweep of at most this many trials keeps the daily returns of all. */
export const MOST_KEPT = 20_000;
/** Number of trials that are sampled from a larger sweep, and of the best trials that are kept in addition. */
const SAMPLED = 19_000;
const BEST = 1_000;
/** Digits of an id that decide whether the trial is sampled. An id is a hash, so its digits are as good as random. */
const DRAWN_DIGITS = 8;

/** Whether a trial is in the sample of a sweep. It depends on the id alone, not on the order in which trials end. */
function isSampled(id: string, total: number): boolean {
  return parseInt(id.slice(0, DRAWN_DIGITS), 16) < (SAMPLED / total) * 16 ** DRAWN_DIGITS;
}

/** Chooses the trials whose daily returns a sweep keeps: all, or of a large sweep a sample and each trial that is among the best when it ends. */
export class KeptReturns {
  readonly #total: number;
  readonly #objective: Objective;
  /** Figures of the best trials so far, the worst of them last. */
  readonly #best: number[] = [];

  constructor(total: number, objective: Objective) {
    this.#total = total;
    this.#objective = objective;
  }

  /** `figure`: the figure that ranks the trial; null if it has none. */
  keeps(id: string, figure: number | null): boolean {
    if (this.#total <= MOST_KEPT) return true;
    const isGood = figure !== null && this.#enter(figure);
    return isGood || isSampled(id, this.#total);
  }

  #enter(figure: number): boolean {
    const isBetter = (other: number | undefined): boolean =>
      other === undefined || compareFigures(figure, other, this.#objective) < 0;
    if (this.#best.length === BEST && !isBetter(this.#best.at(-1))) return false;
    let [low, high] = [0, this.#best.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBetter(this.#best[middle])) high = middle;
      else low = middle + 1;
    }
    this.#best.splice(low, 0, figure);
    this.#best.length = Math.min(this.#best.length, BEST);
    return true;
  }
}
