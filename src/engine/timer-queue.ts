import type { EpochMs } from '../domain/index.js';
import { FollowUp } from './follow-up.js';
import { VirtualTimer } from './virtual-timer.js';

/** So few timers are not worth a search for canceled ones. */
const FEW = 1_024;

/**
 * Timers of one engine in order of due time, then of creation. A binary heap; canceled timers leave when they come to the top, or when
 * they may be half of it.
 */
export class TimerQueue {
  readonly #followUp: FollowUp;
  #heap: VirtualTimer[] = [];
  #sequence = 0;
  /** Length at which canceled timers are looked for. */
  #limit = FEW;

  /** `followUp` is called with each timer that is set. */
  constructor(followUp = new FollowUp()) {
    this.#followUp = followUp;
  }

  /** Adds a repeating timer of the strategy. Delays are whole milliseconds, at least 1, as Node's. */
  repeat(handler: () => void, now: EpochMs, delayMs: number): VirtualTimer {
    const period = Math.max(1, Math.trunc(delayMs) || 1);
    return this.#push(new VirtualTimer(handler, now + period, this.#nextSequence(), period, true));
  }

  /** Adds a timer that fires once at `due`. */
  once(handler: () => void, due: EpochMs, isOfStrategy = false): VirtualTimer {
    return this.#push(new VirtualTimer(handler, due, this.#nextSequence(), 0, isOfStrategy));
  }

  /** When the next timer is due; Infinity when there is none. */
  nextDue(): EpochMs {
    return this.#peek()?.due ?? Number.POSITIVE_INFINITY;
  }

  /** Timers held, with canceled ones that have not left yet. */
  get size(): number {
    return this.#heap.length;
  }

  /** Takes the next timer due at or before `time`. Undefined when none is due. */
  take(time: EpochMs): VirtualTimer | undefined {
    const timer = this.#peek();
    if (timer === undefined || timer.due > time) return undefined;
    this.#pop();
    return timer;
  }

  /** Puts a repeating timer that has fired back, one period later, unless it was canceled meanwhile. */
  again(timer: VirtualTimer): void {
    if (timer.isCanceled || timer.periodMs === 0) return;
    timer.due += timer.periodMs;
    timer.sequence = this.#nextSequence();
    this.#push(timer);
  }

  /** Moves every repeating timer by the same time; one that fires once is due at an instant of its own. */
  shift(byMs: number): void {
    for (const timer of this.#heap) if (timer.periodMs > 0) timer.due += byMs;
    this.#heap.sort(compareTimers);
  }

  /** Cancels those by which the strategy is called. */
  dropStrategys(): void {
    for (const timer of this.#heap) if (timer.isOfStrategy) timer.cancel();
  }

  clear(): void {
    for (const timer of this.#heap) timer.cancel();
    this.#heap.length = 0;
  }

  #nextSequence(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  #peek(): VirtualTimer | undefined {
    let top = this.#heap[0];
    while (top?.isCanceled === true) {
      this.#pop();
      top = this.#heap[0];
    }
    return top;
  }

  #push(timer: VirtualTimer): VirtualTimer {
    this.#followUp.isNeeded = true;
    if (this.#heap.length >= this.#limit) this.#dropCanceled();
    const heap = this.#heap;
    let index = heap.length;
    heap.push(timer);
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = heap[parentIndex];
      if (parent === undefined || !isBefore(timer, parent)) break;
      heap[index] = parent;
      index = parentIndex;
    }
    heap[index] = timer;
    return timer;
  }

  /** Sorted timers are a heap. */
  #dropCanceled(): void {
    this.#heap = this.#heap.filter(({ isCanceled }) => !isCanceled).sort(compareTimers);
    this.#limit = Math.max(FEW, 2 * this.#heap.length);
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let childIndex = 2 * index + 1;
      let child = heap[childIndex];
      if (child === undefined) break;
      const right = heap[childIndex + 1];
      if (right !== undefined && isBefore(right, child)) {
        child = right;
        childIndex += 1;
      }
      if (!isBefore(child, last)) break;
      heap[index] = child;
      index = childIndex;
    }
    heap[index] = last;
  }
}

function compareTimers(a: VirtualTimer, b: VirtualTimer): number {
  return isBefore(a, b) ? -1 : 1;
}

function isBefore(a: VirtualTimer, b: VirtualTimer): boolean {
  return a.due < b.due || (a.due === b.due && a.sequence < b.sequence);
}
