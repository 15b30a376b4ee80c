import { uptime } from 'node:os';
import type { Clock } from '../domain/index.js';
import { SteadyClock, type MachineClocks } from './time/steady-clock.js';

/** Longest delay a timer of the platform keeps; longer ones would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A clock, and timers that go with it: `after` runs an action once, unless the function that it returns was called before. */
interface TimersAndClock extends Clock {
  after(delayMs: number, action: () => void): () => void;
  /** UTC as the machine tells it, if the clock does not follow it. */
  readonly wall?: Clock;
}

/** UTC as the machine tells it. It jumps when somebody sets it: for what people read, never for waits. */
export const wallClock: Clock = { now: () => Date.now() };

/** The clocks of this machine, before they report their use in strategies. */
const ticks = performance.now.bind(performance);
const clocks: MachineClocks = {
  wall: Date.now.bind(Date),
  ticks,
  uptime: () => {
    try {
      return uptime() * 1_000;
    } catch {
      // Some systems do not tell it. Then sleep is not counted.
      return ticks();
    }
  },
};
const steady = new SteadyClock(clocks);

/** The machine's time, which nobody sets, and its timers. Only `cli` and `run` may pass them on. */
export const systemTime: TimersAndClock = {
  now: () => steady.now(),
  wall: wallClock,
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(delayMs, LONGEST_MS));
    return () => {
      clearTimeout(timer);
    };
  },
};
