import { Observable } from 'rxjs';
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

export interface PollOptions<T> {
  readonly time: FeedTime;
  readonly call: (signal: AbortSignal) => Promise<T>;
  /** Milliseconds from an answer, after it was processed, to the next call. */
  readonly delayAfter: () => number;
  /** Delay of the first call, in ms. @defaultValue 0 */
  readonly firstDelayMs?: number;
  /** Pause after the first failure, in ms; doubled with each further failure, up to `maxRetryMs`. @defaultValue 1000 */
  readonly retryMs?: number;
  /** @defaultValue 30000 */
  readonly maxRetryMs?: number;
  /** Wakes the poll: a waiting poll calls at once (not after a failure), and a calling one calls again right after the answer. */
  readonly wake$?: Observable<unknown>;
}

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
  const { time, call, delayAfter, wake$ } = options;
  const { firstDelayMs = 0, retryMs = 1_000, maxRetryMs = 30_000 } = options;
  return new Observable((subscriber) => {
    const controller = new AbortController();
    let failures = 0;
    let isCalling = false;
    let isWoken = false;
    let cancel = (): void => undefined;

    const schedule = (delayMs: number): void => {
      cancel();
      if (!subscriber.closed) cancel = time.after(Math.max(0, delayMs), attempt);
    };
    const settle = (outcome: PollOutcome<T>, delayMs: () => number): void => {
      isCalling = false;
      if (subscriber.closed) return;
      subscriber.next(outcome);
      const isAgain = isWoken && outcome.kind === 'answer';
      isWoken = false;
      schedule(isAgain ? 0 : delayMs());
    };
    const fail = (error: unknown): void => {
      if (subscriber.closed) return;
      if (isFatal(error)) {
        subscriber.error(error);
        return;
      }
      failures += 1;
      const known = error as TradingError;
      const backoff = Math.min(maxRetryMs, retryMs * 2 ** (failures - 1));
      const asked = known instanceof RateLimitError ? known.retryAfterMs : 0;
      settle({ kind: 'failure', error: known, at: time.now(), failures }, () =>
        Math.max(backoff, asked),
      );
    };
    const attempt = (): void => {
      isCalling = true;
      new Promise<T>((resolve) => {
        resolve(call(controller.signal));
      }).then((value) => {
        failures = 0;
        settle({ kind: 'answer', value, at: time.now() }, delayAfter);
      }, fail);
    };

    schedule(firstDelayMs);
    const waking = wake$?.subscribe({
      next: () => {
        if (isCalling) isWoken = true;
        else if (failures === 0) schedule(0);
      },
      error: (error: unknown) => {
        subscriber.error(error);
      },
    });
    return () => {
      waking?.unsubscribe();
      cancel();
      controller.abort();
    };
  });
}

/** Milliseconds to the next time on a grid. Polls with one period and different phases are spread over it. */
export function delayToGrid(now: EpochMs, periodMs: number, phaseMs: number): number {
  const since = (((now - phaseMs) % periodMs) + periodMs) % periodMs;
  return periodMs - since;
}
