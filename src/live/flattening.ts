import { formatUtc, nounOf, SECOND_MS, type EpochMs } from '../domain/index.js';
import type { FeedTime } from '../feed/index.js';

export interface FlatteningOptions {
  /** The machine's time. */
  readonly time: FeedTime;
  /** What is still held or works, for people; empty: flat. */
  readonly left: () => readonly string[];
  /** Whether commands wait or are on their way. */
  readonly isSending: () => boolean;
  /** Tells the engine to withdraw every order and to leave every position. */
  readonly tell: () => void;
  /** How it stands, while it goes on; undefined once it is flat, or was ended. */
  readonly onProgress: (text: string | undefined) => void;
  /** It is flat. */
  readonly onFlat: (text: string) => void;
}

const LOOK_MS = 250;
/** From one try to the next, where nothing is on its way: doubled each time, so that a venue that is away is not called without end. */
const FIRST_PAUSE_MS = 2 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * SECOND_MS;

/**
 * Leaves every position, and goes on until that is done: an exit that the venue refuses, or that cannot be sent, is wanted again. It ends
 * when it is flat, or is told to.
 */
export class Flattening {
  readonly #options: FlatteningOptions;
  #since: EpochMs | undefined;
  #tries = 0;
  #toldAt: EpochMs = 0;
  #cancel = (): void => undefined;

  constructor(options: FlatteningOptions) {
    this.#options = options;
  }

  get isUnderWay(): boolean {
    return this.#since !== undefined;
  }

  /** Begins; where it goes on already it tries at once. */
  begin(): void {
    this.#since ??= this.#options.time.now();
    this.#tries = 0;
    this.#try();
    this.#cancel();
    this.#lookLater();
  }

  /** Goes on no longer; what is on its way is not withdrawn. */
  end(): void {
    if (this.#since === undefined) return;
    this.#since = undefined;
    this.#cancel();
    this.#options.onProgress(undefined);
  }

  #try(): void {
    this.#tries += 1;
    this.#toldAt = this.#options.time.now();
    this.#options.tell();
  }

  #lookLater(): void {
    this.#cancel = this.#options.time.after(LOOK_MS, () => {
      this.#look();
    });
  }

  #look(): void {
    const { time, left, isSending, onProgress, onFlat } = this.#options;
    const since = formatUtc(this.#since ?? time.now());
    const found = left();
    if (found.length === 0 && !isSending()) {
      this.end();
      onFlat(`flat: every position is left and no order works, wanted since ${since}`);
      return;
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.#tries - 1), LONGEST_PAUSE_MS);
    if (!isSending() && time.now() - this.#toldAt >= pauseMs) this.#try();
    const what = found.length === 0 ? 'commands on their way' : found.join(', ');
    const tried = nounOf(this.#tries, 'once', `${String(this.#tries)} times`);
    onProgress(`flattening since ${since}, tried ${tried}, goes on until flat or resumed: ${what}`);
    // Whoever was told may have ended it.
    if (this.isUnderWay) this.#lookLater();
  }
}
