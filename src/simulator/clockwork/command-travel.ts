import type { EpochMs } from '../../domain/index.js';
import type { LatencyModel } from '../models/latency.js';
import { ArrivalQueue } from './arrival-queue.js';
import { CommandPacer } from './command-pacer.js';
import type { VenueCommand } from './venue-command.js';

/**
 * Commands on their way to the venue: they leave when its rate limits take them (DESIGN R14), travel for their latency, and arrive by time
 * of arrival, then in the order in which they were given.
 */
export class CommandTravel<C extends VenueCommand> {
  readonly #latency: LatencyModel;
  readonly #pacer = new CommandPacer();
  readonly #queue = new ArrivalQueue<C>();
  #isClosing = false;

  constructor(latency: LatencyModel) {
    this.#latency = latency;
  }

  /** Commands that the venue's rate limits held back. */
  get delayed(): number {
    return this.#pacer.delayed;
  }

  get isEmpty(): boolean {
    return this.#queue.count === 0;
  }

  /** Whether no command counts toward a rate limit any more. */
  isRested(time: EpochMs): boolean {
    return this.#pacer.isRested(time);
  }

  /** Sends a command that is given at `time`, which never falls. Returns when it arrives. */
  send(command: C, time: EpochMs): EpochMs {
    const arrival = this.#isClosing
      ? time
      : this.#pacer.departure(command, time) + this.#latency.delayMs(command.kind);
    this.#queue.send(command, arrival);
    return arrival;
  }

  /** Infinity when none is on its way. */
  nextArrival(): EpochMs {
    return this.#queue.nextArrival();
  }

  /** How many have arrived by `time`. */
  arrivedBy(time: EpochMs): number {
    return this.#queue.arrivedBy(time);
  }

  /** Takes the one that arrives first; there must be one. */
  take(): C {
    return this.#queue.take();
  }

  /** From now on commands arrive at once; of those on their way cancels do, for their orders would keep positions from being left. */
  beginClosing(time: EpochMs): void {
    this.#isClosing = true;
    for (const command of this.#queue.takeAll())
      if (command.kind === 'cancel') this.#queue.send(command, time);
  }
}
