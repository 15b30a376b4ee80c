import {
  AuthError,
  formatUtc,
  present,
  RateLimitError,
  type Clock,
  type EpochMs,
} from '../domain/index.js';
import type { BudgetUse, RateLimitPolicy } from '../venue/index.js';
import { CallScheduler, LONGEST_REST_MS, type LimitedCall, type Ticket } from '../venue/index.js';
import { onAbort, throwIfAnyAborted } from './abort-listeners.js';
import type { Timers } from './ports.js';

export interface CallQueueOptions {
  readonly policy: RateLimitPolicy;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Calls that may wait for one budget. @defaultValue 1000 */
  readonly maxWaiting?: number;
}

interface Waiter {
  /** Undefined when the caller gave up. */
  readonly end: (result: Ticket | Error | undefined) => void;
}

/** Lets calls wait for their share of the rate limits, most urgent first; one for all hosts, keys and bots of a process. */
export class CallQueue {
  readonly #policy: RateLimitPolicy;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #maxWaiting: number;
  readonly #scheduler: CallScheduler<Waiter>;
  #alarm: { readonly at: EpochMs; readonly cancel: () => void } | undefined;
  #waiting = 0;

  constructor({ policy, clock, timers, maxWaiting = 1_000 }: CallQueueOptions) {
    this.#policy = policy;
    this.#clock = clock;
    this.#timers = timers;
    this.#maxWaiting = maxWaiting;
    this.#scheduler = new CallScheduler(policy);
  }

  /**
   * Resolves when the call may be sent, which must then happen at once.
   *
   * @throws the reason of a signal that is aborted meanwhile. {@link RateLimitError} `E_QUEUE_FULL` when too many calls wait already, for all but exits.
   * {@link AuthError} `E_BANNED` when the venue has banned us.
   */
  enter(call: LimitedCall, ...signals: readonly AbortSignal[]): Ticket | Promise<Ticket> {
    throwIfAnyAborted(signals);
    const now = this.#clock.now();
    if (this.#scheduler.waitingFor(call) === 0) {
      const admission = this.#policy.admit(now, call);
      if (admission.kind === 'admitted') return admission.ticket;
      if (admission.kind === 'stopped') throw bannedError(admission);
    } else if (call.priority !== 'exit' && this.#scheduler.waitingFor(call) >= this.#maxWaiting) {
      const { windowMs, limit, id } = this.#policy.ruleOf(call);
      const emptyMs = Math.ceil((this.#maxWaiting / limit) * windowMs);
      const retryAfterMs = Math.min(emptyMs, LONGEST_REST_MS);
      const text = `${String(this.#maxWaiting)} calls wait for the limit "${id}" already; nothing was sent`;
      throw new RateLimitError('E_QUEUE_FULL', text, retryAfterMs);
    }
    return this.#wait(call, signals);
  }

  /** The answer is here: the venue has counted the call by now. */
  settle(ticket: Ticket): void {
    // The venue's clock ticks at another phase than ours: one millisecond more is certain.
    ticket.settle(this.#clock.now() + 1);
    if (this.#waiting > 0) this.#pump();
  }

  accepted(ticket: Ticket): void {
    this.#policy.accepted(ticket);
    // What waits for the answer to the one call that asks after a rest may go.
    if (this.#waiting > 0) this.#pump();
  }

  refused(ticket: Ticket, retryAfterMs: number): void {
    this.#policy.refused(this.#clock.now(), ticket, retryAfterMs);
  }

  /** The venue banned us, for so long where it says that: nothing goes, and what waits is told so. Returns until when. */
  stop(principal: string, forMs?: number): EpochMs {
    const now = this.#clock.now();
    this.#policy.stop(now, principal, forMs);
    this.#pump();
    return this.banOf(principal)?.until ?? now;
  }

  /** Since when and until when we are banned; undefined where we are not. */
  banOf(principal: string): ReturnType<RateLimitPolicy['banOf']> {
    return this.#policy.banOf(principal);
  }

  /** Lifts a ban, when a person says so. */
  resume(principal: string): void {
    this.#policy.resume(principal);
  }

  /** See {@link RateLimitPolicy.assumeSpent}. */
  assumeSpent(principal: string, until: EpochMs): void {
    this.#policy.assumeSpent(principal, until);
  }

  /** What is used now of each budget that a principal has used. */
  uses(principal: string): readonly BudgetUse[] {
    return this.#policy.uses(this.#clock.now(), principal);
  }

  async #wait(call: LimitedCall, signals: readonly AbortSignal[]): Promise<Ticket> {
    const result = await new Promise<Ticket | Error | undefined>((resolve) => {
      const waiter: Waiter = {
        end: (ended) => {
          this.#waiting -= 1;
          letGo();
          resolve(ended);
        },
      };
      const letGo = onAbort(signals, () => {
        if (this.#scheduler.remove(waiter)) waiter.end(undefined);
      });
      this.#waiting += 1;
      this.#scheduler.add({ call, item: waiter });
      this.#pump();
    });
    if (result instanceof Error) throw result;
    if (result === undefined) throwIfAnyAborted(signals);
    return present(result, 'a ticket');
  }

  #pump(): void {
    const now = this.#clock.now();
    const { admitted, stopped, nextAt } = this.#scheduler.due(now);
    for (const { item, ticket } of admitted) item.end(ticket);
    for (const { item, ...ban } of stopped) item.end(bannedError(ban));
    if (this.#alarm?.at === nextAt) return;
    this.#alarm?.cancel();
    this.#alarm =
      nextAt === undefined ? undefined : { at: nextAt, cancel: this.#wake(nextAt - now) };
  }

  #wake(delayMs: number): () => void {
    return this.#timers.after(Math.max(1, Math.ceil(delayMs)), () => {
      this.#alarm = undefined;
      this.#pump();
    });
  }
}

function bannedError({
  since,
  until,
}: {
  readonly since: EpochMs;
  readonly until: EpochMs;
}): AuthError {
  return new AuthError(
    'E_BANNED',
    `the venue banned this address at ${formatUtc(since)} (HTTP 418): nothing is sent until ${formatUtc(until)}`,
  );
}
