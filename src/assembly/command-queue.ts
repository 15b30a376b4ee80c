import type { EpochMs } from '../domain/index.js';
import type { Command } from '../runtime/index.js';

interface Traveling {
  readonly command: Command;
  readonly arrival: EpochMs;
}

const NONE: readonly Command[] = [];

/** Commands on their way to the venue, by time of arrival, then in the order they were given. */
export class CommandQueue {
  readonly #queue: Traveling[] = [];

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  nextArrival(): EpochMs {
    return this.#queue[0]?.arrival ?? Number.POSITIVE_INFINITY;
  }

  send(command: Command, arrival: EpochMs): void {
    let index = this.#queue.length;
    while (index > 0 && (this.#queue[index - 1]?.arrival ?? 0) > arrival) index -= 1;
    if (index === this.#queue.length) this.#queue.push({ command, arrival });
    else this.#queue.splice(index, 0, { command, arrival });
  }

  /** Takes what has arrived by `time`. */
  arrivedBy(time: EpochMs): readonly Command[] {
    const [first, second] = this.#queue;
    if (first === undefined || first.arrival > time) return NONE;
    if (second === undefined) {
      this.#queue.pop();
      return [first.command];
    }
    const count = this.#queue.findIndex(({ arrival }) => arrival > time);
    return this.#queue
      .splice(0, count === -1 ? this.#queue.length : count)
      .map(({ command }) => command);
  }
}
