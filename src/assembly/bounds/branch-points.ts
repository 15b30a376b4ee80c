import type { EpochMs, Fixed } from '../../domain/index.js';
import { CashTolerance, type Cash } from './cash-tolerance.js';

/** A candle of one instrument. */
export interface CandleName {
  /** Instrument and open time. */
  readonly key: string;
  readonly openTime: EpochMs;
}

/** A candle whose order of extremes was asked for: both orders are to be tried. */
export interface Fork extends CandleName {
  readonly kind: 'fork';
}

/** All that a run's future follows from besides its market, at an instant at which nothing is on its way. */
export interface BranchState {
  /** Equal where all is equal but what the other members say. */
  readonly key: string;
  /** What may differ as long as nobody reads it. */
  readonly cash: Cash;
  /** Ids and times of orders: they may differ as long as the strategy does not look at orders. */
  readonly orders: string;
  /** What was traded, and the equity sampled so far: figures of the whole run follow from it. */
  readonly history: string;
}

/** A stretch of time in which a run stays in one state, so that other branches that come to it go on as this one does. */
export interface Junction {
  readonly kind: 'junction';
  readonly state: BranchState;
  readonly from: EpochMs;
  /** When the state changes next; not included. */
  until: EpochMs;
  /** What becomes of it; undefined while that is not known. */
  outcome: Outcome | undefined;
}

/** What a run has read between two points. */
export interface Stretch {
  tolerance: CashTolerance;
  readsOrders: boolean;
}

/** Candles that go the other way round than the run would have them go, from here on. */
export interface Flips {
  readonly candle: CandleName;
  readonly rest: Flips | undefined;
}

/** Where a branch ends, and how it is got to. */
export interface Ending {
  readonly equity: Fixed;
  readonly flips: Flips | undefined;
}

/** Everything that may become of a run from a point on. */
export interface Outcome {
  readonly lowest: Ending;
  readonly highest: Ending;
  /** With which other cash all of it would have gone on alike. */
  readonly tolerance: CashTolerance;
  /** Whether a strategy looks at its orders in any of it. */
  readonly readsOrders: boolean;
}

export function newStretch(): Stretch {
  return { tolerance: CashTolerance.ANY, readsOrders: false };
}

/** The end of a run. */
export function endingIn(equity: Fixed): Outcome {
  const ending = { equity, flips: undefined };
  return { lowest: ending, highest: ending, tolerance: CashTolerance.ANY, readsOrders: false };
}

/** What becomes of a branch that has come to where another was, with so much more cash. */
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

/** The outcome seen from the beginning of a stretch that leads to it. */
export function through({ tolerance, readsOrders }: Stretch, outcome: Outcome): Outcome {
  return {
    ...outcome,
    tolerance: tolerance.and(outcome.tolerance),
    readsOrders: readsOrders || outcome.readsOrders,
  };
}

/** The outcome of a candle that may go either way. */
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
