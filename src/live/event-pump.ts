import type { EpochMs } from '../domain/index.js';
import type { Engine, Command, EngineEvent } from '../engine/index.js';
import type { Activity } from './activity.js';

export interface EventPumpOptions {
  readonly engine: Pick<Engine, 'process' | 'now'>;
  readonly now: () => EpochMs;
  readonly activity: Activity;
  /** Called after each event, when it and its commands are on the disk. */
  readonly onProcessed: (event: EngineEvent, commands: readonly Command[]) => void;
  /** The engine is dead: strategy or journal failed. Nothing is processed after it. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The one way into a live engine: sources append, and a microtask of its own takes event by event, never from inside a notification and
 * never re-entrantly (DESIGN §2.1). An event's time is when it is taken; it never falls.
 */
export class EventPump {
  readonly #options: EventPumpOptions;
  readonly #queue: ((time: EpochMs) => EngineEvent | undefined)[] = [];
  #end: (() => void) | undefined;
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
    this.#queue.length = 0;
  }

  #pump(): void {
    const { engine, now, onProcessed, onFailure } = this.#options;
    try {
      for (let make = this.#queue.shift(); make !== undefined; make = this.#queue.shift()) {
        const event = make(Math.max(now(), engine.now()));
        if (event === undefined) continue;
        // The engine uses its list again.
        onProcessed(event, [...engine.process(event)]);
      }
    } catch (error: unknown) {
      this.stop();
      onFailure(error);
    } finally {
      const end = this.#end;
      this.#end = undefined;
      end?.();
    }
  }
}
