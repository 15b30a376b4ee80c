import type { EpochMs } from '../domain/index.js';
import type { Command } from '../runtime/index.js';

interface Traveling {
  readonly command: Command;
  readonly arrival: EpochMs;
}

/** Commands on their way to the venue, by time of arrival, then in the order they were given. */
export class CommandQueue {
  #queue: Traveling[] = [];

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  nextArrival(): EpochMs {
    return this.#queue[0]?.arrival ?? Number.POSITIVE_INFINITY;
  }

  send(command: Command, arrival: EpochMs): void {
    let index = this.#queue.length;
    while (index > 0 && (this.#queue[index - 1]?.arrival ?? 0) > arrival) index -= 1;
    this.#queue.splice(index, 0, { command, arrival });
  }

  /** Takes what has arrived by `time`. */
  arrivedBy(time: EpochMs): readonly Command[] {
    const count = this.#queue.findIndex(({ arrival }) => arrival > time);
    const arrived = count === -1 ? this.#queue : this.#queue.slice(0, count);
    this.#queue = count === -1 ? [] : this.#queue.slice(count);
    return arrived.map(({ command }) => command);
  }
}
