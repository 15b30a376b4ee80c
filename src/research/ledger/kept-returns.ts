import { compareFigures, type Objective } from '../search/objective.js';

/** Trials of one sweep whose daily returns are all kept. */
export const MOST_KEPT = 20_000;
/** Of a larger sweep, trials that are drawn, and the best beside them. */
const SAMPLED = 19_000;
const BEST = 1_000;
/** Digits of an id that decide whether it is drawn: an id is a hash, so that they are as good as drawn. */
const DRAWN_DIGITS = 8;

/** Whether a trial is one of those drawn from so many: it follows from its id alone, whatever ends first. */
export function isSampled(id: string, total: number): boolean {
  return parseInt(id.slice(0, DRAWN_DIGITS), 16) < (SAMPLED / total) * 16 ** DRAWN_DIGITS;
}

/** Chooses whose daily returns a sweep keeps: all, or of a large one a sample and whatever is among the best when it ends. */
export class KeptReturns {
  readonly #total: number;
  readonly #objective: Objective;
  /** Figures of the best so far, the worst of them last. */
  readonly #best: number[] = [];

  constructor(total: number, objective: Objective) {
    this.#total = total;
    this.#objective = objective;
  }

  /** `figure`: what the trial is ranked by; null where it has none. */
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
