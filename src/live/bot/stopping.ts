import type { Engine } from '../../engine/index.js';
import type { FeedTime } from '../../feed/index.js';
import { FIRST_WORD_MS, NEXT_WORD_MS, stillBusy } from '../explained.js';
import type { StopPolicy } from './bot-control.js';
import { describeLeft } from './unclosed.js';

interface LookOptions {
  /** The machine's timers. */
  readonly time: Pick<FeedTime, 'after'>;
  readonly isSettled: () => boolean;
  /** Whether to keep waiting, after so many ms. */
  readonly isWanted: (waitedMs: number) => boolean;
}

interface StoppingOptions extends Pick<LookOptions, 'time'> {
  readonly policy: Exclude<StopPolicy, 'keep'>;
  readonly engine: Engine;
  /** Whether commands wait or are on their way. */
  readonly isSending: () => boolean;
  readonly isFlattening: () => boolean;
  /** Whether the bot has stopped meanwhile. */
  readonly isOver: () => boolean;
  readonly warn: (text: string) => void;
}

const LOOK_MS = 250;
/** How long a stop with `cancel` waits for orders to end before it leaves them. */
const STOP_PATIENCE_MS = 60_000;
const STILL_WORKING = 'orders are still working 60 s after the stop: they stay at the venue';
/** How long a bot that is to be made again waits for the answers to its commands. */
const ANSWERS_MS = 60_000;

/** Waits until no order works. A flatten goes on until nothing is held, or until it is ended. */
export async function untilSettled(options: StoppingOptions): Promise<void> {
  const { time, policy, engine, isSending, isFlattening, isOver, warn } = options;
  const goesOn = (waitedMs: number): boolean => {
    if (policy === 'flatten') return isFlattening();
    if (waitedMs >= STOP_PATIENCE_MS) warn(STILL_WORKING);
    return waitedMs < STOP_PATIENCE_MS;
  };
  let nextWord = FIRST_WORD_MS;
  await lookUntil({
    time,
    isSettled: () => policy === 'cancel' && engine.workingOrders.length === 0 && !isSending(),
    isWanted: (waitedMs) => {
      if (isOver() || !goesOn(waitedMs)) return false;
      if (waitedMs < nextWord) return true;
      nextWord += NEXT_WORD_MS;
      const left = describeLeft(engine).join(', ') || 'commands on their way';
      const text = stillBusy(`stopping (${policy})`, waitedMs, [left]);
      warn(`${text}; a second signal ends the process at once`);
      return true;
    },
  });
}

/**
 * Waits until nothing is at the venue without an answer, up to a minute: a bot that ends reads no price, and would sample no stop as long as the
 * answers take. Returns whether all are there.
 */
export async function untilAnswered(
  options: Pick<LookOptions, 'time' | 'isSettled'> & { readonly isWanted: () => boolean },
): Promise<boolean> {
  const { isSettled, isWanted } = options;
  if (!isSettled())
    await lookUntil({
      ...options,
      isWanted: (waitedMs) => isWanted() && waitedMs < ANSWERS_MS,
    });
  return isSettled();
}

async function lookUntil({ time, isSettled, isWanted }: LookOptions): Promise<void> {
  // Counted in looks: the clock of the machine may be set meanwhile.
  for (let waitedMs = LOOK_MS; ; waitedMs += LOOK_MS) {
    await new Promise<void>((resolve) => {
      time.after(LOOK_MS, resolve);
    });
    if (isSettled() || !isWanted(waitedMs)) return;
  }
}
