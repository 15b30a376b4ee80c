import type { Clock, EpochMs } from '../../src/domain/index.js';

interface Timer {
  readonly due: EpochMs;
  readonly action: () => void;
}

/** A clock and timers that only a test moves. */
export class VirtualTime implements Clock {
  #now: EpochMs;
  #timers: Timer[] = [];

  constructor(start: EpochMs = Date.UTC(2025, 0, 1)) {
    this.#now = start;
  }

  now(): EpochMs {
    return this.#now;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { due: this.#now + Math.max(0, delayMs), action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Timers that have not fired. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Moves time on, running each timer at its own instant and letting promises settle after each. */
  async advance(byMs: number): Promise<void> {
    const end = this.#now + byMs;
    await settle();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.due);
      next.action();
      await settle();
    }
    this.#now = end;
  }

  /** Runs timers until none remains. */
  async drain(): Promise<void> {
    await settle();
    while (this.#timers.length > 0) {
      const due = Math.min(...this.#timers.map((timer) => timer.due));
      await this.advance(Math.max(0, due - this.#now));
    }
  }

  /** Sets the clock, as a person or a time service does: timers keep their remaining time. */
  jump(byMs: number): void {
    this.#now += byMs;
    this.#timers = this.#timers.map(({ due, action }) => ({ due: due + byMs, action }));
  }

  /** Lets time pass in which nothing can run, as in a busy process. Timers due by then fire late, at the next move. */
  block(byMs: number): void {
    this.#now += byMs;
  }

  #next(end: EpochMs): Timer | undefined {
    const due = this.#timers.filter((timer) => timer.due <= end);
    return due.reduce<Timer | undefined>(
      (first, timer) => (first === undefined || timer.due < first.due ? timer : first),
      undefined,
    );
  }
}

/** Lets promises that are already resolved run their reactions, however deep they are chained. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
