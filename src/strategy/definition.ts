import type { StrategyContext } from './context.js';
import type { DeclaredState } from './kept-state.js';
import type { ParameterDeclarations } from './parameters.js';
import type { StrategyInstance } from './instance.js';

/** Marks strategy classes. A registered symbol, because plugin and host may come from different module loaders. */
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
  /** The declared state; undefined if the strategy keeps no state. */
  readonly state?: DeclaredState | undefined;
  /** Whether the kept state of another strategy is carried over unchanged. @defaultValue false: a state that is not declared is refused */
  readonly carriesState?: boolean | undefined;
}

/** The member that marks a strategy class. It has a name of its own, because declaration files of strategies cannot name the symbol. */
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
