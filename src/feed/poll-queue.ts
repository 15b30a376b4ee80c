import type { EpochMs } from '../domain/index.js';
import type { FeedTime } from './feed-time.js';

/** A piece of polling. Returns the rest after it, as a multiple of its duration; no other piece begins during the rest. */
export type PollPiece = () => Promise<number>;

/**
 * Gives turns at a scarce budget: one piece of polling at a time, first come first served. After each piece comes a rest in proportion to its
 * duration, including the slot of its last call. The calls that this leaves are for other uses.
 */
export class PollQueue {
  readonly #time: FeedTime;
  readonly #slotMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #restsUntil: EpochMs = Number.NEGATIVE_INFINITY;

  /** `slotMs`: time after a call in which no other call may follow. */
  constructor(time: FeedTime, slotMs = 0) {
    this.#time = time;
    this.#slotMs = slotMs;
  }

  /** Runs a piece when its turn comes. If aborted before, the piece does not run. @throws errors of the piece. */
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
