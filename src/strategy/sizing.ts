import type { Decimal, Direction, Size } from '../domain/index.js';
import type { InstrumentInfo } from './instrument-info.js';

/** What a sizing rule may read when an entry is raised. */
export interface SizingFacts {
  /** The instrument to enter: terms, rules, last price, position and distance to liquidation. */
  readonly instrument: InstrumentInfo;
  readonly direction: Direction;
  /** Cash and positions less debt, in the equity currency. Assets count at last; contracts at mark, or at last while no mark is known. */
  readonly equity: Decimal;
}

/**
 * A sizing rule: computes the size of an entry from the facts when it is raised. It has to be stateless: equal facts give an equal size, so that a run
 * can be restarted at any point.
 *
 * @example this.enterLong(this.sizeBy(halfOfFreeMoney))
 */
export type Sizing = (facts: SizingFacts) => Size;
