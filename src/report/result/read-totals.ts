import {
  FORCED_CAUSES,
  formatFixed,
  type ForcedCause,
  type OrderCause,
} from '../../domain/index.js';
import { CallCount, type CallNeed } from '../summary/call-needs.js';
import { followFills, type FollowedFills } from '../figures/follow-fills.js';
import { ListHash, type HashedFields } from './list-hash.js';
import type { ForcedFill, ListCounts, OrderCount } from './result-figures.js';
import type { Result } from './result-schema.js';
import type { FillEffect, RunOrder, RunRecord } from '../run-record.js';

/** The part of a summary that comes from the orders and fills of a run. */
interface RunTotals {
  readonly hash: Result['hash'];
  readonly counts: ListCounts;
  readonly calls: readonly CallNeed[];
  readonly followed: FollowedFills;
}

/**
 * Reads the orders and the fills of a run once and keeps none of them.
 *
 * @throws {InvariantError} `E_OVERCLOSED`, `E_MISSING` when the record contradicts itself.
 */
export function readTotals(record: RunRecord): RunTotals {
  const orders = countOrders(record);
  const hash = new ListHash();
  let { isForced } = orders;
  const followed = followFills(record, (fill) => {
    hash.add(hashedFill(fill));
    isForced ||= fill.cause !== undefined;
  });
  const forced = isForced ? forcedFills(record) : [];
  return {
    hash: { orders: orders.hash, fills: hash.digest() },
    counts: { orders: orders.counts, fills: record.fills.length, forced },
    calls: orders.calls,
    followed,
  };
}

interface CountedOrders {
  readonly hash: string;
  readonly counts: readonly OrderCount[];
  readonly calls: readonly CallNeed[];
  /** Whether the venue made one of the orders. */
  readonly isForced: boolean;
}

function countOrders(record: RunRecord): CountedOrders {
  const calls = new CallCount(record);
  const hash = new ListHash();
  const counts = new Map<string, { -readonly [Key in keyof OrderCount]: OrderCount[Key] }>();
  let isForced = false;
  let left = record.orders.length - record.closingOrders;
  for (const order of record.orders) {
    const { status, reason } = order.state;
    // Orders that close a run are no calls of the strategy.
    left -= 1;
    if (left >= 0) calls.take(order);
    hash.add(hashedOrder(order));
    isForced ||= forcedCause(order.cause) !== undefined;
    const key = reason === undefined ? status : `${status}, ${reason.text}`;
    const known = counts.get(key);
    if (known === undefined)
      counts.set(key, { status, reasonText: reason?.text ?? null, count: 1 });
    else known.count += 1;
  }
  return { hash: hash.digest(), counts: [...counts.values()], calls: calls.needs(), isForced };
}

/** The same fields as in the orders of a result. */
function hashedOrder({ request, state }: RunOrder): HashedFields {
  return {
    time: state.createdTime,
    instrument: request.instrumentId,
    action: request.action,
    side: request.side,
    price: request.type === 'limit' ? formatFixed(request.limitPrice) : null,
    quantity: formatFixed(request.quantity),
  };
}

/** The same fields as in the fills of a result. */
function hashedFill({ record }: FillEffect): HashedFields {
  return {
    time: record.eventTime,
    instrument: record.instrumentId,
    action: record.action,
    side: record.side,
    price: formatFixed(record.price),
    quantity: formatFixed(record.quantity),
  };
}

/** Trades that the venue made. The cause of the order takes precedence over the cause of the fill. */
function forcedFills({ orders, fills }: RunRecord): readonly ForcedFill[] {
  const causes = new Map(
    Array.from(orders, ({ request, cause }) => [request.clientOrderId, cause]),
  );
  return [...fills].flatMap(({ record, cause }) => {
    const forced = forcedCause(causes.get(record.clientOrderId) ?? cause);
    const { eventTime: time, instrumentId: instrument } = record;
    return forced === undefined ? [] : [{ cause: forced, time, instrument }];
  });
}

function forcedCause(cause: OrderCause | undefined): ForcedCause | undefined {
  return FORCED_CAUSES.find((forced) => forced === cause);
}
