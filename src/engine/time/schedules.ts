import {
  DomainError,
  nextOfSchedule,
  parseSchedule,
  type EpochMs,
  type Schedule,
} from '../../domain/index.js';
import type { RunState } from '../state/run-state.js';
import { refusePromise } from '../strategy/refuse-promise.js';
import type { EngineClock } from './engine-clock.js';
import type { VirtualTimer } from './virtual-timer.js';

type Handler = () => unknown;

/** A recurring call by the clock: a timer of the engine that is set again each time it fires. */
class Recurrence {
  readonly #schedule: Schedule;
  readonly #fire: Handler;
  readonly #clock: EngineClock;
  #timer: VirtualTimer | undefined;
  #isCanceled = false;

  constructor(schedule: Schedule, fire: Handler, clock: EngineClock) {
    this.#schedule = schedule;
    this.#fire = fire;
    this.#clock = clock;
  }

  readonly cancel = (): void => {
    this.#isCanceled = true;
    this.#timer?.cancel();
  };

  /** Sets the timer for the first instant after now. */
  arm(): void {
    if (!this.#isCanceled) this.#set(nextOfSchedule(this.#schedule, this.#clock.now));
  }

  #set(due: EpochMs): void {
    this.#timer = this.#clock.timers.once(
      () => {
        const last = this.#lastMissed();
        if (last !== undefined) {
          this.#set(last);
          return;
        }
        // Set first: the handler may cancel it, or throw.
        this.arm();
        this.#fire();
      },
      due,
      true,
    );
  }

  /** If several instants have passed while nothing ran, only the last is made up for: a burst of late orders would be useless. */
  #lastMissed(): EpochMs | undefined {
    const clock = this.#clock;
    const last = nextOfSchedule(this.#schedule, clock.eventTime) - this.#schedule.periodMs;
    return last > clock.now ? last : undefined;
  }
}

/** Handlers that a strategy schedules by the clock. They are called only when candles would be delivered: once it is warm, and until the run is over. */
export class Schedules {
  readonly #clock: EngineClock;
  readonly #run: RunState;
  /** Recurrences from before the start of the strategy, because the time of the start is not known yet; undefined after the start. */
  #waiting: Recurrence[] | undefined = [];

  constructor(clock: EngineClock, run: RunState) {
    this.#clock = clock;
    this.#run = run;
  }

  /** See {@link StrategyContext.every}. */
  every(text: string, handler: Handler): () => void {
    const schedule = parseSchedule(text);
    if (typeof handler !== 'function') {
      throw new DomainError(
        'E_SCHEDULE',
        `expected a function to call at "${text}", received ${typeof handler}`,
      );
    }
    const run = this.#run;
    const fire = (): void => {
      if (run.isWarm && !run.isOver) refusePromise('the handler of every', handler());
    };
    const recurrence = new Recurrence(schedule, fire, this.#clock);
    if (this.#waiting === undefined) recurrence.arm();
    else this.#waiting.push(recurrence);
    return recurrence.cancel;
  }

  /** Call when the clock is at the start of the strategy. */
  start(): void {
    for (const recurrence of this.#waiting ?? []) recurrence.arm();
    this.#waiting = undefined;
  }
}
