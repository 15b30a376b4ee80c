import type { EpochMs } from '../domain/index.js';
import type { Engine, Command, EngineEvent } from '../engine/index.js';
import type { Activity } from './activity.js';

export interface EventPumpOptions {
  readonly engine: Pick<Engine, 'process' | 'now'>;
  readonly now: () => EpochMs;
  readonly activity: Activity;
  /** Lets the process breathe; resolves when events may be taken again. @defaultValue however many wait are taken in one go */
  readonly breathe?: (() => Promise<void>) | undefined;
  /** Called after each event, when it and its commands are on the disk. */
  readonly onProcessed: (event: EngineEvent, commands: readonly Command[]) => void;
  /** The engine is dead: strategy or journal failed. Nothing is processed after it. */
  readonly onFailure: (error: unknown) => void;
}

const EVENTS_PER_BREATH = 64;

/**
 * The one way into a live engine: sources append, and a microtask of its own takes event by event, never from inside a notification and
 * never re-entrantly (DESIGN §2.1). An event's time is when it is taken; it never falls. A long warm-up takes seconds, in which a process that does
 * nothing else is taken for one that is stuck: so the process breathes between events, and what comes meanwhile waits behind them.
 */
export class EventPump {
  readonly #options: EventPumpOptions;
  readonly #queue: ((time: EpochMs) => EngineEvent | undefined)[] = [];
  /** How many of the queue have been taken: to take them out of a long one, one by one, would take the square of its length. */
  #taken = 0;
  #end: (() => void) | undefined;
  readonly #drains: (() => void)[] = [];
  #isStopped = false;

  constructor(options: EventPumpOptions) {
    this.#options = options;
  }

  /** Appends an event; `make` is given its time. */
  push(make: (time: EpochMs) => EngineEvent): void {
    this.#append(make);
  }

  /** Appends an event that is dropped when it is no longer wanted once its turn has come. */
  pushIf(isWanted: () => boolean, make: (time: EpochMs) => EngineEvent): void {
    this.#append((time) => (isWanted() ? make(time) : undefined));
  }

  /** Resolves when everything that waits has been taken, or is dropped. */
  async drained(): Promise<void> {
    if (this.#end === undefined) return;
    await new Promise<void>((resolve) => this.#drains.push(resolve));
  }

  #append(make: (time: EpochMs) => EngineEvent | undefined): void {
    if (this.#isStopped) return;
    this.#queue.push(make);
    if (this.#end !== undefined) return;
    this.#end = this.#options.activity.begin();
    queueMicrotask(() => {
      this.#pump();
    });
  }

  /** Takes nothing any more; what waits is dropped. */
  stop(): void {
    this.#isStopped = true;
    this.#drop();
  }

  #drop(): void {
    this.#queue.length = 0;
    this.#taken = 0;
  }

  #pump(): void {
    const { breathe, onFailure } = this.#options;
    try {
      this.#take(breathe === undefined ? Number.POSITIVE_INFINITY : EVENTS_PER_BREATH);
    } catch (error: unknown) {
      this.stop();
      onFailure(error);
    }
    if (breathe !== undefined && this.#taken < this.#queue.length)
      void breathe().then(() => {
        this.#pump();
      });
    else this.#rest();
  }

  #take(most: number): void {
    const { engine, now, onProcessed } = this.#options;
    for (let count = 0; count < most; count += 1) {
      const make = this.#queue[this.#taken];
      if (make === undefined) return;
      this.#taken += 1;
      const event = make(Math.max(now(), engine.now()));
      // The engine uses its list again.
      if (event !== undefined) onProcessed(event, [...engine.process(event)]);
    }
  }

  #rest(): void {
    this.#drop();
    const end = this.#end;
    this.#end = undefined;
    end?.();
    for (const resolve of this.#drains.splice(0)) resolve();
  }
}
