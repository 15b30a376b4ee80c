import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { Command } from '../../engine/index.js';
import type { LatencyModel } from '../../simulator/index.js';
import { CommandPacer } from '../replay/command-pacer.js';
import type { LockstepTime } from './lockstep-time.js';

interface Traveling {
  readonly command: Command;
  readonly arrival: EpochMs;
  readonly depart: () => void;
}

export interface CommandTravelOptions {
  readonly time: LockstepTime;
  readonly latency: LatencyModel;
  /** When the next order of an instrument can be answered: now, or when its next candle opens. */
  readonly answeredAt: (instrumentId: InstrumentId) => EpochMs;
}

/**
 * Holds a session's commands back until they would arrive: the rate limits of the venue and the latency of the configuration, both in market
 * time, as a backtest has them (DESIGN R1, R14). Commands of one instant arrive in the order in which they were given.
 *
 * An order for which no candle is open is not answered before one opens; a cancel that arrives meanwhile takes it along.
 */
export class CommandTravel {
  readonly #options: CommandTravelOptions;
  readonly #pacer = new CommandPacer();
  #queue: Traveling[] = [];

  constructor(options: CommandTravelOptions) {
    this.#options = options;
  }

  send(command: Command, given: EpochMs, depart: () => void): void {
    const { latency } = this.#options;
    const arrival = this.#pacer.departure(command, given) + latency.delayMs(command.kind);
    this.#queue.push({ command, arrival, depart });
    this.#wakeAt(arrival);
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
    const arrived = this.#queue
      .filter(({ arrival }) => arrival <= now)
      .sort((a, b) => a.arrival - b.arrival);
    const canceled = new Set(
      arrived.flatMap(({ command }) => (command.kind === 'cancel' ? [command.clientOrderId] : [])),
    );
    const waits = ({ command }: Traveling): boolean => {
      if (command.kind === 'cancel' || canceled.has(command.order.clientOrderId)) return false;
      const answered = this.#options.answeredAt(command.order.instrumentId);
      if (answered > now) this.#wakeAt(answered);
      return answered > now;
    };
    const departing = arrived.filter((each) => !waits(each));
    this.#queue = this.#queue.filter((each) => !departing.includes(each));
    for (const { depart } of departing) depart();
  }
}
