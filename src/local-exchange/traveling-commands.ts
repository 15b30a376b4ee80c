import type { EpochMs } from '../domain/index.js';
import { ArrivalQueue } from '../simulator/index.js';

/** Commands on their way to the market, by time of arrival; at one instant in the order of sending. */
export class TravelingCommands {
  readonly #queue = new ArrivalQueue<() => void>();

  get count(): number {
    return this.#queue.count;
  }

  /** Infinity if no command is on its way. */
  get nextArrival(): EpochMs {
    return this.#queue.nextArrival();
  }

  /** Sends a command. The promise settles when the command has arrived. */
  send<T>(arrival: EpochMs, carryOut: () => T): Promise<T> {
    return new Promise((resolve) => {
      const arrive = (): void => {
        // An exception of the command rejects its own promise, and does not reach the caller that moved the time.
        const outcome = new Promise<T>((done) => {
          done(carryOut());
        });
        resolve(outcome);
      };
      this.#queue.add(arrive, arrival);
    });
  }

  /** Runs the commands that arrive by an instant. */
  arriveUntil(time: EpochMs): void {
    while (this.nextArrival <= time) this.#queue.take()();
  }
}
