import { SECOND_MS } from '../domain/index.js';
import type { FeedTime } from '../feed/index.js';

/** The operator is told within half a minute what a start or a stop waits for, and then each minute. */
export const FIRST_WORD_MS = 25 * SECOND_MS;
export const NEXT_WORD_MS = 60 * SECOND_MS;

/**
 * Waits for work. While it takes long, `explain` is called again and again, with the time since the work began, in ms. `time`: the machine's timers.
 *
 * @throws the error of the work.
 */
export async function explained<T>(
  work: Promise<T>,
  time: Pick<FeedTime, 'after'>,
  explain: (waitedMs: number) => void,
): Promise<T> {
  let cancel = (): void => undefined;
  const wait = (waitedMs: number, delayMs: number): void => {
    cancel = time.after(delayMs, () => {
      explain(waitedMs);
      wait(waitedMs + NEXT_WORD_MS, NEXT_WORD_MS);
    });
  };
  wait(FIRST_WORD_MS, FIRST_WORD_MS);
  try {
    return await work;
  } finally {
    cancel();
  }
}

/** Says that a bot is still busy, and what it waits for. */
export function stillBusy(what: string, waitedMs: number, causes: readonly string[]): string {
  const seconds = String(Math.round(waitedMs / SECOND_MS));
  return `the bot is still ${what} after ${seconds} s; it waits for: ${causes.join('; ')}`;
}
