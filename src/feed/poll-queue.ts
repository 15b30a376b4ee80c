import type { EpochMs } from '../domain/index.js';
import type { FeedTime } from './feed-time.js';

/** A piece of polling. Returns for how many times as long as it took nobody is to begin another. */
export type PollPiece = () => Promise<number>;

/**
 * Turns at a budget that is scarce: one piece of polling at a time, first come first served, and after each a rest in proportion to how
 * long it kept others from the budget: as long as it took, and the slot of its last call. What that leaves is for others.
 */
export class PollQueue {
  readonly #time: FeedTime;
  readonly #slotMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #restsUntil: EpochMs = Number.NEGATIVE_INFINITY;

  /** `slotMs`: how long after a call nobody else may make one. */
  constructor(time: FeedTime, slotMs = 0) {
    this.#time = time;
    this.#slotMs = slotMs;
  }

  /** Runs a piece when its turn has come; aborted before that, it is left out. @throws what the piece throws. */
  take(piece: PollPiece, signal: AbortSignal): Promise<void> {
    const before = this.#last;
    const result = this.#run(before, piece, signal);
    this.#last = Promise.all([before, result.catch(() => undefined)]);
    return result;
  }

  async #run(before: Promise<unknown>, piece: PollPiece, signal: AbortSignal): Promise<void> {
    await unlessAborted(before, signal);
    const restMs = this.#restsUntil - this.#time.now();
    if (restMs > 0) await this.#pause(restMs, signal);
    if (signal.aborted) return;
    const began = this.#time.now();
    // A piece that fails has used the budget too.
    let rest = 1;
    try {
      rest = await piece();
    } finally {
      const ended = this.#time.now() + this.#slotMs;
      this.#restsUntil = ended + rest * (ended - began);
    }
  }

  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    let cancel = (): void => undefined;
    const pause = new Promise<void>((resolve) => {
      cancel = this.#time.after(delayMs, resolve);
    });
    await unlessAborted(pause, signal);
    cancel();
  }
}

/** Resolves with the promise, or when the signal is aborted. */
async function unlessAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let onAbort = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
  });
  signal.addEventListener('abort', onAbort);
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
