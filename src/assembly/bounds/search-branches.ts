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

export interface SearchOptions {
  /** Makes one run: those candles go the other way round. */
  readonly createRun: (flips: readonly CandleName[]) => BranchRun;
  /** Carries it out. Returns the equity at its end; undefined when it has come to where another run was. */
  readonly carryOut: (run: BranchRun) => Promise<Fixed | undefined>;
  /** Most runs. */
  readonly budget: number;
}

export interface SearchResult {
  readonly lowest: BranchEnding;
  readonly highest: BranchEnding;
  readonly runs: number;
  /** Runs that came to where another had been. */
  readonly joined: number;
  /** Candles whose other order was not tried in every branch, because the budget was used up; in order of time. */
  readonly cut: readonly CandleName[];
}

/** The end of a branch, with all that leads to it. */
export interface BranchEnding {
  readonly equity: Fixed;
  readonly flips: readonly CandleName[];
}

/** A point of a branch. */
interface Place {
  readonly step: BranchStep;
  /** Of the run that it was met in. */
  readonly flips: readonly CandleName[];
  readonly next: Way;
  /** The other order of a fork, once it was tried. */
  other: Way | undefined;
  /** Once everything that follows is known. */
  outcome: Outcome | undefined;
}

/** From one point to the next, or to the end of the run. */
interface Way {
  readonly over: BranchStep['after'];
  readonly to: { outcome: Outcome | undefined };
}

/**
 * Tries both orders of every candle that asks, in every branch, and keeps the lowest and the highest end (DESIGN R16).
 *
 * A branch is a run from the start. The latest fork is always tried first: when a branch then comes to where another was, everything that
 * may follow from there has been tried, and the run ends. So there is one run for each fork of each state, not for each combination of orders.
 */
export async function searchBranches(options: SearchOptions): Promise<SearchResult> {
  return new BranchSearch(options).search();
}

class BranchSearch {
  readonly #options: SearchOptions;
  /** In order of time: what follows a place lies above it. */
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

  /** Carries out a run; what it met lies on top then. Returns the way to the first of it. */
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
