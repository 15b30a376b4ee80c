import { UsageError } from '../../domain/index.js';
import type { ParameterValue } from '../../report/index.js';
import type { ParameterDeclarations } from '../../strategy/index.js';
import { CmaEsSearch } from './cma-es.js';
import { keepsTo, parseConstraint, type Constraint } from './constraint.js';
import { EarlyStop } from './early-stop.js';
import type { Goal } from './goal.js';
import {
  DEFAULT_SEARCH_SEED,
  gridWithin,
  hasAtMost,
  listCombinations,
  requireAny,
  spaceOf,
  type ListRequest,
} from './list-combinations.js';
import { NsgaSearch } from './nsga.js';
import { objectiveOf, type ObjectiveName } from './objective.js';
import { isNumeric } from './parzen.js';
import { ListSearch, type SearchLimits, type SearchMethod } from './search-method.js';
import { MAX_COMBINATIONS, type Combination, type SearchSpace } from './search-space.js';
import type { SearchName } from './search-names.js';
import { TpeSearch } from './tpe.js';

/** Options of a search: its space, method and goal. */
export interface SearchRequest extends ListRequest {
  /** Number of trials of a Tree-structured Parzen estimator. */
  readonly tpe?: number | undefined;
  /** Number of trials of the CMA evolution strategy. */
  readonly cmaEs?: number | undefined;
  /** Number of trials of NSGA-II, for two objectives. */
  readonly nsgaIi?: number | undefined;
  /** Figure that ranks the combinations. @defaultValue 'sharpe' */
  readonly objective?: ObjectiveName | undefined;
  /** A second objective. @defaultValue none */
  readonly against?: ObjectiveName | undefined;
  /** Constraints in the form of {@link parseConstraint}. @defaultValue none */
  readonly constraint?: readonly string[] | undefined;
  /** A trial with fewer trades is not ranked. @defaultValue 0 */
  readonly minTrades?: number | undefined;
  /** Number of trials in a row without an improvement that ends the search. @defaultValue it runs to its end */
  readonly stopAfter?: number | undefined;
}

/** A search before its first combination. */
export interface Search {
  readonly space: SearchSpace;
  readonly method: SearchName;
  /** Undefined for a grid. */
  readonly seed: number | undefined;
  readonly goal: Goal;
  /** Undefined if the search runs to its end. */
  readonly stopAfter: number | undefined;
  /** Most combinations that are tried. */
  readonly count: number;
  /** All combinations, if they are known before the first run. */
  readonly combinations: readonly Combination[] | undefined;
  /** Starts the search. */
  readonly start: () => SearchMethod;
}

/** Combinations per generation of a list. A search of a list can end early only between generations. */
const LIST_GENERATION = 20;

/** Most trials of TPE. Each proposal looks at all trials before it: this many take about ten minutes in addition to the backtests. */
const MOST_OF_TPE = 10_000;

/** Methods that learn, by the option with their number of trials. */
const LEARNERS = { tpe: TpeSearch, cmaEs: CmaEsSearch, nsgaIi: NsgaSearch } as const;
const LEARNER_NAMES = { tpe: 'tpe', cmaEs: 'cma-es', nsgaIi: 'nsga-ii' } as const;
type LearnerKey = keyof typeof LEARNERS;

/**
 * Finds the search that the options describe. `set`: parameters that the configuration sets.
 *
 * @throws {UsageError} `E_USAGE`, `E_SWEEP_SIZE`; {ConfigError} `E_CONFIG_PARAMETER`.
 */
export function chooseSearch(
  request: SearchRequest,
  declarations: ParameterDeclarations,
  set: Combination['parameters'] = {},
): Search {
  const { objective = 'sharpe', against, constraint = [], minTrades = 0, stopAfter } = request;
  const constraints: Constraint[] = constraint.map((text) => parseConstraint(text, declarations));
  if (minTrades > 0)
    constraints.push({ kind: 'figures', left: 'trades', operator: '>=', right: minTrades });
  if (against === objective)
    throw new UsageError('E_USAGE', `--against: expected a figure other than ${objective}`);
  const goal: Goal = {
    ...objectiveOf(objective),
    against: against === undefined ? undefined : objectiveOf(against),
    constraints,
  };
  const fixed = { ...defaultsOf(declarations), ...set };
  const allows = (combination: Combination): boolean => keepsTo(constraints, combination, fixed);
  const { start, ...search } = chooseMethod(request, declarations, allows);
  return {
    ...search,
    goal,
    stopAfter,
    start: () =>
      stopAfter === undefined ? start() : new EarlyStop(start(LIST_GENERATION), stopAfter),
  };
}

interface ChosenMethod extends Pick<
  Search,
  'space' | 'method' | 'seed' | 'count' | 'combinations'
> {
  /** `generation`: combinations per generation of a list. @defaultValue the whole list */
  readonly start: (generation?: number) => SearchMethod;
}

function chooseMethod(
  request: SearchRequest,
  declarations: ParameterDeclarations,
  allows: (combination: Combination) => boolean,
): ChosenMethod {
  const wanted = (Object.keys(LEARNERS) as LearnerKey[]).filter(
    (key) => request[key] !== undefined,
  );
  const [key] = wanted;
  if (key === undefined) {
    const { combinations, ...list } = listCombinations(request, declarations, allows);
    return { ...list, ...startOf(combinations) };
  }
  requireOne(request, wanted);
  const space = spaceOf(request, declarations);
  const method = LEARNER_NAMES[key];
  requireFitting(method, request, space);
  const count = request[key] ?? 0;
  const most = key === 'tpe' ? MOST_OF_TPE : MAX_COMBINATIONS;
  if (count > most)
    throw new UsageError(
      'E_SWEEP_SIZE',
      `expected at most ${String(most)} combinations with --${method}, received ${String(count)}`,
    );
  const limits: SearchLimits = { count, seed: request.seed ?? DEFAULT_SEARCH_SEED, allows };
  const chosen = { space, method, seed: limits.seed };
  if (hasAtMost(space, count)) return { ...chosen, ...startOf(gridWithin(space, allows)) };
  const start = (): SearchMethod => new LEARNERS[key](space, limits);
  // A search that proposes nothing at first never does.
  requireAny(start().ask());
  return { ...chosen, count, combinations: undefined, start };
}

function startOf(
  combinations: readonly Combination[],
): Pick<ChosenMethod, 'combinations' | 'count' | 'start'> {
  return {
    combinations,
    count: combinations.length,
    start: (generation) => new ListSearch(combinations, generation),
  };
}

function requireOne(request: SearchRequest, wanted: readonly LearnerKey[]): void {
  const flags = wanted.map((key) => `--${LEARNER_NAMES[key]}`);
  if (request.random !== undefined) flags.push('--random');
  if (request.sobol !== undefined) flags.push('--sobol');
  if (flags.length === 1) return;
  throw new UsageError('E_USAGE', `expected one way to search, received ${flags.join(' and ')}`);
}

function requireFitting(method: SearchName, { against }: SearchRequest, space: SearchSpace): void {
  if (method === 'nsga-ii' && against === undefined)
    throw new UsageError('E_USAGE', '--nsga-ii searches for a front and needs --against');
  if (method !== 'nsga-ii' && against !== undefined)
    throw new UsageError(
      'E_USAGE',
      `--${method} optimizes one figure; with --against use --nsga-ii, --sobol, --random or a grid`,
    );
  const word = space.find((axis) => !isNumeric(axis));
  if (method === 'cma-es' && word !== undefined)
    throw new UsageError(
      'E_USAGE',
      `--cma-es searches numbers only, and ${word.name} is not a number; name others with --grid, leave it out with --fix, or use --tpe`,
    );
}

function defaultsOf(declarations: ParameterDeclarations): Combination['parameters'] {
  const defaults: Record<string, ParameterValue> = {};
  for (const [name, { defaultValue }] of Object.entries(declarations))
    defaults[name] = defaultValue;
  return defaults;
}
