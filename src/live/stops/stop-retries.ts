import type { EpochMs, ExitIntent, InstrumentId } from '../../domain/index.js';
import { isUnended, type Engine, type EngineEvent } from '../../engine/index.js';
import type { SessionTime } from '../session/session-time.js';

interface StopRetriesOptions {
  readonly engine: Pick<Engine, 'guards' | 'workingOrders' | 'waitingIntents'>;
  readonly time: Pick<SessionTime, 'now' | 'after'>;
  readonly tell: (make: (time: EpochMs) => EngineEvent) => void;
}

/** First wait before a retry. It doubles with each retry, up to a limit. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;
/** A failure this long after the last retry counts as a new one. */
const FORGOTTEN_MS = 60_000;

/** Retry state of one instrument. */
interface Waits {
  tries: number;
  /** Time of the last retry. */
  last: EpochMs;
  cancel: (() => void) | undefined;
}

/**
 * Retries failed orders of the engine:
 * - Stops whose order the venue refused, or that was never sent. Without this they wait for the next candle, so that not every sample causes a try;
 *   at a venue in trouble that would leave a position unguarded for a minute.
 * - Cancels that the venue refused, or that could not be delivered. Otherwise the orders of a halted bot could fill, and exits could wait for the
 *   quantity that these orders offer.
 * - Take-profits that the venue did not take, and exits of a whole position.
 */
export class StopRetries {
  readonly #options: StopRetriesOptions;
  readonly #waits = new Map<InstrumentId, Waits>();

  constructor(options: StopRetriesOptions) {
    this.#options = options;
  }

  /** To be called after each event that may end an order or let a stop fire. */
  look(): void {
    const { guards, workingOrders, waitingIntents } = this.#options.engine;
    for (const { instrumentId, hasFailed } of guards) if (hasFailed) this.#await(instrumentId);
    for (const order of workingOrders)
      if (isUnended(order)) this.#await(order.request.instrumentId);
    for (const { intent, instrumentId } of waitingIntents)
      if (intent.kind === 'exit' && !isSliced(intent)) this.#await(instrumentId);
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

/** An exit that is sent in parts has its own schedule. */
function isSliced({ work }: ExitIntent): boolean {
  return work !== undefined && 'twap' in work;
}
