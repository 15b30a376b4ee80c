import type { FeedTime } from '../../../feed/index.js';

interface GridOptions {
  readonly time: FeedTime;
  readonly periodMs: number;
  readonly signal: AbortSignal;
}

/** Does the work at multiples of a period, one run at a time; a long run skips some multiples. Ends with the signal. @throws errors of the work. */
export async function onGrid(
  { time, periodMs, signal }: GridOptions,
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await pauseUntilAbort(time, periodMs - (time.now() % periodMs), signal);
    if (signal.aborted) return;
    await work();
  }
}

/** Resolves after `delayMs` milliseconds, or when the signal is aborted. */
export function pauseUntilAbort(
  time: FeedTime,
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = time.after(delayMs, end);
    signal.addEventListener('abort', end);
  });
}
