import { FORCED_CAUSES, type ForcedCause } from '../../domain/index.js';
import type { Result, ResultFill, ResultOrder } from './result-schema.js';

/** Number of orders of a result with the same status and reason. */
export interface OrderCount extends Pick<ResultOrder, 'status' | 'reasonText'> {
  readonly count: number;
}

/** A trade that the venue made. */
export interface ForcedFill extends Pick<ResultFill, 'time' | 'instrument'> {
  readonly cause: ForcedCause;
}

/** Counts that replace the lists of orders and fills. */
export interface ListCounts {
  readonly orders: readonly OrderCount[];
  readonly fills: number;
  readonly forced: readonly ForcedFill[];
}

/** Parts of a result that only a closer look needs. */
export type TradeEntries = Pick<
  Result,
  | 'trades'
  | 'tradeTotals'
  | 'breakdowns'
  | 'benchmark'
  | 'flows'
  | 'undecided'
  | 'breaks'
  | 'config'
>;

type ListKeys = 'orders' | 'fills' | 'plots' | keyof TradeEntries;

/** A result without its orders, fills and trades. */
export interface ResultFigures extends Omit<Result, ListKeys> {
  readonly counts: ListCounts;
}

/** Figures of a result, from a full result or from one that only has counts. */
export function figuresOf(result: Result | ResultFigures): ResultFigures {
  return 'counts' in result ? result : { ...result, counts: countLists(result) };
}

function countLists({ orders, fills }: Result): ListCounts {
  return {
    orders: orders.map(({ status, reasonText }) => ({ status, reasonText, count: 1 })),
    fills: fills.length,
    forced: fills.flatMap(({ time, instrument, ...fill }) => {
      const cause = FORCED_CAUSES.find((known) => known === fill.cause);
      return cause === undefined ? [] : [{ cause, time, instrument }];
    }),
  };
}
