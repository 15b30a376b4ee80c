import type { EpochMs, Fixed } from '../../domain/index.js';
import { CashTolerance, type Cash } from './cash-tolerance.js';

/** A candle of one instrument. */
export interface CandleName {
  /** Instrument and open time. */
  readonly key: string;
  readonly openTime: EpochMs;
}

/** A candle whose order of extremes was asked for: the search must try both orders. */
export interface Fork extends CandleName {
  readonly kind: 'fork';
}

/** The state from which, together with the market, a run's future follows, at an instant at which no command or update is on its way. */
export interface BranchState {
  /** Equal for two states if everything except the other members is equal. */
  readonly key: string;
  /** Cash, which may differ as long as nothing reads it. */
  readonly cash: Cash;
  /** Hash of ids and times of orders, which may differ as long as the strategy does not look at orders. */
  readonly orders: string;
  /** Hash of the trades and the equity sampled so far, which decide figures of the whole run. */
  readonly history: string;
}

/** A period in which a run stays in one state. Another branch that reaches the state in this period continues in the same way. */
export interface Junction {
  readonly kind: 'junction';
  readonly state: BranchState;
  readonly from: EpochMs;
  /** Time of the next change of the state; exclusive. */
  until: EpochMs;
  /** The outcome from here on; undefined while it is not known. */
  outcome: Outcome | undefined;
}

/** The reads of a run between two points. */
export interface Stretch {
  tolerance: CashTolerance;
  readsOrders: boolean;
}

/** A linked list of candles whose order is flipped against the run's own choice, from here on. */
export interface Flips {
  readonly candle: CandleName;
  readonly rest: Flips | undefined;
}

/** The end of a branch, with the flips that lead to it. */
export interface Ending {
  readonly equity: Fixed;
  readonly flips: Flips | undefined;
}

/** All possible outcomes of a run from a point on. */
export interface Outcome {
  readonly lowest: Ending;
  readonly highest: Ending;
  /** Differences in cash with which the whole outcome would be the same. */
  readonly tolerance: CashTolerance;
  /** Whether a strategy looks at its orders in any of the outcomes. */
  readonly readsOrders: boolean;
}

export function newStretch(): Stretch {
  return { tolerance: CashTolerance.ANY, readsOrders: false };
}

/** The outcome at the end of a run. */
export function endingIn(equity: Fixed): Outcome {
  const ending = { equity, flips: undefined };
  return { lowest: ending, highest: ending, tolerance: CashTolerance.ANY, readsOrders: false };
}

/** The outcome of a branch that has joined another branch, with `offset` more cash. */
export function joinedWith(outcome: Outcome, offset: Cash): Outcome {
  const more = offset.spot + offset.futures;
  const moved = ({ equity, flips }: Ending): Ending => ({ equity: equity + more, flips });
  return {
    ...outcome,
    lowest: moved(outcome.lowest),
    highest: moved(outcome.highest),
    tolerance: outcome.tolerance.from(offset),
  };
}

/** The outcome from the beginning of a stretch that leads to it. */
export function through({ tolerance, readsOrders }: Stretch, outcome: Outcome): Outcome {
  return {
    ...outcome,
    tolerance: tolerance.and(outcome.tolerance),
    readsOrders: readsOrders || outcome.readsOrders,
  };
}

/** The outcome of a candle with two possible orders. */
export function eitherWay(candle: CandleName, own: Outcome, other: Outcome): Outcome {
  const flipped = ({ equity, flips }: Ending): Ending => ({
    equity,
    flips: { candle, rest: flips },
  });
  return {
    lowest: other.lowest.equity < own.lowest.equity ? flipped(other.lowest) : own.lowest,
    highest: other.highest.equity > own.highest.equity ? flipped(other.highest) : own.highest,
    tolerance: own.tolerance.and(other.tolerance),
    readsOrders: own.readsOrders || other.readsOrders,
  };
}
