import type { EpochMs } from '../../domain/index.js';
import type { LatencyModel } from '../models/latency.js';
import { ArrivalQueue } from './arrival-queue.js';
import { CommandPacer } from './command-pacer.js';
import type { VenueCommand } from './venue-command.js';

/**
 * Commands on their way to the venue. They leave when its rate limits allow it (DESIGN R14) and travel for their latency. They arrive by time of
 * arrival, then in the order in which they were given.
 */
export class CommandTravel<C extends VenueCommand> extends ArrivalQueue<C> {
  readonly #latency: LatencyModel;
  readonly #pacer = new CommandPacer();
  #isClosing = false;

  constructor(latency: LatencyModel) {
    super();
    this.#latency = latency;
  }

  /** Number of commands that the venue's rate limits held back. */
  get delayed(): number {
    return this.#pacer.delayed;
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
    this.add(command, arrival);
    return arrival;
  }

  /**
   * From now on commands arrive at once. Cancels on their way arrive now, because their orders would block the closing of positions. Submits on their
   * way are dropped.
   */
  beginClosing(time: EpochMs): void {
    this.#isClosing = true;
    for (const command of this.takeAll()) if (command.kind === 'cancel') this.add(command, time);
  }
}
