import type { EpochMs } from '../../domain/index.js';
import type { Command } from '../../runtime/index.js';
import type { LatencyModel } from '../../simulator/index.js';
import { CommandPacer } from '../command-pacer.js';
import type { LockstepTime } from './lockstep-time.js';

interface Traveling {
  readonly arrival: EpochMs;
  readonly depart: () => void;
}

/**
 * Holds a session's commands back until they would arrive: the rate limits of the venue and the latency of the configuration, both in market
 * time, as a backtest has them (DESIGN R1, R14). Commands of one instant arrive in the order in which they were given.
 */
export class CommandTravel {
  readonly #time: LockstepTime;
  readonly #latency: LatencyModel;
  readonly #pacer = new CommandPacer();
  #queue: Traveling[] = [];

  constructor(time: LockstepTime, latency: LatencyModel) {
    this.#time = time;
    this.#latency = latency;
  }

  send(command: Command, given: EpochMs, depart: () => void): void {
    const arrival = this.#pacer.departure(command, given) + this.#latency.delayMs(command.kind);
    this.#queue.push({ arrival, depart });
    this.#time.after('arrivals', arrival - this.#time.now(), () => {
      this.#arrive();
    });
  }

  #arrive(): void {
    const now = this.#time.now();
    const due = this.#queue
      .filter(({ arrival }) => arrival <= now)
      .sort((a, b) => a.arrival - b.arrival);
    this.#queue = this.#queue.filter(({ arrival }) => arrival > now);
    for (const { depart } of due) depart();
  }
}
