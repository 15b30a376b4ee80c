import type { Clock, EpochMs } from '../../domain/index.js';

/** The clocks of a machine, all in ms. */
export interface MachineClocks {
  /** UTC. A person or a time service may set it. */
  readonly wall: () => EpochMs;
  /** Time since some instant. Nobody sets it. It may stand while the machine sleeps. */
  readonly ticks: () => number;
  /** Time since the machine began, sleep included. It may be exact to a second only. */
  readonly uptime: () => number;
}

/** Larger differences between two clocks show that one of them was set, or stood: uptime is exact to a second. */
const TOLERANCE_MS = 2_000;

/**
 * A clock that begins with UTC and that nobody sets (D-289): waits, limits and ages are measured with it, so they neither end early nor late when the machine's
 * clock is set. It counts the time for which the machine slept.
 */
export class SteadyClock implements Clock {
  readonly #clocks: MachineClocks;
  /** UTC minus ticks at the start, and the time slept since then. */
  #base: number;
  /** The other clocks minus ticks, when they were last compared. */
  #wallAhead: number;
  #uptimeAhead: number;

  constructor(clocks: MachineClocks) {
    const ticks = clocks.ticks();
    this.#clocks = clocks;
    this.#base = clocks.wall() - ticks;
    this.#wallAhead = this.#base;
    this.#uptimeAhead = clocks.uptime() - ticks;
  }

  now(): EpochMs {
    const { wall, ticks: read } = this.#clocks;
    const ticks = read();
    const wallAhead = wall() - ticks;
    if (Math.abs(wallAhead - this.#wallAhead) > TOLERANCE_MS) {
      this.#addSleep(ticks);
      this.#wallAhead = wallAhead;
    }
    return Math.floor(this.#base + ticks);
  }

  /** The wall's clock has gone away from ticks: either it was set, or the machine has slept. Uptime tells. */
  #addSleep(ticks: number): void {
    const uptimeAhead = this.#clocks.uptime() - ticks;
    const sleptMs = uptimeAhead - this.#uptimeAhead;
    if (sleptMs > TOLERANCE_MS) this.#base += sleptMs;
    this.#uptimeAhead = uptimeAhead;
  }
}
