import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { Command } from '../../engine/index.js';
import { CommandTravel, type LatencyModel } from '../../simulator/index.js';
import type { LockstepTime } from './lockstep-time.js';

interface LockstepTravelOptions {
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
  #waiting: Traveling[] = [];

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
    this.#waiting = [];
    let hasDeparted = false;
    for (const [place, command] of arrived.entries()) {
      if (this.#mustWait(command, now)) {
        this.#waiting.push(command);
        continue;
      }
      const canceled = command.kind === 'cancel' ? this.#takeWaiting(command) : undefined;
      if (canceled !== undefined && hasDeparted) {
        // A backtest answers both before the next command, and the ones before them first.
        this.#waiting.push(canceled);
        this.#resume(arrived.slice(place));
        return;
      }
      canceled?.depart();
      command.depart();
      hasDeparted = true;
      if (canceled === undefined) continue;
      this.#resume(arrived.slice(place + 1));
      return;
    }
  }

  /** Continues with these commands once what has departed is answered. */
  #resume(rest: readonly Traveling[]): void {
    if (rest.length === 0) return;
    this.#waiting.push(...rest);
    this.#wakeAt(this.#options.time.now());
  }

  #mustWait(command: Traveling, now: EpochMs): boolean {
    if (command.kind === 'cancel') return false;
    const answered = this.#options.answeredAt(command.order.instrumentId);
    if (answered > now) this.#wakeAt(answered);
    return answered > now;
  }

  /** Takes the order that waits for a candle and is to be canceled. */
  #takeWaiting({ clientOrderId }: Command & { readonly kind: 'cancel' }): Traveling | undefined {
    const isIt = (each: Traveling): boolean =>
      each.kind !== 'cancel' && each.order.clientOrderId === clientOrderId;
    const order = this.#waiting.findLast(isIt);
    if (order !== undefined) this.#waiting = this.#waiting.filter((each) => each !== order);
    return order;
  }
}
