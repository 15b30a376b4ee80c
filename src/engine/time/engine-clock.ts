import type { EpochMs } from '../../domain/index.js';
import { FollowUp } from '../intents/follow-up.js';
import { AmbientUses } from '../strategy/ambient-uses.js';
import type { TimeHost, WaitingActions } from './rxjs-time-router.js';
import { TimerQueue } from './timer-queue.js';
import { VirtualTimer } from './virtual-timer.js';

/** An engine's time: the clock that RxJS reads while the engine runs, and the timers that wait. It moves only when a caller moves it. */
export class EngineClock implements TimeHost {
  readonly timers: TimerQueue;
  readonly ambient = new AmbientUses(() => this.now);
  waiting: WaitingActions | undefined;
  /** Time of the present event: timers due before it fire within it, each at its own time. */
  eventTime: EpochMs = Number.NEGATIVE_INFINITY;
  readonly #followUp: FollowUp;
  /** Moved by this class alone. A number from the start: a member that is first undefined would take a new object with each new time. */
  now: EpochMs = Number.NaN;
  /** Whether {@link drain} has nothing to do. */
  isDrained = true;
  #immediates: VirtualTimer[] = [];
  #unhandled: VirtualTimer[] = [];

  constructor(now: EpochMs, followUp = new FollowUp()) {
    this.#followUp = followUp;
    this.timers = new TimerQueue(followUp);
    this.now = now;
  }

  /** Moves on to `time`; does not move if that is earlier. */
  advance(time: EpochMs): void {
    if (time > this.now) this.now = time;
  }

  /** Starts at `time`; timers that a strategy has set count from there. */
  restart(time: EpochMs): void {
    this.timers.shift(time - this.now);
    this.now = time;
  }

  setInterval(handler: () => void, delayMs: number): VirtualTimer {
    return this.timers.repeat(handler, this.now, delayMs);
  }

  setImmediate(handler: () => void): VirtualTimer {
    return this.#addTo(this.#immediates, handler);
  }

  setUnhandled(handler: () => void): VirtualTimer {
    return this.#addTo(this.#unhandled, handler);
  }

  #addTo(list: VirtualTimer[], handler: () => void): VirtualTimer {
    const timer = new VirtualTimer(handler, this.now, 0, true);
    list.push(timer);
    this.isDrained = false;
    this.#followUp.isNeeded = true;
    return timer;
  }

  /**
   * Runs immediates through `call` until none is left, then the reports of unhandled errors, which throw them. After `limit` immediates, drops the
   * rest and calls `onFlood`.
   */
  drain(limit: number, call: (handler: () => void) => void, onFlood: () => void): void {
    for (let run = 0; this.#immediates.length > 0; run += 1) {
      if (run >= limit) {
        this.#immediates.length = 0;
        onFlood();
        break;
      }
      const immediate = this.#immediates.shift();
      if (immediate?.isCanceled === false) call(immediate.handler);
    }
    while (this.#unhandled.length > 0) {
      const report = this.#unhandled.shift();
      if (report?.isCanceled === false) call(report.handler);
    }
    this.isDrained = this.#immediates.length === 0;
  }

  /** Drops the strategy's timers, immediates and error reports. */
  dropStrategys(): void {
    this.timers.dropStrategys();
    this.#immediates.length = 0;
    this.#unhandled.length = 0;
    this.isDrained = true;
  }
}
