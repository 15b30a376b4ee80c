import type { EpochMs } from '../../../domain/index.js';
import type { ToGuard } from './guard-link.js';

/** A process without a sign of life for this time counts as stuck: stopped, blocked, or starved. */
export const SILENCE_MS = 3_000;
/** Time between two looks. */
export const LOOK_MS = 250;
/** A look that is later than this means that this process itself was stopped, perhaps with the whole machine. Then it may have missed signs of life. */
const OWN_LATENESS_MS = 1_000;

export interface WatchedBot {
  readonly name: string;
  /** Whether the bot guarded something according to the last sign of life. */
  readonly isGuarding: boolean;
}

export interface OwnerWatchOptions {
  /** Names of the bots of the process. */
  readonly bots: readonly string[];
  /**
   * Called once when the process is silent for {@link SILENCE_MS}, with the bots that it should guard. `isSilent`: whether it has given no sign of life since.
   */
  readonly silent: (bots: readonly WatchedBot[], isSilent: () => boolean) => void;
  /**
   * Called with bots that their process cannot guard any more, once for each. `isGuarding`: whether the bot guarded something according to the last
   * sign of life.
   */
  readonly takeOver: (
    bots: readonly { readonly name: string; readonly isGuarding: boolean }[],
  ) => void;
}

/** Decides when the guard process takes over, from the messages of the process of the bots and from its silence. Times are of a monotonic clock. */
export class OwnerWatch {
  readonly #options: OwnerWatchOptions;
  /** Bots that are neither ended nor taken over. */
  readonly #watched: Set<string>;
  #guarding: ReadonlySet<string> = new Set();
  #lastBeat: EpochMs;
  #lastLook: EpochMs;
  #isGone = false;
  #isSilent = false;

  constructor(options: OwnerWatchOptions, now: EpochMs) {
    this.#options = options;
    this.#watched = new Set(options.bots);
    this.#lastBeat = now;
    this.#lastLook = now;
  }

  /** Whether no bot is left that it might take over. */
  get isOver(): boolean {
    return this.#isGone || this.#watched.size === 0;
  }

  hear(message: ToGuard, now: EpochMs): void {
    this.#lastBeat = now;
    this.#isSilent = false;
    if (message.kind === 'beat') this.#guarding = new Set(message.guarding);
    else if (message.isInOrder) this.#watched.delete(message.bot);
    else this.#take([message.bot]);
  }

  /** Call it every {@link LOOK_MS}. */
  look(now: EpochMs): void {
    const isLate = now - this.#lastLook > OWN_LATENESS_MS;
    this.#lastLook = now;
    if (isLate) this.#lastBeat = now;
    if (this.#isGone || this.#isSilent || now - this.#lastBeat <= SILENCE_MS) return;
    this.#isSilent = true;
    this.#options.silent(
      [...this.#watched].map((name) => this.#known(name)),
      () => this.#isSilent && !this.#isGone,
    );
  }

  /** The process has ended. */
  gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#take([...this.#watched]);
  }

  #take(bots: readonly string[]): void {
    const taken = bots.filter((bot) => this.#watched.delete(bot));
    if (taken.length > 0) this.#options.takeOver(taken.map((name) => this.#known(name)));
  }

  #known(name: string): WatchedBot {
    return { name, isGuarding: this.#guarding.has(name) };
  }
}
