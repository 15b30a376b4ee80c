import { TradingError } from '../domain/index.js';
import type { FeedTime } from '../feed/index.js';

export interface PatienceOptions {
  readonly time: Pick<FeedTime, 'after'>;
  /** Tries, the first one counted. @defaultValue 8 */
  readonly tries?: number;
  /** After the first failure; doubled with each further one, up to 30 s. @defaultValue 500 */
  readonly pauseMs?: number;
  /** Whether to go on at all. @defaultValue always */
  readonly isWanted?: () => boolean;
}

const LONGEST_PAUSE_MS = 30_000;

/** Does something that only reads until it works, for failures that a later try may mend. @throws the last failure. */
export async function patiently<T>(work: () => Promise<T>, options: PatienceOptions): Promise<T> {
  const { time, tries = 8, pauseMs = 500, isWanted = () => true } = options;
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error: unknown) {
      const isMendable = error instanceof TradingError && error.retryable;
      if (!isMendable || failures >= tries || !isWanted()) throw error;
    }
    const delayMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2 ** (failures - 1));
    await new Promise<void>((resolve) => {
      time.after(delayMs, resolve);
    });
  }
}
