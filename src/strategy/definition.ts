import type { StrategyContext } from './context.js';
import type { DeclaredState } from './kept-state.js';
import type { ParameterDeclarations } from './parameters.js';
import type { StrategyInstance } from './instance.js';

/** Marks strategy classes. A registered symbol, because a plugin may have been loaded by another loader than its host. */
export const STRATEGY: unique symbol = Symbol.for('evenkeel.strategy') as never;

/** What a strategy needs before it can start. */
export interface StrategyRequirements {
  /** Fewest instruments the bot must configure. @defaultValue 1 */
  readonly instruments?: number;
  /** Fewest intervals the first instrument must have. @defaultValue 1 */
  readonly intervals?: number;
}

export interface StrategyDefinition {
  readonly parameters: ParameterDeclarations;
  readonly requirements: StrategyRequirements;
  /** What it keeps; undefined where that is nothing. */
  readonly state?: DeclaredState | undefined;
  /** Whether it leaves what another strategy has kept as it is. @defaultValue false: a state that it does not declare is refused */
  readonly carriesState?: boolean | undefined;
}

/** What a strategy class carries, under a name that declarations of strategies can write: they could not name the symbol. */
export interface StrategyMark {
  readonly [STRATEGY]: StrategyDefinition;
}

/** A class made by extending {@link Strategy} or {@link CandleStrategy}. */
export interface StrategyClass extends StrategyMark {
  new (context: StrategyContext): StrategyInstance;
  readonly name: string;
}

/** Whether a plugin's export is a strategy: it carries the mark, and is a class that can be constructed. */
export function isStrategyClass(value: unknown): value is StrategyClass {
  return typeof value === 'function' && STRATEGY in value && typeof value.prototype === 'object';
}
