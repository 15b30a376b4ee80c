import { FORCED_CAUSES, type ForcedCause } from '../domain/index.js';
import type { Result, ResultFill, ResultOrder } from './result-schema.js';

/** How many orders of a result ended alike. */
export interface OrderCount extends Pick<ResultOrder, 'status' | 'reasonText'> {
  readonly count: number;
}

/** A trade that the venue made. */
export interface ForcedFill extends Pick<ResultFill, 'time' | 'instrument'> {
  readonly cause: ForcedCause;
}

/** What the lists of orders and fills come to. */
export interface ListCounts {
  readonly orders: readonly OrderCount[];
  readonly fills: number;
  readonly forced: readonly ForcedFill[];
}

/** What a result has for who looks closer. */
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

/** A result for who shows no order, fill or trade of it. */
export interface ResultFigures extends Omit<Result, ListKeys> {
  readonly counts: ListCounts;
}

/** The figures of a result, whether it has its lists or only what they come to. */
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
