import { onAnyAbort, throwIfAnyAborted } from '../http/abort-listeners.js';
import type { RandomSource, Timers } from '../ports.js';

export interface RetryOptions {
  /** Number of further tries of a repeatable call. @defaultValue 2 */
  readonly retries?: number;
  /** Wait before the first of them, in ms; doubled for each further one. @defaultValue 200 */
  readonly firstDelayMs?: number;
  /** @defaultValue 5000 */
  readonly maxDelayMs?: number;
}

export const DEFAULT_RETRY = {
  retries: 2,
  firstDelayMs: 200,
  maxDelayMs: 5_000,
} as const satisfies Required<RetryOptions>;

/** Wait before the retry after `failures` failures, in ms: doubled each time, then reduced at random by up to a half. */
export function retryDelayMs(
  failures: number,
  { firstDelayMs, maxDelayMs }: Required<RetryOptions>,
  random: RandomSource,
): number {
  const full = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
  return Math.round(full * (0.5 + random() / 2));
}

/** Resolves after the delay. @throws the reason of a signal that is aborted meanwhile. */
export async function pause(
  delayMs: number,
  timers: Timers,
  ...signals: readonly AbortSignal[]
): Promise<void> {
  throwIfAnyAborted(signals);
  await new Promise<void>((resolve) => {
    const end = (): void => {
      cancel();
      letGo();
      resolve();
    };
    const cancel = timers.after(delayMs, end);
    const letGo = onAnyAbort(signals, end);
  });
  throwIfAnyAborted(signals);
}
