import { mayPass, type TradingError } from '../domain/index.js';
import type { FeedTime } from '../feed/index.js';

export interface PatienceOptions {
  readonly time: Pick<FeedTime, 'after'>;
  /** Tries, the first one counted. @defaultValue 8 */
  readonly tries?: number | undefined;
  /** After the first failure; doubled with each further one. @defaultValue 500 */
  readonly pauseMs?: number;
  /** Bound of that. @defaultValue 30 s */
  readonly longestPauseMs?: number | undefined;
  /** Whether a failure may pass. @defaultValue {@link mayPass} */
  readonly isPassing?: ((error: unknown) => error is TradingError) | undefined;
  /** Whether to go on at all. @defaultValue always */
  readonly isWanted?: (() => boolean) | undefined;
  /** Told of each failure that it goes on after. */
  readonly onFailure?: ((error: TradingError) => void) | undefined;
  /** Ends it between two tries. */
  readonly signal?: AbortSignal | undefined;
}

const LONGEST_PAUSE_MS = 30_000;
/** The same for who may have something to guard: stops are sampled soon after the venue is back. */
export const GUARDED_PAUSE_MS = 2_000;
/** From one look whether a ban is over to the next. */
const BAN_PAUSE_MS = 5_000;

/** Does something that changes nothing where it fails until it works, for failures that may pass. @throws the last failure. */
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
      // A ban is waited out: nothing is sent while it lasts, so nothing was tried.
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
