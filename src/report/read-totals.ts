import {
  FORCED_CAUSES,
  formatFixed,
  type ClientOrderId,
  type ForcedCause,
  type OrderCause,
} from '../domain/index.js';
import { CallCount, type CallNeed } from './call-needs.js';
import { FillValuer } from './fill-value.js';
import { FillTotals, openBook, type FollowedFills } from './follow-fills.js';
import { ListHash, type HashedFields } from './list-hash.js';
import type { ForcedFill, ListCounts, OrderCount } from './result-figures.js';
import type { Result } from './result-schema.js';
import type { RunFill, RunOrder, RunRecord } from './run-record.js';

/** What a summary says of the orders and fills of a run. */
export interface RunTotals {
  readonly hash: Result['hash'];
  readonly counts: ListCounts;
  readonly calls: readonly CallNeed[];
  readonly followed: FollowedFills;
}

/**
 * Goes through the orders and the fills of a run once, and keeps none of them.
 *
 * @throws {InvariantError} `E_OVERCLOSED`, `E_MISSING` when the record contradicts itself.
 */
export function readTotals(record: RunRecord): RunTotals {
  const { isForced, ...orders } = countOrders(record);
  const causes = new FillCauses(record.orders, isForced);
  const book = openBook(record);
  const valuer = new FillValuer(record.instruments);
  const totals = new FillTotals(record, book);
  const hash = new ListHash();
  const forced: ForcedFill[] = [];
  for (const fill of record.fills) {
    const { eventTime: time, instrumentId: instrument } = fill.record;
    const value = valuer.of(fill);
    totals.passTo(time);
    totals.add(value, book.take(value));
    hash.add(hashedFill(fill));
    const cause = causes.of(fill);
    if (cause !== undefined) forced.push({ cause, time, instrument });
  }
  return {
    hash: { orders: orders.hash, fills: hash.digest() },
    counts: { orders: orders.counts, fills: record.fills.length, forced },
    calls: orders.calls,
    followed: totals.finish(),
  };
}

interface CountedOrders {
  readonly hash: string;
  readonly counts: readonly OrderCount[];
  readonly calls: readonly CallNeed[];
  /** Whether the venue made one of them. */
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
    // Those that close a run are no calls of the strategy.
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

/** As the list of a result has it. */
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

/** As the list of a result has it. */
function hashedFill({ record }: RunFill): HashedFields {
  return {
    time: record.eventTime,
    instrument: record.instrumentId,
    action: record.action,
    side: record.side,
    price: formatFixed(record.price),
    quantity: formatFixed(record.quantity),
  };
}

/** Why the venue traded for us, fill by fill. */
class FillCauses {
  readonly #orders: RunRecord['orders'];
  readonly #isForced: boolean;
  #byId: ReadonlyMap<ClientOrderId, OrderCause> | undefined;

  constructor(orders: RunRecord['orders'], isForced: boolean) {
    this.#orders = orders;
    this.#isForced = isForced;
  }

  /** Undefined for what our orders did. What its order says goes before what the fill says. */
  of({ record, cause }: RunFill): ForcedCause | undefined {
    // Of most runs neither says anything, and no id has to be looked up.
    if (cause === undefined && !this.#isForced) return undefined;
    this.#byId ??= new Map(
      Array.from(this.#orders, (order) => [order.request.clientOrderId, order.cause]),
    );
    return forcedCause(this.#byId.get(record.clientOrderId) ?? cause);
  }
}

function forcedCause(cause: OrderCause | undefined): ForcedCause | undefined {
  return FORCED_CAUSES.find((forced) => forced === cause);
}
