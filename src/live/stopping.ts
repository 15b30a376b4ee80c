import { SECOND_MS } from '../domain/index.js';
import type { FeedTime } from '../feed/index.js';

export interface StoppingOptions {
  /** The machine's time. */
  readonly time: FeedTime;
  /** Whether nothing is left to be done. */
  readonly isSettled: () => boolean;
  /** Whether to wait on. */
  readonly isWanted: () => boolean;
  /** Says in one sentence why the bot has not stopped yet; `waitedMs` since it was told to. */
  readonly explain: (waitedMs: number) => void;
}

const LOOK_MS = 250;
/** Whoever stops a bot is told within half a minute why it goes on, and then each minute. */
const FIRST_WORD_MS = 25 * SECOND_MS;
const NEXT_WORD_MS = 60 * SECOND_MS;

/** Waits for what a stop has set going, as long as it is wanted. */
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
