import type { FeedTime } from '../../feed/index.js';
import { FIRST_WORD_MS, NEXT_WORD_MS } from '../explained.js';

export interface StoppingOptions {
  /** The machine's timers. */
  readonly time: Pick<FeedTime, 'after'>;
  /** Whether the stop is complete. */
  readonly isSettled: () => boolean;
  /** Whether to keep waiting, after so many ms. */
  readonly isWanted: (waitedMs: number) => boolean;
  /** Takes the time since the stop began, in ms, to explain why the bot has not stopped yet. */
  readonly explain: (waitedMs: number) => void;
}

const LOOK_MS = 250;

/** Waits until a stop is complete, or is no longer wanted. */
export async function untilSettled(options: StoppingOptions): Promise<void> {
  const { time, isSettled, isWanted, explain } = options;
  let nextWord = FIRST_WORD_MS;
  // Counted in looks: the clock of the machine may be set meanwhile.
  for (let waitedMs = LOOK_MS; ; waitedMs += LOOK_MS) {
    await new Promise<void>((resolve) => {
      time.after(LOOK_MS, resolve);
    });
    if (isSettled() || !isWanted(waitedMs)) return;
    if (waitedMs < nextWord) continue;
    nextWord += NEXT_WORD_MS;
    explain(waitedMs);
  }
}
