import { Ranking, type EpochMs } from '../../domain/index.js';
import { FollowUp } from '../intents/follow-up.js';
import { VirtualTimer } from './virtual-timer.js';

/** Timers of one engine in order of due time, then of creation. */
export class TimerQueue {
  readonly #followUp: FollowUp;
  readonly #timers = new Ranking<VirtualTimer>(isBefore, ({ isCanceled }) => !isCanceled);
  #sequence = 0;

  /** `followUp` is set with each new timer. */
  constructor(followUp = new FollowUp()) {
    this.#followUp = followUp;
  }

  /** Adds a repeating timer of the strategy. Delays are whole milliseconds, at least 1, as Node's. */
  repeat(handler: () => void, now: EpochMs, delayMs: number): VirtualTimer {
    const period = Math.max(1, Math.trunc(delayMs) || 1);
    return this.#push(new VirtualTimer(handler, now + period, period, true));
  }

  /** Adds a timer that fires once at `due`. */
  once(handler: () => void, due: EpochMs, isOfStrategy = false): VirtualTimer {
    return this.#push(new VirtualTimer(handler, due, 0, isOfStrategy));
  }

  /** When the next timer is due; Infinity when there is none. */
  nextDue(): EpochMs {
    if (this.#timers.all.length === 0) return Number.POSITIVE_INFINITY;
    return this.#timers.first()?.due ?? Number.POSITIVE_INFINITY;
  }

  /** Number of stored timers. May include canceled ones, until the next clean-up. */
  get size(): number {
    return this.#timers.all.length;
  }

  /** Takes the next timer due at or before `time`. Undefined when none is due. */
  take(time: EpochMs): VirtualTimer | undefined {
    return this.nextDue() <= time ? this.#timers.take() : undefined;
  }

  /** Puts a repeating timer that has fired back, one period later, unless it was canceled meanwhile. */
  again(timer: VirtualTimer): void {
    if (timer.isCanceled || timer.periodMs === 0) return;
    timer.due += timer.periodMs;
    this.#push(timer);
  }

  /** Moves every repeating timer by the same time. A timer that fires once keeps its due time. */
  shift(byMs: number): void {
    for (const timer of this.#timers.all) if (timer.periodMs > 0) timer.due += byMs;
    this.#timers.rank();
  }

  /** Cancels the timers that call the strategy. */
  dropStrategys(): void {
    for (const timer of this.#timers.all) if (timer.isOfStrategy) timer.cancel();
  }

  clear(): void {
    for (const timer of this.#timers.all) timer.cancel();
    this.#timers.clear();
  }

  #push(timer: VirtualTimer): VirtualTimer {
    this.#sequence += 1;
    timer.sequence = this.#sequence;
    this.#followUp.isNeeded = true;
    this.#timers.add(timer);
    return timer;
  }
}

function isBefore(a: VirtualTimer, b: VirtualTimer): boolean {
  return a.due < b.due || (a.due === b.due && a.sequence < b.sequence);
}
