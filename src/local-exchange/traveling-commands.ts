import type { EpochMs } from '../domain/index.js';

interface Traveling {
  readonly arrival: EpochMs;
  readonly arrive: () => void;
}

/** Commands on their way to the market, by arrival; of one instant in the order in which they were sent. */
export class TravelingCommands {
  #queue: Traveling[] = [];

  get count(): number {
    return this.#queue.length;
  }

  /** Infinity when none is on its way. */
  get nextArrival(): EpochMs {
    return this.#queue[0]?.arrival ?? Number.POSITIVE_INFINITY;
  }

  /** Sends a command. What it comes to is known when it has arrived. */
  send<T>(arrival: EpochMs, carryOut: () => T): Promise<T> {
    return new Promise((resolve) => {
      const arrive = (): void => {
        // A failure to carry it out is the command's own, not that of whoever moved the time.
        const outcome = new Promise<T>((done) => {
          done(carryOut());
        });
        resolve(outcome);
      };
      const later = this.#queue.findIndex((other) => other.arrival > arrival);
      this.#queue.splice(later < 0 ? this.#queue.length : later, 0, { arrival, arrive });
    });
  }

  /** Lets arrive what is due by an instant. */
  arriveUntil(time: EpochMs): void {
    while (this.nextArrival <= time) this.#queue.shift()?.arrive();
  }
}
