import type { FeedTime } from '../../../feed/index.js';

export interface GridOptions {
  readonly time: FeedTime;
  readonly periodMs: number;
  readonly signal: AbortSignal;
}

/** Does something at multiples of a period, one at a time: what takes longer leaves some out. Ends with the signal. @throws what the work throws. */
export async function onGrid(
  { time, periodMs, signal }: GridOptions,
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await pause(time, periodMs - (time.now() % periodMs), signal);
    if (signal.aborted) return;
    await work();
  }
}

/** Resolves after so many milliseconds, or when the signal is aborted. */
export function pause(time: FeedTime, delayMs: number, signal: AbortSignal): Promise<void> {
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
