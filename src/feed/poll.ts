import { Observable } from 'rxjs';
import {
  DomainError,
  InvariantError,
  RateLimitError,
  TradingError,
  type EpochMs,
} from '../domain/index.js';
import type { FeedTime } from './feed-time.js';

/** What one call brought. */
export type PollOutcome<T> =
  | { readonly kind: 'answer'; readonly value: T; readonly at: EpochMs }
  | {
      readonly kind: 'failure';
      readonly error: TradingError;
      readonly at: EpochMs;
      /** Failures in a row, this one counted. */
      readonly failures: number;
    };

export interface PollOptions<T> {
  readonly time: FeedTime;
  readonly call: (signal: AbortSignal) => Promise<T>;
  /** Milliseconds from an answer, after it was taken in, to the next call. */
  readonly delayAfter: () => number;
  /** To the first call. @defaultValue 0 */
  readonly firstDelayMs?: number;
  /** After the first failure; doubled with each further one, up to `maxRetryMs`. @defaultValue 1000 */
  readonly retryMs?: number;
  /** @defaultValue 30000 */
  readonly maxRetryMs?: number;
  /** Tells a poll that waits to call at once, and one that is calling to call again right after. */
  readonly wake$?: Observable<unknown>;
}

/** Failures that no later call mends. */
const isFatal = (error: unknown): boolean =>
  !(error instanceof TradingError) ||
  error instanceof DomainError ||
  error instanceof InvariantError;

/**
 * Calls again and again, one call at a time: a slow one delays the next and never overlaps it.
 *
 * Cold; replays 0; never completes; errors when a call fails in a way that no later call mends (a bug); scheduler: the
 * time given. Unsubscribing ends the call that is on its way.
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

/** Milliseconds to the next instant of a grid: polls with one period and different phases are spread over it. */
export function delayToGrid(now: EpochMs, periodMs: number, phaseMs: number): number {
  const since = (((now - phaseMs) % periodMs) + periodMs) % periodMs;
  return periodMs - since;
}
