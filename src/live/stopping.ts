import { SECOND_MS } from '../domain/index.js';
import type { FeedTime } from '../feed/index.js';

export interface StoppingOptions {
  /** The machine's time. */
  readonly time: FeedTime;
  /** Whether the stop is complete. */
  readonly isSettled: () => boolean;
  /** Whether to keep waiting. */
  readonly isWanted: () => boolean;
  /** Takes the time since the stop began, in ms, to explain why the bot has not stopped yet. */
  readonly explain: (waitedMs: number) => void;
}

const LOOK_MS = 250;
/** The operator is told within half a minute why the bot has not stopped, and then each minute. */
const FIRST_WORD_MS = 25 * SECOND_MS;
const NEXT_WORD_MS = 60 * SECOND_MS;

/** Waits until a stop is complete, or is no longer wanted. */
export async function untilSettled(options: StoppingOptions): Promise<void> {
  const { time, isSettled, isWanted, explain } = options;
  const begun = time.now();
  let nextWord = FIRST_WORD_MS;
  for (;;) {
    await new Promise<void>((resolve) => {
      time.after(LOOK_MS, resolve);
    });
    if (isSettled() || !isWanted()) return;
    const waitedMs = time.now() - begun;
    if (waitedMs < nextWord) continue;
    nextWord += NEXT_WORD_MS;
    explain(waitedMs);
  }
}
