import type { EpochMs } from '../../../domain/index.js';
import type { ToGuard } from './guard-link.js';

/** Without a beat for so long a process counts as stuck: stopped, blocked, or starved. */
export const SILENCE_MS = 3_000;
/** From one look to the next. */
export const LOOK_MS = 250;
/** A look that is later than this says that this process was stopped itself, with the whole machine perhaps: it knows nothing of the other's beats. */
const OWN_LATENESS_MS = 1_000;

export interface WatchedBot {
  readonly name: string;
  /** Whether it guarded something when it was last heard of. */
  readonly isGuarding: boolean;
}

export interface OwnerWatchOptions {
  /** Of the bots that the process runs. */
  readonly bots: readonly string[];
  /** The process has said nothing for {@link SILENCE_MS}; called once, with the bots that it should guard. */
  readonly silent: (bots: readonly WatchedBot[]) => void;
  /** Bots whose process cannot guard them any more, each once. `isGuarding`: whether something was guarded when it was last heard of. */
  readonly takeOver: (
    bots: readonly { readonly name: string; readonly isGuarding: boolean }[],
  ) => void;
}

/** Decides when the guard process takes over: by what the process of the bots tells, and by its silence. Times are of a clock that never goes back. */
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

  /** Whether nothing is left that it might take over. */
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

  /** To be called every {@link LOOK_MS}. */
  look(now: EpochMs): void {
    const isLate = now - this.#lastLook > OWN_LATENESS_MS;
    this.#lastLook = now;
    if (isLate) this.#lastBeat = now;
    if (this.#isGone || this.#isSilent || now - this.#lastBeat <= SILENCE_MS) return;
    this.#isSilent = true;
    this.#options.silent([...this.#watched].map((name) => this.#known(name)));
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
