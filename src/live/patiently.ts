import { mayPass, type TradingError } from '../domain/index.js';
import type { FeedTime } from '../feed/index.js';

export interface PatienceOptions {
  readonly time: Pick<FeedTime, 'after'>;
  /** Number of tries, including the first. @defaultValue 8 */
  readonly tries?: number | undefined;
  /** Pause after the first failure, in ms; doubled with each further failure. @defaultValue 500 */
  readonly pauseMs?: number;
  /** Longest pause. @defaultValue 30 s */
  readonly longestPauseMs?: number | undefined;
  /** Whether a failure may pass. @defaultValue {@link mayPass} */
  readonly isPassing?: ((error: unknown) => error is TradingError) | undefined;
  /** Whether to go on at all. @defaultValue always */
  readonly isWanted?: (() => boolean) | undefined;
  /** Takes each failure that is followed by another try. */
  readonly onFailure?: ((error: TradingError) => void) | undefined;
  /** Ends the tries during a pause. */
  readonly signal?: AbortSignal | undefined;
}

const LONGEST_PAUSE_MS = 30_000;
/** Longest pause for a bot that may guard a position: stops are sampled soon after the venue is back. */
export const GUARDED_PAUSE_MS = 2_000;
/** Pause between two checks whether a ban is over. */
const BAN_PAUSE_MS = 5_000;

/** Repeats work until it succeeds, for failures that may pass. Failed work must change nothing. @throws the last failure. */
export async function patiently<T>(work: () => Promise<T>, options: PatienceOptions): Promise<T> {
  const { time, tries = 8, pauseMs = 500, longestPauseMs = LONGEST_PAUSE_MS, signal } = options;
  const { isPassing = mayPass, isWanted = () => true, onFailure = () => undefined } = options;
  for (let failures = 1; ; failures += 1) {
    let delayMs = Math.min(longestPauseMs, pauseMs * 2 ** (failures - 1));
    try {
      return await work();
    } catch (error: unknown) {
      if (!isPassing(error) || failures >= tries || !isWanted() || signal?.aborted === true)
        throw error;
      onFailure(error);
      // During a ban no request is sent, so this try does not count.
      if (error.code === 'E_BANNED') {
        failures -= 1;
        delayMs = BAN_PAUSE_MS;
      }
    }
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = time.after(delayMs, end);
      signal?.addEventListener('abort', end);
    });
    signal?.throwIfAborted();
  }
}
