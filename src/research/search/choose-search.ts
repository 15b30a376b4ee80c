import { UsageError } from '../../domain/index.js';
import type { ParameterDeclarations } from '../../strategy/index.js';
import { drawCombinations, listGrid } from './combinations.js';
import { declaredSpace, parseGrid, requireListed } from './parse-grid.js';
import type { Combination, SearchSpace } from './search-space.js';

/** Which combinations are wanted. */
export interface SearchRequest {
  /** As {@link parseGrid} reads it. @defaultValue every declared parameter over its whole range */
  readonly grid?: string | undefined;
  /** So many draws from the space, instead of all of it. @defaultValue all of it */
  readonly random?: number | undefined;
  /** Of the draws. @defaultValue 1 */
  readonly seed?: number | undefined;
}

/** What a sweep tries. */
export interface Search {
  readonly space: SearchSpace;
  readonly combinations: readonly Combination[];
  /** Seed of the draws; undefined for a grid. */
  readonly seed: number | undefined;
}

const DEFAULT_SEED = 1;

/**
 * Finds the search that the options describe.
 *
 * @throws {UsageError} `E_USAGE`, `E_SWEEP_SIZE`; {ConfigError} `E_CONFIG_PARAMETER`.
 */
export function chooseSearch(
  { grid, random, seed }: SearchRequest,
  declarations: ParameterDeclarations,
): Search {
  if (seed !== undefined && random === undefined)
    throw new UsageError('E_USAGE', '--seed needs --random');
  const space = grid === undefined ? declaredSpace(declarations) : parseGrid(grid, declarations);
  if (space.length === 0)
    throw new UsageError('E_USAGE', 'the strategy has no parameters to sweep');
  if (random === undefined)
    return { space, combinations: listGrid(requireListed(space)), seed: undefined };
  const start = seed ?? DEFAULT_SEED;
  return {
    space,
    combinations: drawCombinations(space, { count: random, seed: start }),
    seed: start,
  };
}
