import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { Command } from '../../engine/index.js';
import { CommandTravel, type LatencyModel } from '../../simulator/index.js';
import type { LockstepTime } from './lockstep-time.js';

export interface LockstepTravelOptions {
  readonly time: LockstepTime;
  readonly latency: LatencyModel;
  /** When the next order of an instrument can be answered: now, or when its next candle opens. */
  readonly answeredAt: (instrumentId: InstrumentId) => EpochMs;
}

type Traveling = Command & { readonly depart: () => void };

/**
 * Holds a session's commands back until they arrive, in market time, as in a backtest (DESIGN R1, R14).
 *
 * An order is only answered while a candle is open; otherwise it waits for the next open. A cancel that arrives meanwhile ends the wait.
 */
export class LockstepTravel {
  readonly #options: LockstepTravelOptions;
  readonly #travel: CommandTravel<Traveling>;
  /** Orders that have arrived and wait for a candle, in order of arrival. */
  #waiting: readonly Traveling[] = [];

  constructor(options: LockstepTravelOptions) {
    this.#options = options;
    this.#travel = new CommandTravel(options.latency);
  }

  /** Whether no command is on its way or waits for a candle. */
  get isEmpty(): boolean {
    return this.#travel.count === 0 && this.#waiting.length === 0;
  }

  send(command: Command, given: EpochMs, depart: () => void): void {
    this.#wakeAt(this.#travel.send({ ...command, depart }, given));
  }

  #wakeAt(instant: EpochMs): void {
    const { time } = this.#options;
    if (instant === Number.POSITIVE_INFINITY) return;
    time.after('arrivals', instant - time.now(), () => {
      this.#arrive();
    });
  }

  #arrive(): void {
    const now = this.#options.time.now();
    const arrived = [...this.#waiting];
    while (this.#travel.nextArrival() <= now) arrived.push(this.#travel.take());
    const canceled = new Set(
      arrived.flatMap((command) => (command.kind === 'cancel' ? [command.clientOrderId] : [])),
    );
    const waits = (command: Traveling): boolean => {
      if (command.kind === 'cancel' || canceled.has(command.order.clientOrderId)) return false;
      const answered = this.#options.answeredAt(command.order.instrumentId);
      if (answered > now) this.#wakeAt(answered);
      return answered > now;
    };
    this.#waiting = arrived.filter(waits);
    for (const command of arrived) if (!this.#waiting.includes(command)) command.depart();
  }
}
