import { present, type EpochMs } from '../../domain/index.js';

/** What is on its way to the venue, by time of arrival, then in the order it was sent. */
export class ArrivalQueue<T> {
  readonly #items: T[] = [];
  /** When each of them arrives. */
  readonly #arrivals: EpochMs[] = [];

  get count(): number {
    return this.#items.length;
  }

  /** Infinity when nothing is on its way. */
  nextArrival(): EpochMs {
    return this.#arrivals[0] ?? Number.POSITIVE_INFINITY;
  }

  send(item: T, arrival: EpochMs): void {
    const count = this.#arrivals.length;
    let index = count;
    while (index > 0 && (this.#arrivals[index - 1] ?? 0) > arrival) index -= 1;
    if (index === count) {
      this.#items.push(item);
      this.#arrivals.push(arrival);
    } else {
      this.#items.splice(index, 0, item);
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
  take(): T {
    this.#arrivals.shift();
    return present(this.#items.shift(), 'something on its way');
  }

  takeAll(): readonly T[] {
    this.#arrivals.length = 0;
    return this.#items.splice(0);
  }
}
