import { InvariantError, type EpochMs } from '../../domain/index.js';
import { CALL_PRIORITIES, isCommand, type LimitedCall } from './limit-rule.js';
import type { RateLimitPolicy } from './rate-limit-policy.js';
import type { Ticket } from './ticket.js';

/** A call that waits for its share, with the item that the owner of the queue gets back when the call may go. */
interface WaitingCall<T> {
  readonly call: LimitedCall;
  readonly item: T;
}

interface DueCalls<T> {
  /** In the order in which they go. */
  readonly admitted: readonly { readonly item: T; readonly ticket: Ticket }[];
  /** Calls of stopped principals: they will not go. */
  readonly stopped: readonly {
    readonly item: T;
    readonly since: EpochMs;
    readonly until: EpochMs;
  }[];
  /** When to ask again; undefined when nothing waits. */
  readonly nextAt: EpochMs | undefined;
}

/** Times that later calls may go before the one that has waited longest. */
export const MAX_PASSES = 7;

interface Numbered<T> extends WaitingCall<T> {
  readonly sequence: number;
}

interface WaitingCalls<T> {
  waiting: Numbered<T>[];
  passes: number;
}

/**
 * Orders calls that wait for the same budget. Pure: the owner calls {@link due} at the instants that {@link DueCalls.nextAt} names.
 *
 * The order: the priorities of {@link CALL_PRIORITIES}, first come first served within one. So that nothing waits for ever: when {@link MAX_PASSES} calls in a
 * row have gone before the one that has waited longest, that one goes next. Under any load the longest waiting call gets at least every eighth share, and a
 * cancel is put back by at most one share in eight. What a rule keeps for commands is never given to other calls, however long they have waited.
 */
export class CallScheduler<T> {
  readonly #policy: RateLimitPolicy;
  readonly #callsByKey = new Map<string, WaitingCalls<T>>();
  #sequence = 0;

  constructor(policy: RateLimitPolicy) {
    this.#policy = policy;
  }

  /** Puts a call in its queue. The same object takes it out again with {@link remove}. */
  add(waiting: WaitingCall<T>): void {
    const { principal } = waiting.call;
    const key = `${principal}\n${this.#policy.ruleOf(waiting.call).id}`;
    const calls = this.#callsByKey.get(key) ?? { waiting: [], passes: 0 };
    this.#callsByKey.set(key, calls);
    calls.waiting.push({ ...waiting, sequence: this.#sequence });
    this.#sequence += 1;
  }

  /** Takes a call out because its owner gave up. Says whether it was still waiting. */
  remove(item: T): boolean {
    for (const calls of this.#callsByKey.values()) {
      const index = calls.waiting.findIndex((waiting) => waiting.item === item);
      if (index >= 0) {
        calls.waiting.splice(index, 1);
        return true;
      }
    }
    return false;
  }

  /** How many calls wait for the budget of this call. */
  waitingFor({ principal, ruleId }: LimitedCall): number {
    return this.#callsByKey.get(`${principal}\n${ruleId}`)?.waiting.length ?? 0;
  }

  /** Takes out every call that may go at `now`. */
  due(now: EpochMs): DueCalls<T> {
    const admitted: { item: T; ticket: Ticket }[] = [];
    const stopped: { item: T; since: EpochMs; until: EpochMs }[] = [];
    let nextAt: EpochMs | undefined;
    for (const [key, calls] of this.#callsByKey) {
      for (;;) {
        const step = this.#next(now, calls);
        if (step === undefined) break;
        if (step.kind === 'later') {
          nextAt = Math.min(nextAt ?? step.at, step.at);
          break;
        }
        if (step.kind === 'stopped') {
          const { since, until } = step;
          stopped.push(...calls.waiting.map(({ item }) => ({ item, since, until })));
          calls.waiting = [];
          break;
        }
        admitted.push({ item: step.chosen.item, ticket: step.ticket });
        takeOut(calls, step.chosen);
      }
      if (calls.waiting.length === 0) this.#callsByKey.delete(key);
    }
    return { admitted, stopped, nextAt };
  }

  #next(now: EpochMs, calls: WaitingCalls<T>): Step<T> | undefined {
    let earliest: EpochMs | undefined;
    for (const chosen of inOrder(calls)) {
      const admission = this.#policy.admit(now, chosen.call);
      if (admission.kind === 'admitted') return { ...admission, chosen };
      if (admission.kind === 'stopped') return admission;
      earliest = Math.min(earliest ?? admission.at, admission.at);
      // A call that waits for the budget itself is not overtaken by lighter ones. One that waits only because the rest
      // is kept for commands does not hold those up.
      if (admission.reason !== 'kept') break;
    }
    return earliest === undefined ? undefined : { kind: 'later', at: earliest };
  }
}

type Step<T> =
  | { readonly kind: 'admitted'; readonly ticket: Ticket; readonly chosen: Numbered<T> }
  | { readonly kind: 'later'; readonly at: EpochMs }
  | { readonly kind: 'stopped'; readonly since: EpochMs; readonly until: EpochMs };

/** The calls to try, in order: the first choice; if that is no command, then the first command. */
function* inOrder<T>({ waiting, passes }: WaitingCalls<T>): Generator<Numbered<T>> {
  const [oldest] = waiting;
  if (oldest === undefined) return;
  const first = passes >= MAX_PASSES ? oldest : headOf(waiting);
  yield first;
  if (isCommand(first.call.priority)) return;
  const command =
    waiting.find(({ call }) => call.priority === 'exit') ??
    waiting.find(({ call }) => call.priority === 'entry');
  if (command !== undefined) yield command;
}

function headOf<T>(waiting: readonly Numbered<T>[]): Numbered<T> {
  for (const priority of CALL_PRIORITIES) {
    const head = waiting.find(({ call }) => call.priority === priority);
    if (head !== undefined) return head;
  }
  throw new InvariantError('E_MISSING', 'no call is waiting');
}

function takeOut<T>(calls: WaitingCalls<T>, chosen: Numbered<T>): void {
  const index = calls.waiting.indexOf(chosen);
  calls.waiting.splice(index, 1);
  calls.passes = index === 0 ? 0 : calls.passes + 1;
}
