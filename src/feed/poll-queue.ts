import type { EpochMs } from '../domain/index.js';
import type { FeedTime } from './feed-time.js';

/** A piece of polling. Returns the rest after it, as a multiple of its duration; no other piece begins during the rest. */
type PollPiece = () => Promise<number>;

/** Longest rest that a waiting piece accepts now, as a multiple of the duration of the piece before. */
type LongestRest = () => number;

const ANY_REST: LongestRest = () => Number.POSITIVE_INFINITY;

/**
 * Gives turns at a scarce budget: one piece of polling at a time, first come first served. After each piece comes a rest in proportion to its
 * duration, including the slot of its last call. The calls that this leaves are for other uses. The rest is the shortest that this piece or one that
 * waits asks for: a bot with nothing at work does not hold up one with orders.
 */
export class PollQueue {
  readonly #time: FeedTime;
  readonly #slotMs: number;
  readonly #waiting = new Set<{ readonly longestRest: LongestRest }>();
  #last: Promise<unknown> = Promise.resolve();
  #ended: EpochMs = Number.NEGATIVE_INFINITY;
  #tookMs = 0;
  #rest = 0;
  #wake = (): void => undefined;

  /** `slotMs`: time after a call in which no other call may follow. */
  constructor(time: FeedTime, slotMs = 0) {
    this.#time = time;
    this.#slotMs = slotMs;
  }

  /** Runs a piece when its turn comes. If aborted before, the piece does not run. @throws errors of the piece. */
  take(piece: PollPiece, signal: AbortSignal, longestRest = ANY_REST): Promise<void> {
    const before = this.#last;
    const result = this.#run(before, piece, { signal, longestRest });
    this.#last = Promise.all([before, result.catch(() => undefined)]);
    return result;
  }

  /** Asks those who wait again how long they accept to rest. Call if that may have become less. */
  hurry(): void {
    this.#wake();
  }

  async #run(
    before: Promise<unknown>,
    piece: PollPiece,
    turn: { readonly signal: AbortSignal; readonly longestRest: LongestRest },
  ): Promise<void> {
    this.#waiting.add(turn);
    this.hurry();
    await unlessAborted(before, turn.signal);
    for (let restMs = this.#restMs(); restMs > 0 && !turn.signal.aborted; restMs = this.#restMs())
      await this.#pause(restMs, turn.signal);
    this.#waiting.delete(turn);
    if (turn.signal.aborted) return;
    const began = this.#time.now();
    // A piece that fails has used the budget too.
    this.#rest = 1;
    try {
      this.#rest = await piece();
    } finally {
      this.#ended = this.#time.now() + this.#slotMs;
      this.#tookMs = this.#ended - began;
    }
  }

  #restMs(): number {
    const asked = [...this.#waiting].map(({ longestRest }) => longestRest());
    return this.#ended + Math.min(this.#rest, ...asked) * this.#tookMs - this.#time.now();
  }

  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    let cancel = (): void => undefined;
    const pause = new Promise<void>((resolve) => {
      cancel = this.#time.after(delayMs, resolve);
      this.#wake = resolve;
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
