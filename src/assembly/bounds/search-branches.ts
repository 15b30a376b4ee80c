import { InvariantError, type Fixed } from '../../domain/index.js';
import {
  eitherWay,
  endingIn,
  joinedWith,
  through,
  type CandleName,
  type Ending,
  type Flips,
  type Outcome,
} from './branch-points.js';
import type { BranchRun, BranchStep } from './branch-run.js';

interface SearchOptions {
  /** Makes one run with the given candles flipped. */
  readonly createRun: (flips: readonly CandleName[]) => BranchRun;
  /** Plays the run. Returns the equity at its end; undefined if it has joined another run. */
  readonly carryOut: (run: BranchRun) => Promise<Fixed | undefined>;
  /** Largest number of runs. */
  readonly budget: number;
}

export interface SearchResult {
  readonly lowest: BranchEnding;
  readonly highest: BranchEnding;
  readonly runs: number;
  /** Number of runs that joined another run. */
  readonly joined: number;
  /** Candles whose other order was not tried in every branch, because the budget was used up; in order of time. */
  readonly cut: readonly CandleName[];
}

/** The end of a branch, with all flips that lead to it. */
export interface BranchEnding {
  readonly equity: Fixed;
  readonly flips: readonly CandleName[];
}

/** A point of a branch. */
interface Place {
  readonly step: BranchStep;
  /** Flips of the run that met the point. */
  readonly flips: readonly CandleName[];
  readonly next: Way;
  /** The way with the other order of a fork, once it was tried. */
  other: Way | undefined;
  /** Set once everything that follows is known. */
  outcome: Outcome | undefined;
}

/** The way from one point to the next, or to the end of the run. */
interface Way {
  readonly over: BranchStep['after'];
  readonly to: { outcome: Outcome | undefined };
}

/**
 * Tries both orders of every candle that asks, in every branch, and keeps the lowest and the highest end (DESIGN R16).
 *
 * A branch is a run from the start. The latest fork is always tried first. So when a branch reaches a state of another branch, everything that may follow
 * from there has been tried, and the run ends. This needs one run for each fork of each state, not for each combination of orders.
 */
export async function searchBranches(options: SearchOptions): Promise<SearchResult> {
  return new BranchSearch(options).search();
}

class BranchSearch {
  readonly #options: SearchOptions;
  /** A stack in order of time: a place lies below everything that follows it. */
  readonly #places: Place[] = [];
  readonly #cut = new Map<string, CandleName>();
  #runs = 0;
  #joined = 0;

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  async search(): Promise<SearchResult> {
    const root = await this.#run([]);
    for (let place = this.#places.at(-1); place !== undefined; place = this.#places.at(-1)) {
      if (this.#isUntried(place)) await this.#tryOther(place);
      else {
        place.outcome = this.#outcomeOf(place);
        this.#places.pop();
      }
    }
    const { lowest, highest } = outcomeOver(root);
    return {
      lowest: endingOf(lowest),
      highest: endingOf(highest),
      runs: this.#runs,
      joined: this.#joined,
      cut: [...this.#cut.values()].sort((a, b) => a.openTime - b.openTime),
    };
  }

  #isUntried({ step, other }: Place): boolean {
    return step.point.kind === 'fork' && other === undefined && this.#runs < this.#options.budget;
  }

  async #tryOther(place: Place): Promise<void> {
    const { step, flips } = place;
    if (step.point.kind === 'fork') place.other = await this.#run([...flips, step.point]);
  }

  /** Plays a run and puts its points on top of the stack. Returns the way to its first point. */
  async #run(flips: readonly CandleName[]): Promise<Way> {
    const run = this.#options.createRun(flips);
    this.#runs += 1;
    const equity = await this.#options.carryOut(run);
    if (run.joined !== undefined) this.#joined += 1;
    let to: Way['to'] = { outcome: endOf(run, equity) };
    const places: Place[] = [];
    for (const step of run.steps.toReversed()) {
      const place: Place = {
        step,
        flips,
        next: { over: step.after, to },
        other: undefined,
        outcome: undefined,
      };
      places.push(place);
      to = place;
    }
    for (const place of places.reverse()) this.#places.push(place);
    return { over: run.first, to };
  }

  #outcomeOf({ step: { point }, next, other }: Place): Outcome {
    const own = outcomeOver(next);
    if (point.kind === 'junction') {
      point.outcome = own;
      return own;
    }
    if (other !== undefined) return eitherWay(point, own, outcomeOver(other));
    this.#cut.set(point.key, point);
    return own;
  }
}

function endOf({ joined }: BranchRun, equity: Fixed | undefined): Outcome {
  const there = joined?.junction.outcome;
  if (joined !== undefined && there !== undefined) return joinedWith(there, joined.offset);
  if (equity !== undefined) return endingIn(equity);
  throw new InvariantError('E_BOUNDS', 'a run neither ended nor came to where another was');
}

function outcomeOver({ over, to }: Way): Outcome {
  if (to.outcome !== undefined) return through(over, to.outcome);
  throw new InvariantError('E_BOUNDS', 'something that follows is not known');
}

function endingOf({ equity, flips }: Ending): BranchEnding {
  const candles: CandleName[] = [];
  for (let flip: Flips | undefined = flips; flip !== undefined; flip = flip.rest)
    candles.push(flip.candle);
  return { equity, flips: candles };
}
