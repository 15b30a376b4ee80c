import { present, type EpochMs } from '../../domain/index.js';

/** So many that were taken may stand before those that are on their way. */
const MOST_TAKEN = 64;

/** What is on its way to the venue, by time of arrival, then in the order it was sent. */
export class ArrivalQueue<T> {
  readonly #items: (T | undefined)[] = [];
  /** When each of them arrives. */
  readonly #arrivals: EpochMs[] = [];
  /** Place of the first that was not taken: to move all that wait with each would take as long as there are many. */
  #first = 0;

  get count(): number {
    return this.#items.length - this.#first;
  }

  /** Infinity when nothing is on its way. */
  nextArrival(): EpochMs {
    return this.#arrivals[this.#first] ?? Number.POSITIVE_INFINITY;
  }

  send(item: T, arrival: EpochMs): void {
    const index = this.#placeOf(arrival);
    if (index === this.#arrivals.length) {
      this.#items.push(item);
      this.#arrivals.push(arrival);
    } else {
      this.#items.splice(index, 0, item);
      this.#arrivals.splice(index, 0, arrival);
    }
  }

  /** Behind all that arrive by then. Nearly always the last place; else it is halved for. */
  #placeOf(arrival: EpochMs): number {
    const arrivals = this.#arrivals;
    let [low, high] = [this.#first, arrivals.length];
    if (high === low || (arrivals[high - 1] ?? 0) <= arrival) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((arrivals[middle] ?? 0) <= arrival) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How many have arrived by `time`. */
  arrivedBy(time: EpochMs): number {
    let place = this.#first;
    while ((this.#arrivals[place] ?? Number.POSITIVE_INFINITY) <= time) place += 1;
    return place - this.#first;
  }

  /** Takes the one that arrives first; there must be one. */
  take(): T {
    const item = present(this.#items[this.#first], 'something on its way');
    this.#items[this.#first] = undefined;
    this.#first += 1;
    if (this.#first === this.#items.length) this.#drop(this.#first);
    else if (this.#first > MOST_TAKEN && 2 * this.#first > this.#items.length)
      this.#drop(this.#first);
    return item;
  }

  takeAll(): readonly T[] {
    const all = this.#items.slice(this.#first) as readonly T[];
    this.#drop(this.#items.length);
    return all;
  }

  #drop(count: number): void {
    this.#items.splice(0, count);
    this.#arrivals.splice(0, count);
    this.#first = 0;
  }
}
