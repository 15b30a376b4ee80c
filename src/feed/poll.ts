import { Observable, type Subscriber } from 'rxjs';
import {
  DomainError,
  InvariantError,
  RateLimitError,
  TradingError,
  type EpochMs,
} from '../domain/index.js';
import type { FeedTime } from './feed-time.js';

/** Outcome of one call. */
export type PollOutcome<T> =
  | { readonly kind: 'answer'; readonly value: T; readonly at: EpochMs }
  | {
      readonly kind: 'failure';
      readonly error: TradingError;
      readonly at: EpochMs;
      /** Failures in a row, including this one. */
      readonly failures: number;
    };

interface PollOptions<T> {
  readonly time: FeedTime;
  readonly call: (signal: AbortSignal) => Promise<T>;
  /** Milliseconds from an answer, after it was processed, to the next call. */
  readonly delayAfter: () => number;
  /** Delay of the first call, in ms. @defaultValue 0 */
  readonly firstDelayMs?: number;
  /** Pause after the first failure, in ms; doubled with each further failure, up to 30 s. @defaultValue 1000 */
  readonly retryMs?: number;
}

const MAX_RETRY_MS = 30_000;

/** Failures that later calls cannot repair. */
const isFatal = (error: unknown): boolean =>
  !(error instanceof TradingError) ||
  error instanceof DomainError ||
  error instanceof InvariantError;

/**
 * Calls repeatedly, one call at a time: a slow call delays the next and never overlaps it.
 *
 * Cold; replays 0; never completes; errors when a call fails in a way that later calls cannot repair (a bug); scheduler: the time given.
 * Unsubscribing ends the call that is on its way.
 */
export function poll<T>(options: PollOptions<T>): Observable<PollOutcome<T>> {
  return new Observable((subscriber) => {
    const calls = new RepeatedCalls(options, subscriber);
    calls.begin();
    return () => {
      calls.end();
    };
  });
}

/** The calls of one subscription to {@link poll}. */
class RepeatedCalls<T> {
  readonly #options: PollOptions<T>;
  readonly #subscriber: Subscriber<PollOutcome<T>>;
  readonly #controller = new AbortController();
  #failures = 0;
  #cancel = (): void => undefined;

  constructor(options: PollOptions<T>, subscriber: Subscriber<PollOutcome<T>>) {
    this.#options = options;
    this.#subscriber = subscriber;
  }

  begin(): void {
    this.#schedule(this.#options.firstDelayMs ?? 0);
  }

  /** Ends the call that is on its way. */
  end(): void {
    this.#cancel();
    this.#controller.abort();
  }

  #schedule(delayMs: number): void {
    if (this.#subscriber.closed) return;
    this.#cancel = this.#options.time.after(Math.max(0, delayMs), () => {
      this.#call();
    });
  }

  #call(): void {
    const { time, call, delayAfter } = this.#options;
    new Promise<T>((resolve) => {
      resolve(call(this.#controller.signal));
    }).then(
      (value) => {
        this.#failures = 0;
        this.#settle({ kind: 'answer', value, at: time.now() }, delayAfter);
      },
      (error: unknown) => {
        this.#fail(error);
      },
    );
  }

  #fail(error: unknown): void {
    if (this.#subscriber.closed) return;
    if (isFatal(error)) {
      this.#subscriber.error(error);
      return;
    }
    const { time, retryMs = 1_000 } = this.#options;
    this.#failures += 1;
    const failures = this.#failures;
    const known = error as TradingError;
    const backoff = Math.min(MAX_RETRY_MS, retryMs * 2 ** (failures - 1));
    const asked = known instanceof RateLimitError ? known.retryAfterMs : 0;
    this.#settle({ kind: 'failure', error: known, at: time.now(), failures }, () =>
      Math.max(backoff, asked),
    );
  }

  #settle(outcome: PollOutcome<T>, delayMs: () => number): void {
    if (this.#subscriber.closed) return;
    this.#subscriber.next(outcome);
    this.#schedule(delayMs());
  }
}

/** Milliseconds to the next time on a grid. Polls with one period and different phases are spread over it. */
export function delayToGrid(now: EpochMs, periodMs: number, phaseMs: number): number {
  const since = (((now - phaseMs) % periodMs) + periodMs) % periodMs;
  return periodMs - since;
}
