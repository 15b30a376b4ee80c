import { UsageError } from '../../domain/index.js';
import {
  declaredSpace,
  drawCombinations,
  listGrid,
  parseGrid,
  requireListed,
  type Combination,
  type ObjectiveName,
  type SearchSpace,
} from '../../research/index.js';
import type { ParameterDeclarations } from '../../strategy/index.js';
import type { BotFlags } from '../bot/bot-options.js';

/** Options of `sweep` as commander parses them. */
export interface SweepFlags extends BotFlags {
  readonly grid?: string;
  readonly random?: number;
  readonly seed?: number;
  readonly jobs?: number;
  readonly objective: ObjectiveName;
  readonly ledger?: string;
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
 * Reads the search that the options describe.
 *
 * @throws {UsageError} `E_USAGE`, `E_SWEEP_SIZE`; {ConfigError} `E_CONFIG_PARAMETER`.
 */
export function chooseSearch(
  { grid, random, seed }: Pick<SweepFlags, 'grid' | 'random' | 'seed'>,
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
