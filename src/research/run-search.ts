import type { Search } from './search/choose-search.js';
import { costsOf, type Goal } from './search/goal.js';
import type { Combination } from './search/search-space.js';
import {
  planSweep,
  runCombinations,
  type CombinationsOptions,
  type SweepGround,
  type SweepPlan,
  type SweepProgress,
} from './sweep.js';
import type { TrialOutcome } from './trials/trial-schema.js';

/** The best trial so far, by the first objective. */
export interface BestTrial {
  readonly parameters: Combination['parameters'];
  readonly outcome: TrialOutcome;
}

/** Progress of a search. Its total is the most combinations that it may try. */
export interface SearchProgress extends SweepProgress {
  /** Undefined while no trial has a figure. */
  readonly best: BestTrial | undefined;
}

interface RunSearchOptions extends Omit<CombinationsOptions, 'plan' | 'onProgress' | 'onOutcome'> {
  readonly ground: SweepGround;
  readonly search: Search;
  /** Called before the first and after every combination. */
  readonly onProgress?: ((progress: SearchProgress) => void) | undefined;
}

/** The tried combinations in the order of their proposals, with their outcomes. */
export interface SearchRun {
  readonly plan: SweepPlan;
  /** One per combination. */
  readonly outcomes: readonly TrialOutcome[];
  /** Number of combinations of each generation. */
  readonly generations: readonly number[];
}

/**
 * Runs a search generation by generation. The method receives the costs of a generation only after its last combination has ended. Trials that the ledger
 * knows do not run again, so that an interrupted search continues where it stopped.
 *
 * @throws as {@link runCombinations}.
 */
export async function runSearch(options: RunSearchOptions): Promise<SearchRun> {
  const { ground, search, onProgress, ...rest } = options;
  const method = search.start();
  const best = new BestSoFar(search.goal);
  const plans: SweepPlan[] = [];
  const outcomes: (readonly TrialOutcome[])[] = [];
  const generations: number[] = [];
  const before = { done: 0, ran: 0, failed: 0 };
  for (let asked = method.ask(); asked.length > 0; asked = method.ask()) {
    let last: SweepProgress | undefined;
    const plan = planSweep(asked, ground);
    const ended = await runCombinations({
      ...rest,
      plan,
      onOutcome: (combination, outcome) => {
        best.look(combination, outcome);
      },
      onProgress: (progress) => {
        last = progress;
        const sum = addProgress(before, progress);
        onProgress?.({ ...sum, total: search.count, best: best.trial });
      },
    });
    if (last !== undefined) Object.assign(before, addProgress(before, last));
    method.tell(ended.map((outcome) => costsOf(outcome, search.goal)));
    plans.push(plan);
    outcomes.push(ended);
    generations.push(asked.length);
  }
  const { config, span, inputs } = ground;
  const combinations = plans.flatMap((plan) => plan.combinations);
  const ids = plans.flatMap((plan) => plan.ids);
  return {
    plan: { config, span, inputs, combinations, ids },
    outcomes: outcomes.flat(),
    generations,
  };
}

type Counted = Omit<SweepProgress, 'total'>;

function addProgress(a: Counted, b: Counted): Counted {
  return { done: a.done + b.done, ran: a.ran + b.ran, failed: a.failed + b.failed };
}

class BestSoFar {
  readonly #goal: Goal;
  #cost = Infinity;
  trial: BestTrial | undefined;

  constructor(goal: Goal) {
    this.#goal = goal;
  }

  look({ parameters }: Combination, outcome: TrialOutcome): void {
    const [cost = Infinity] = costsOf(outcome, this.#goal);
    if (cost >= this.#cost) return;
    this.#cost = cost;
    this.trial = { parameters, outcome };
  }
}
