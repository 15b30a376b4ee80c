import { formatUtc, InvariantError, type EpochMs } from '../domain/index.js';

/** More than any finite loop needs at one instant: ten thousand orders may rest at one price. */
const MOST_STEPS = 100_000;

/** Counts the steps that a loop takes at one instant, and stops a loop that would never leave it. A bug must not hang a process that manages money. */
export class InstantSteps {
  readonly #what: string;
  #time: EpochMs = Number.NaN;
  #steps = 0;

  /** @param what - takes the steps; for the error */
  constructor(what: string) {
    this.#what = what;
  }

  /** @throws {InvariantError} `E_TIME_STANDS` when there are too many at one instant. */
  count(time: EpochMs): void {
    if (time !== this.#time) {
      this.#time = time;
      this.#steps = 0;
      return;
    }
    this.#steps += 1;
    if (this.#steps < MOST_STEPS) return;
    throw new InvariantError(
      'E_TIME_STANDS',
      `${this.#what}: time stands at ${formatUtc(time)} after ${String(MOST_STEPS)} steps`,
    );
  }
}
