import type { Decimal, Direction, Size } from '../domain/index.js';
import type { InstrumentInfo } from './instrument-info.js';

/** What a rule of size may know when an entry is raised. */
export interface SizingFacts {
  /** Terms, rules, last price, position and distance to liquidation of what is entered. */
  readonly instrument: InstrumentInfo;
  readonly direction: Direction;
  /** Cash and positions at last prices, in the equity currency. */
  readonly equity: Decimal;
}

/**
 * A rule of size: works out how much an entry is, from what is known when it is raised. It keeps nothing: equal facts give an equal size, so that a run
 * can be started again anywhere.
 *
 * @example this.enterLong(this.sizeBy(halfOfFreeMoney))
 */
export type Sizing = (facts: SizingFacts) => Size;
