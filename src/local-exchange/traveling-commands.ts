import type { EpochMs } from '../domain/index.js';
import { ArrivalQueue } from '../simulator/index.js';

/** Commands on their way to the market, by arrival; of one instant in the order in which they were sent. */
export class TravelingCommands {
  readonly #queue = new ArrivalQueue<() => void>();

  get count(): number {
    return this.#queue.count;
  }

  /** Infinity when none is on its way. */
  get nextArrival(): EpochMs {
    return this.#queue.nextArrival();
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
      this.#queue.send(arrive, arrival);
    });
  }

  /** Lets arrive what is due by an instant. */
  arriveUntil(time: EpochMs): void {
    while (this.nextArrival <= time) this.#queue.take()();
  }
}
