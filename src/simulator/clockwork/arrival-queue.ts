import { present, type EpochMs } from '../../domain/index.js';

/** Up to this many taken places may stay at the front of the arrays. */
const MOST_TAKEN = 64;

/**
 * Items on their way to the venue, by time of arrival, then in the order of sending. The arrays are reused. Usually one item comes and goes at a
 * time, and an emptied array would allocate again for each of them.
 */
export class ArrivalQueue<T> {
  readonly #items: (T | undefined)[] = [];
  /** Time of arrival of each item. */
  readonly #arrivals: EpochMs[] = [];
  /**
   * Index of the first item that was not taken, and the index after the last. Moving all waiting items at each take would be slow when there are
   * many.
   */
  #first = 0;
  #end = 0;
  /** Number of waiting items. */
  count = 0;

  /** Infinity when nothing is on its way. */
  nextArrival(): EpochMs {
    return this.#first < this.#end
      ? (this.#arrivals[this.#first] as EpochMs)
      : Number.POSITIVE_INFINITY;
  }

  add(item: T, arrival: EpochMs): void {
    const index = this.#placeOf(arrival);
    if (index === this.#end) {
      this.#items[index] = item;
      this.#arrivals[index] = arrival;
    } else {
      this.#items.splice(index, 0, item);
      this.#arrivals.splice(index, 0, arrival);
    }
    this.#end += 1;
    this.count += 1;
  }

  /** Index after all items that arrive by then. Nearly always the end; otherwise found by binary search. */
  #placeOf(arrival: EpochMs): number {
    const arrivals = this.#arrivals;
    let [low, high] = [this.#first, this.#end];
    if (high === low || (arrivals[high - 1] as EpochMs) <= arrival) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((arrivals[middle] as EpochMs) <= arrival) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Number of items that have arrived by `time`. */
  arrivedBy(time: EpochMs): number {
    let place = this.#first;
    while (place < this.#end && (this.#arrivals[place] as EpochMs) <= time) place += 1;
    return place - this.#first;
  }

  /** Takes the item that arrives first; there must be one. */
  take(): T {
    const item = present(this.#items[this.#first], 'something on its way');
    this.#items[this.#first] = undefined;
    this.#first += 1;
    this.count -= 1;
    if (this.count === 0) {
      this.#first = 0;
      this.#end = 0;
    } else if (this.#first > MOST_TAKEN && 2 * this.#first > this.#end) this.#drop(this.#first);
    return item;
  }

  takeAll(): readonly T[] {
    const all = this.#items.slice(this.#first, this.#end) as readonly T[];
    this.#items.fill(undefined);
    this.#first = 0;
    this.#end = 0;
    this.count = 0;
    return all;
  }

  #drop(count: number): void {
    this.#items.splice(0, count);
    this.#arrivals.splice(0, count);
    this.#first = 0;
    this.#end -= count;
  }
}
