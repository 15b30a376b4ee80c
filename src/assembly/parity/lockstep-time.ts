import type { EpochMs } from '../../domain/index.js';
import type { SessionPhase, SessionTime } from '../../live/index.js';

interface Timer {
  readonly phase: SessionPhase;
  readonly due: EpochMs;
  readonly action: () => void;
}

interface Grid {
  readonly phase: SessionPhase;
  readonly periodMs: number;
  readonly action: () => void;
}

/**
 * Market time of a session that moves in steps: the actions that are due at an instant run phase by phase, as in a backtest (DESIGN R1).
 *
 * Actions on a grid run at those multiples of their period at which time stops. The driver must stop wherever one of them can have an effect.
 */
export class LockstepTime implements SessionTime {
  #now: EpochMs;
  readonly #timers = new Set<Timer>();
  readonly #grids = new Set<Grid>();
  /** Grid actions that have already run at this instant. */
  #ran = new Set<Grid>();

  constructor(start: EpochMs) {
    this.#now = start;
  }

  now(): EpochMs {
    return this.#now;
  }

  after(phase: SessionPhase, delayMs: number, action: () => void): () => void {
    const timer: Timer = { phase, due: this.#now + Math.max(0, Math.ceil(delayMs)), action };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  every(phase: SessionPhase, periodMs: number, action: () => void): () => void {
    const grid: Grid = { phase, periodMs, action };
    this.#grids.add(grid);
    return () => {
      this.#grids.delete(grid);
    };
  }

  /** Time of the next timer; Infinity if there is none. */
  nextDue(): EpochMs {
    let next = Number.POSITIVE_INFINITY;
    for (const { due } of this.#timers) next = Math.min(next, due);
    return next;
  }

  moveTo(time: EpochMs): void {
    this.#now = time;
    this.#ran = new Set();
  }

  /** Runs the timers and grid actions of a phase that are due at this instant; with `any time`, all grid actions. Returns whether any has run. */
  fire(phase: SessionPhase, at: 'its times' | 'any time' = 'its times'): boolean {
    const due = [...this.#timers]
      .filter((timer) => timer.phase === phase && timer.due <= this.#now)
      .sort((a, b) => a.due - b.due);
    const grids = [...this.#grids].filter(
      (grid) =>
        grid.phase === phase &&
        (at === 'any time' || this.#now % grid.periodMs === 0) &&
        !this.#ran.has(grid),
    );
    for (const timer of due) {
      if (!this.#timers.delete(timer)) continue;
      timer.action();
    }
    for (const grid of grids) {
      this.#ran.add(grid);
      grid.action();
    }
    return due.length + grids.length > 0;
  }
}
