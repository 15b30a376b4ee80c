import { present, type EpochMs } from '../../domain/index.js';
import type { Command } from '../../engine/index.js';

/** Commands on their way to the venue, by time of arrival, then in the order they were given. */
export class CommandQueue {
  readonly #commands: Command[] = [];
  /** When each of them arrives. */
  readonly #arrivals: EpochMs[] = [];

  get isEmpty(): boolean {
    return this.#commands.length === 0;
  }

  nextArrival(): EpochMs {
    return this.#arrivals[0] ?? Number.POSITIVE_INFINITY;
  }

  send(command: Command, arrival: EpochMs): void {
    const count = this.#arrivals.length;
    let index = count;
    while (index > 0 && (this.#arrivals[index - 1] ?? 0) > arrival) index -= 1;
    if (index === count) {
      this.#commands.push(command);
      this.#arrivals.push(arrival);
    } else {
      this.#commands.splice(index, 0, command);
      this.#arrivals.splice(index, 0, arrival);
    }
  }

  /** How many have arrived by `time`. */
  arrivedBy(time: EpochMs): number {
    let count = 0;
    while ((this.#arrivals[count] ?? Number.POSITIVE_INFINITY) <= time) count += 1;
    return count;
  }

  /** Takes the one that arrives first; there must be one. */
  take(): Command {
    this.#arrivals.shift();
    return present(this.#commands.shift(), 'a command on its way');
  }

  takeAll(): readonly Command[] {
    this.#arrivals.length = 0;
    return this.#commands.splice(0);
  }
}
