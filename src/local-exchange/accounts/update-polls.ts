import type { ClientOrderId, EpochMs } from '../../domain/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../venue/index.js';

/** What the venue is doing: the first or the second half of an instant. Requests are answered in the second. */
type Stage = 'before' | 'after';

/**
 * When a bot learns what the venue did by itself: at the next multiple of the grid, where what opens at a multiple is learned
 * at the one after it (DESIGN R2). Answers to requests are known at once; they tell of their own order alone.
 */
export class UpdatePolls {
  readonly #gridMs: number;
  #stage: Stage = 'before';
  /** The order that a request is about. */
  #asked: ClientOrderId | undefined;
  /** Rising. */
  readonly #due: EpochMs[] = [];

  constructor(gridMs: number) {
    this.#gridMs = gridMs;
  }

  enter(stage: Stage): void {
    this.#stage = stage;
  }

  /** What happens while a request is carried out is its answer, as far as it is about this order. */
  answer(asked: ClientOrderId | undefined): void {
    this.#asked = asked;
  }

  note(update: VenueUpdate): void {
    if (isOrderUpdate(update) && update.clientOrderId === this.#asked) return;
    const { eventTime } = update;
    const poll = Math.ceil(eventTime / this.#gridMs) * this.#gridMs;
    const due = this.#stage === 'after' && poll === eventTime ? poll + this.#gridMs : poll;
    if (this.#due.at(-1) !== due) this.#due.push(due);
  }

  /** The first poll after an instant that has something to tell; Infinity when there is none. */
  next(time: EpochMs): EpochMs {
    while ((this.#due[0] ?? Number.POSITIVE_INFINITY) <= time) this.#due.shift();
    return this.#due[0] ?? Number.POSITIVE_INFINITY;
  }
}
