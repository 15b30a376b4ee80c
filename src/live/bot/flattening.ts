import { formatUtc, nounOf, SECOND_MS, type EpochMs, type Halt } from '../../domain/index.js';
import type { FeedTime } from '../../feed/index.js';

/** Whether a halt orders to leave every position. */
export function isFlatten({ action }: Pick<Halt, 'action'>): boolean {
  return action === 'flatten';
}

interface FlatteningOptions {
  /** The machine's time. */
  readonly time: FeedTime;
  /** Positions and orders that are left, for people; empty: flat. */
  readonly left: () => readonly string[];
  /** Whether commands wait or are on their way. */
  readonly isSending: () => boolean;
  /** Tells the engine to cancel every order and to close every position. */
  readonly tell: () => void;
  /** Takes the progress while flattening goes on; undefined once the bot is flat, or flattening was ended. */
  readonly onProgress: (text: string | undefined) => void;
  /** Called when the bot is flat. */
  readonly onFlat: (text: string) => void;
}

const LOOK_MS = 250;
/** Pause between two tries while no command is on its way. It doubles each time, so that an unreachable venue is not called without end. */
const FIRST_PAUSE_MS = 2 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * SECOND_MS;

/**
 * Closes every position, and retries until that is done: if the venue refuses an exit, or it cannot be sent, the engine is told again. Flattening
 * ends when the bot is flat, or when {@link Flattening.end} is called.
 */
export class Flattening {
  readonly #options: FlatteningOptions;
  #since: EpochMs | undefined;
  #tries = 0;
  /** Time since the last try, counted in looks: the clock of the machine may be set meanwhile. */
  #waitedMs = 0;
  #cancel = (): void => undefined;

  constructor(options: FlatteningOptions) {
    this.#options = options;
  }

  get isUnderWay(): boolean {
    return this.#since !== undefined;
  }

  /** Begins. If flattening already goes on, tries again at once. */
  begin(): void {
    this.#since ??= this.#options.time.now();
    this.#tries = 0;
    this.#try();
    this.#cancel();
    this.#lookLater();
  }

  /** Goes on with a flatten that the engine has just begun by itself: the engine made the first try. */
  follow(): void {
    if (this.isUnderWay) return;
    this.#since = this.#options.time.now();
    this.#waitedMs = 0;
    this.#tries = 1;
    this.#lookLater();
  }

  /** Stops flattening. Commands on their way are not withdrawn. */
  end(): void {
    if (this.#since === undefined) return;
    this.#since = undefined;
    this.#cancel();
    this.#options.onProgress(undefined);
  }

  #try(): void {
    this.#tries += 1;
    this.#waitedMs = 0;
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
    this.#waitedMs += LOOK_MS;
    if (found.length === 0 && !isSending()) {
      this.end();
      onFlat(`flat: every position is closed and no order is working, requested at ${since}`);
      return;
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.#tries - 1), LONGEST_PAUSE_MS);
    if (!isSending() && this.#waitedMs >= pauseMs) this.#try();
    const what = found.length === 0 ? 'commands on their way' : found.join(', ');
    const tried = nounOf(this.#tries, 'once', `${String(this.#tries)} times`);
    onProgress(`flattening since ${since}, tried ${tried}, goes on until flat or resumed: ${what}`);
    // The callback may have ended the flattening.
    if (this.isUnderWay) this.#lookLater();
  }
}
