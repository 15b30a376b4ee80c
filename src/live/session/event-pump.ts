import type { EpochMs } from '../../domain/index.js';
import type { Engine, Command, EngineEvent } from '../../engine/index.js';
import type { Activity } from '../bot/activity.js';

interface EventPumpOptions {
  readonly engine: Pick<Engine, 'process' | 'now'>;
  readonly now: () => EpochMs;
  readonly activity: Activity;
  /** Gives the event loop time for other work; resolves when events may be taken again. @defaultValue all waiting events are taken in one go */
  readonly breathe?: (() => Promise<void>) | undefined;
  /** Called after each event, when it and its commands are stored on disk. */
  readonly onProcessed: (event: EngineEvent, commands: readonly Command[]) => void;
  /** Called when the engine has failed (strategy or journal). Nothing is processed after it. */
  readonly onFailure: (error: unknown) => void;
}

const EVENTS_PER_BREATH = 64;

/**
 * The only way into a live engine. Sources append events; a separate microtask takes them one by one, never inside a notification and never
 * re-entrantly (DESIGN §2.1). The time of an event is the time at which it is taken, and never decreases. A long warm-up takes seconds, and a process
 * that does nothing else would look stuck. So other work runs between events, and new events wait behind the warm-up.
 */
export class EventPump {
  readonly #options: EventPumpOptions;
  readonly #queue: ((time: EpochMs) => EngineEvent | undefined)[] = [];
  /** Number of queued events that were already taken. Removing them one by one from a long array would take quadratic time. */
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

  /** Appends an event. It is dropped if `isWanted` returns false when its turn comes. */
  pushIf(isWanted: () => boolean, make: (time: EpochMs) => EngineEvent): void {
    this.#append((time) => (isWanted() ? make(time) : undefined));
  }

  /** Resolves when all waiting events were taken or dropped. */
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

  /** Stops taking events and drops the waiting ones. */
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
      // The engine reuses its list of commands, so it is copied.
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
