import type { RandomSource, Timers } from './ports.js';

export interface RetryOptions {
  /** Further tries of a call that may be repeated. @defaultValue 2 */
  readonly retries?: number;
  /** Wait before the first of them; each further one doubles it. @defaultValue 200 */
  readonly firstDelayMs?: number;
  /** @defaultValue 5000 */
  readonly maxDelayMs?: number;
}

export const DEFAULT_RETRY = {
  retries: 2,
  firstDelayMs: 200,
  maxDelayMs: 5_000,
} as const satisfies Required<RetryOptions>;

/** Wait before the retry after `failures` failures: doubled each time, and between half of it and all of it, by chance. */
export function retryDelayMs(
  failures: number,
  { firstDelayMs, maxDelayMs }: Required<RetryOptions>,
  random: RandomSource,
): number {
  const full = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
  return Math.round(full * (0.5 + random() / 2));
}

/** Resolves after the delay. @throws the signal's reason when it is aborted meanwhile. */
export async function pause(delayMs: number, timers: Timers, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timers.after(delayMs, end);
    signal.addEventListener('abort', end);
  });
  signal.throwIfAborted();
}
