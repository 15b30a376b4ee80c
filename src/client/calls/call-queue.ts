import {
  AuthError,
  formatUtc,
  present,
  RateLimitError,
  type Clock,
  type EpochMs,
} from '../../domain/index.js';
import type { BudgetUse, RateLimitPolicy } from '../../venue/index.js';
import {
  CallScheduler,
  LONGEST_REST_MS,
  type LimitedCall,
  type Ticket,
} from '../../venue/index.js';
import { onAnyAbort, throwIfAnyAborted } from '../http/abort-listeners.js';
import type { Timers } from '../ports.js';

interface CallQueueOptions {
  readonly policy: RateLimitPolicy;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Number of calls that may wait for one budget. @defaultValue 1000 */
  readonly maxWaiting?: number;
}

interface Waiter {
  /** Called with undefined if the caller gave up. */
  readonly end: (result: Ticket | Error | undefined) => void;
}

/** Lets calls wait for their share of the rate limits, most urgent first. One queue for all hosts, keys and bots of a process. */
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
   * Resolves when the call may be sent. The caller must then send it at once.
   *
   * @throws the reason of a signal that is aborted meanwhile. {@link RateLimitError} `E_QUEUE_FULL` if too many calls already wait, except for exits.
   * {@link AuthError} `E_BANNED` if the venue has banned us.
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

  /** Notes that the call was answered: the venue has counted it by now. */
  settle(ticket: Ticket): void {
    // The venue's clock has another phase than ours: one more millisecond makes it certain.
    ticket.settle(this.#clock.now() + 1);
    if (this.#waiting > 0) this.#pump();
  }

  /** Notes that the venue counts these calls only now, because it had not read them. */
  countAgain(tickets: readonly Ticket[]): void {
    const now = this.#clock.now();
    for (const { call } of tickets) this.#policy.count(now, call);
  }

  accepted(ticket: Ticket): void {
    this.#policy.accepted(ticket);
    // After a rest, one call goes first; the calls that wait for its answer may go now.
    if (this.#waiting > 0) this.#pump();
  }

  refused(ticket: Ticket, retryAfterMs: number): void {
    this.#policy.refused(this.#clock.now(), ticket, retryAfterMs);
  }

  /** Notes a ban, for `forMs` if the venue says it: no call is sent, and waiting calls fail. Returns the end of the ban. */
  stop(principal: string, forMs?: number): EpochMs {
    const now = this.#clock.now();
    this.#policy.stop(now, principal, forMs);
    this.#pump();
    return this.banOf(principal)?.until ?? now;
  }

  /** Start and end of our ban; undefined if there is none. */
  banOf(principal: string): ReturnType<RateLimitPolicy['banOf']> {
    return this.#policy.banOf(principal);
  }

  /** Ends a ban, at a person's request. */
  resume(principal: string): void {
    this.#policy.resume(principal);
  }

  /** See {@link RateLimitPolicy.assumeSpent}. */
  assumeSpent(principal: string, until: EpochMs): void {
    this.#policy.assumeSpent(principal, until);
  }

  /** Current use of each budget that a principal has used. */
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
      const letGo = onAnyAbort(signals, () => {
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
