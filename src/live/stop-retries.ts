import type { EpochMs, InstrumentId } from '../domain/index.js';
import { isUnended, type Engine, type EngineEvent } from '../engine/index.js';
import type { SessionTime } from './session-time.js';

export interface StopRetriesOptions {
  readonly engine: Pick<Engine, 'guards' | 'workingOrders' | 'waitingIntents'>;
  readonly time: Pick<SessionTime, 'now' | 'after'>;
  readonly tell: (make: (time: EpochMs) => EngineEvent) => void;
}

/** What has failed is tried again after so long, then after twice as long, up to a bound. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;
/** What fails so long after it was tried again fails for another reason. */
const FORGOTTEN_MS = 60_000;

/** Waits of one instrument. */
interface Waits {
  tries: number;
  /** When it was tried again last. */
  last: EpochMs;
  cancel: (() => void) | undefined;
}

/**
 * Lets stops fire again that have sold nothing: the venue refused their order, or it never left. The engine lets them wait for the next candle, so that
 * nothing is tried with each sample; at a venue in trouble that would leave a position alone for a minute. And has orders canceled again whose cancel was
 * refused, or could not be delivered: a bot that was halted would else be filled, and an exit wait that needs what they offer. Take-profits that the venue
 * did not take are sent again likewise, and so are exits of all that is held.
 */
export class StopRetries {
  readonly #options: StopRetriesOptions;
  readonly #waits = new Map<InstrumentId, Waits>();

  constructor(options: StopRetriesOptions) {
    this.#options = options;
  }

  /** To be called after each event that may end an order, or let a stop fire. */
  look(): void {
    const { guards, workingOrders, waitingIntents } = this.#options.engine;
    for (const { instrumentId, hasFailed } of guards) if (hasFailed) this.#await(instrumentId);
    for (const order of workingOrders)
      if (isUnended(order)) this.#await(order.request.instrumentId);
    // What is sent in parts waits for its time.
    for (const { intent, instrumentId } of waitingIntents)
      if (intent.kind === 'exit' && intent.work === undefined) this.#await(instrumentId);
  }

  stop(): void {
    for (const { cancel } of this.#waits.values()) cancel?.();
    this.#waits.clear();
  }

  #await(instrumentId: InstrumentId): void {
    const { time, tell } = this.#options;
    const known = this.#waits.get(instrumentId);
    if (known?.cancel !== undefined) return;
    const isForgotten = known === undefined || time.now() - known.last > FORGOTTEN_MS;
    const waits = isForgotten ? { tries: 0, last: 0, cancel: undefined } : known;
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** waits.tries);
    waits.tries += 1;
    waits.cancel = time.after('account', waitMs, () => {
      waits.cancel = undefined;
      waits.last = time.now();
      tell((at) => ({ kind: 'stops', time: at, instrumentId }));
    });
    this.#waits.set(instrumentId, waits);
  }
}
