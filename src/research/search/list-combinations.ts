import { UsageError } from '../../domain/index.js';
import type { ParameterDeclarations } from '../../strategy/index.js';
import { countGrid, drawCombinations, drawSobol, listGrid } from './combinations.js';
import { declaredSpace, leaveOut, parseGrid, requireListed } from './parse-grid.js';
import type { SearchLimits } from './search-method.js';
import { MAX_COMBINATIONS, type Combination, type SearchSpace } from './search-space.js';

/** Options of a search whose combinations are all known before the first run. */
export interface ListRequest {
  /** In the form of {@link parseGrid}. @defaultValue every declared parameter over its whole range */
  readonly grid?: string | undefined;
  /** Parameters that are not searched, separated by commas. @defaultValue none */
  readonly fix?: string | undefined;
  /** Number of random draws from the space. @defaultValue the whole space */
  readonly random?: number | undefined;
  /** Number of points of a scrambled Sobol sequence. @defaultValue the whole space */
  readonly sobol?: number | undefined;
  /** Seed of the draws. @defaultValue 1 */
  readonly seed?: number | undefined;
}

/** Combinations to try, in order. */
interface CombinationList {
  readonly space: SearchSpace;
  readonly method: 'grid' | 'random' | 'sobol';
  /** Seed of the draws; undefined for a grid. */
  readonly seed: number | undefined;
  readonly combinations: readonly Combination[];
}

export const DEFAULT_SEARCH_SEED = 1;

/**
 * Lists the combinations that the options describe.
 *
 * @throws {UsageError} `E_USAGE`, `E_SWEEP_SIZE`; {ConfigError} `E_CONFIG_PARAMETER`.
 */
export function listCombinations(
  request: ListRequest,
  declarations: ParameterDeclarations,
  allows?: SearchLimits['allows'],
): CombinationList {
  const { random, sobol, seed } = request;
  const count = random ?? sobol;
  if (seed !== undefined && count === undefined)
    throw new UsageError('E_USAGE', '--seed needs --random or another random search');
  if (random !== undefined && sobol !== undefined)
    throw new UsageError('E_USAGE', 'expected one way to search, received --random and --sobol');
  const space = spaceOf(request, declarations);
  if (count === undefined) {
    const grid = gridWithin(space, allows);
    return { space, method: 'grid', seed: undefined, combinations: grid };
  }
  const limits = { count, seed: seed ?? DEFAULT_SEARCH_SEED, allows };
  const draw = random === undefined ? drawSobol : drawCombinations;
  const combinations = hasAtMost(space, count) ? gridWithin(space, allows) : draw(space, limits);
  const method = random === undefined ? 'sobol' : 'random';
  return { space, method, seed: limits.seed, combinations: requireAny(combinations) };
}

/** The space that a request searches. @throws as {@link parseGrid}; {UsageError} `E_USAGE` when nothing is left to search. */
export function spaceOf(
  { grid, fix }: Pick<ListRequest, 'grid' | 'fix'>,
  declarations: ParameterDeclarations,
): SearchSpace {
  const wanted = grid === undefined ? declaredSpace(declarations) : parseGrid(grid, declarations);
  const space = fix === undefined ? wanted : leaveOut(wanted, fix, declarations);
  if (space.length > 0) return space;
  throw new UsageError('E_USAGE', 'the strategy has no parameters to sweep');
}

/** Whether a space has at most `count` combinations, so that all of them are tried. */
export function hasAtMost(space: SearchSpace, count: number): boolean {
  const axes = space.filter((axis) => axis.kind === 'listed');
  return axes.length === space.length && countGrid(axes) <= Math.min(count, MAX_COMBINATIONS);
}

/** The combinations of a grid that are allowed. */
export function gridWithin(
  space: SearchSpace,
  allows: SearchLimits['allows'] = () => true,
): readonly Combination[] {
  return requireAny(listGrid(requireListed(space)).filter(allows));
}

/** @throws {UsageError} `E_USAGE` when there are none: constraints are why. */
export function requireAny(combinations: readonly Combination[]): readonly Combination[] {
  if (combinations.length > 0) return combinations;
  throw new UsageError('E_USAGE', 'no combination satisfies the constraints');
}
