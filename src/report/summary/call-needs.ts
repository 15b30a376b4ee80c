import {
  CANCELED_ON_REQUEST,
  FORCED_CAUSES,
  MINUTE_MS,
  type InstrumentId,
} from '../../domain/index.js';
import { countText } from './figure-text.js';
import type { CallLimit, InstrumentCalls, Polls, RunOrder, RunRecord } from '../run-record.js';

/** Calls that a strategy needs under one limit of the venue. */
export interface CallNeed {
  readonly limit: string;
  /** Calls per minute that the venue allows. */
  readonly allowed: number;
  /** Most calls in any 60 s of the run. */
  readonly peak: number;
  /** Calls per minute, over the run. */
  readonly mean: number;
}

interface Counted {
  readonly limit: CallLimit;
  polls: number;
  /** Times of submits and cancels. */
  readonly times: number[];
}

type CalledRun = Pick<RunRecord, 'calls' | 'orders' | 'closingOrders' | 'run'>;

/**
 * Counts the calls that a live bot would have made, by limit in alphabetical order. Orders and cancels are those of the run. Polls assume that orders worked
 * all the time on each instrument with an order, and that stops were watched on each instrument where a stop or target led to an order.
 */
export function countCalls(run: CalledRun): readonly CallNeed[] {
  const count = new CallCount(run);
  let left = run.orders.length - run.closingOrders;
  for (const order of run.orders) {
    left -= 1;
    if (left >= 0) count.take(order);
  }
  return count.needs();
}

/** Counts as {@link countCalls}, order by order. */
export class CallCount {
  readonly #run: Pick<CalledRun, 'calls' | 'run'>;
  readonly #needs = new Map<string, Counted>();
  readonly #traded = new Set<InstrumentId>();
  readonly #watched = new Set<InstrumentId>();
  readonly #cancels = new Map<InstrumentId, Map<number, number>>();

  constructor(run: Pick<CalledRun, 'calls' | 'run'>) {
    this.#run = run;
  }

  /** Takes an order of the run. Orders that the venue made are ignored. Orders that close the run must not be passed. */
  take(order: RunOrder): void {
    const { instrumentId } = order.request;
    const own = this.#run.calls.get(instrumentId);
    if (own === undefined || isForced(order)) return;
    this.#traded.add(instrumentId);
    if (isWatched(order)) this.#watched.add(instrumentId);
    this.#need(own.submit).times.push(order.state.createdTime);
    const { reason, updatedTime } = order.state;
    if (reason?.code !== CANCELED_ON_REQUEST.code) return;
    const byTime = this.#cancels.get(instrumentId) ?? new Map<number, number>();
    this.#cancels.set(instrumentId, byTime.set(updatedTime, (byTime.get(updatedTime) ?? 0) + 1));
  }

  /** Needs of all limits, after all orders have been taken. */
  needs(): readonly CallNeed[] {
    const { calls, run } = this.#run;
    for (const [instrumentId, own] of calls) {
      this.#poll(own.candles);
      if (this.#traded.has(instrumentId)) this.#poll(own.orders);
      if (this.#watched.has(instrumentId)) this.#poll(own.ticker);
      for (const [time, count] of this.#cancels.get(instrumentId) ?? [])
        for (const limit of cancelCalls(count, own)) this.#need(limit).times.push(time);
    }
    const minutes = Math.max(1, (run.to - run.from) / MINUTE_MS);
    return [...this.#needs.values()]
      .map(({ limit, polls, times }) => ({
        limit: limit.name,
        allowed: limit.perMinute,
        peak: polls + mostInAMinute(times),
        mean: Math.round((polls + times.length / minutes) * 100) / 100,
      }))
      .sort((a, b) => (a.limit < b.limit ? -1 : 1));
  }

  #need(limit: CallLimit): Counted {
    let known = this.#needs.get(limit.name);
    if (known === undefined) {
      known = { limit, polls: 0, times: [] };
      this.#needs.set(limit.name, known);
    }
    return known;
  }

  #poll(polls: Polls | undefined): void {
    if (polls !== undefined) this.#need(polls.limit).polls += polls.perMinute;
  }
}

/** Warns of each limit where the busiest minute needs more than half. */
export function listCallWarnings(needs: readonly CallNeed[]): readonly string[] {
  return needs
    .filter(({ allowed, peak }) => peak > allowed / 2)
    .map(
      ({ limit, allowed, peak }) =>
        `calls: live, the busiest minute would need ${String(peak)} of the limit "${limit}", more than half of the ${String(allowed)} that the venue allows`,
    );
}

/** Writes a need for people: `at most 36 a minute of futures, 32.07 on average, of 120 allowed`. */
export function describeCallNeed({ limit, allowed, peak, mean }: CallNeed): string {
  return `at most ${countText(peak)} a minute of ${limit}, ${String(mean)} on average, of ${countText(allowed)} allowed`;
}

function isForced({ cause }: RunOrder): boolean {
  return FORCED_CAUSES.some((forced) => forced === cause);
}

function isWatched({ cause }: RunOrder): boolean {
  return cause === 'stop-loss' || cause === 'trailing-stop' || cause === 'take-profit';
}

/** Calls that cancel `count` orders at one instant. */
function cancelCalls(count: number, { cancel, batchCancel }: InstrumentCalls): CallLimit[] {
  if (batchCancel === undefined) return Array.from({ length: count }, () => cancel);
  const batches = Math.ceil(count / batchCancel.orders);
  // A single remaining order is canceled by a call of its own.
  const isLastAlone = count % batchCancel.orders === 1;
  return Array.from({ length: batches }, (_, index) =>
    isLastAlone && index === batches - 1 ? cancel : batchCancel.limit,
  );
}

function mostInAMinute(times: readonly number[]): number {
  const sorted = Float64Array.from(times).sort();
  let most = 0;
  let first = 0;
  for (const [index, time] of sorted.entries()) {
    while ((sorted[first] ?? time) <= time - MINUTE_MS) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
