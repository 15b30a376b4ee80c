import type { EpochMs } from '../../domain/index.js';
import { limitRulesOf, RateLimitPolicy, type LimitRule } from '../../venue/index.js';
import { ENDPOINT_LIST, type AnyEndpoint } from '../../venue/wire/index.js';

export interface CallLimitOptions {
  /** Refused calls within {@link abuseMs} after which a caller is banned. @defaultValue 50 */
  readonly banAfter?: number | undefined;
  /** @defaultValue 60000 */
  readonly abuseMs?: number | undefined;
  /** How long a ban lasts. @defaultValue 120000 */
  readonly banMs?: number | undefined;
  /** Callers that are remembered. Beyond this number, the caller that was silent for longest is forgotten. @defaultValue 10000 */
  readonly maxCallers?: number | undefined;
}

/** The verdict of the limits on a call. */
type LimitVerdict =
  | { readonly kind: 'served' }
  /** One call too many (429). The next call fits after `retryAfterMs`. */
  | { readonly kind: 'limited'; readonly retryAfterMs: number }
  /** Too many refused calls (418). */
  | { readonly kind: 'banned'; readonly retryAfterMs: number };

interface Caller {
  readonly policy: RateLimitPolicy;
  /** Instants of refused calls that still count as abuse, oldest first. */
  refusals: EpochMs[];
  bannedUntil: EpochMs;
}

/**
 * The limits of the endpoint table, per key and per address. Each caller has a sliding window for every bucket. Its times are given by the caller of
 * {@link charge}: transport time, not market time.
 *
 * The interface says "418 after ignoring 429" and no number; the numbers here are this exchange's own.
 */
export class CallLimits {
  readonly #options: Required<{ [K in keyof CallLimitOptions]: number }>;
  readonly #rules: readonly LimitRule[] = limitRulesOf(ENDPOINT_LIST);
  /** In the order of their last calls. */
  readonly #callers = new Map<string, Caller>();

  constructor(options: CallLimitOptions = {}) {
    this.#options = {
      banAfter: options.banAfter ?? 50,
      abuseMs: options.abuseMs ?? 60_000,
      banMs: options.banMs ?? 120_000,
      maxCallers: options.maxCallers ?? 10_000,
    };
  }

  /** Number of callers that are remembered. */
  get size(): number {
    return this.#callers.size;
  }

  /** Counts one call. `principal` identifies the budget: `key …` or `address …`. */
  charge(now: EpochMs, principal: string, { rateLimit }: AnyEndpoint): LimitVerdict {
    const caller = this.#callerOf(principal);
    if (caller.bannedUntil > now) {
      return { kind: 'banned', retryAfterMs: caller.bannedUntil - now };
    }
    const admission = caller.policy.admit(now, {
      ruleId: rateLimit.bucket,
      principal,
      // A server reserves nothing for commands: all calls have the same priority.
      priority: 'market-data',
      ...(rateLimit.weight === undefined ? {} : { weight: rateLimit.weight }),
    });
    if (admission.kind === 'admitted') return { kind: 'served' };
    return this.#refuse(caller, now, admission.kind === 'later' ? admission.at : now);
  }

  #refuse(caller: Caller, now: EpochMs, fitsAt: EpochMs): LimitVerdict {
    const { abuseMs, banAfter, banMs } = this.#options;
    caller.refusals = caller.refusals.filter((instant) => instant + abuseMs > now);
    caller.refusals.push(now);
    if (caller.refusals.length < banAfter) {
      return { kind: 'limited', retryAfterMs: fitsAt - now };
    }
    caller.refusals = [];
    caller.bannedUntil = now + banMs;
    return { kind: 'banned', retryAfterMs: banMs };
  }

  #callerOf(principal: string): Caller {
    const known = this.#callers.get(principal);
    const caller = known ?? {
      policy: new RateLimitPolicy({ rules: this.#rules }),
      refusals: [],
      bannedUntil: Number.NEGATIVE_INFINITY,
    };
    if (known !== undefined) this.#callers.delete(principal);
    this.#callers.set(principal, caller);
    if (this.#callers.size > this.#options.maxCallers) {
      const [longestSilent] = this.#callers.keys();
      if (longestSilent !== undefined) this.#callers.delete(longestSilent);
    }
    return caller;
  }
}
