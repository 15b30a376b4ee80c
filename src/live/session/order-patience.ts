import { TransportError, type EpochMs, type OrderRequest } from '../../domain/index.js';
import type { SessionTime } from './session-time.js';

interface OrderPatienceOptions {
  readonly time: Pick<SessionTime, 'now' | 'after'>;
  /** How long after its decision an order that opens may still be sent, in ms. @defaultValue for ever */
  readonly entryLifeMs?: number | undefined;
  /** Aborted when waiting orders must not be sent any more. @defaultValue never */
  readonly leaving?: AbortSignal | undefined;
  /** Aborted when no order that opens may be sent any more. */
  readonly entriesEnd: AbortSignal;
}

/** Signals that end the wait of an order. Call `release` when the order is over. */
interface Patience {
  readonly signals: readonly AbortSignal[];
  readonly release: () => void;
}

/**
 * How long an order may wait for its turn. An order that reduces waits until the bot stops. An order that opens waits only while its decision is
 * still valid, and not while the bot is being stopped.
 */
export class OrderPatience {
  readonly #time: OrderPatienceOptions['time'];
  readonly #entryLifeMs: number;
  // Nearly all orders share these two objects: this code runs for each order that is sent.
  readonly #ofEntries: Patience;
  readonly #ofExits: Patience;

  constructor({ time, entryLifeMs, leaving, entriesEnd }: OrderPatienceOptions) {
    this.#time = time;
    this.#entryLifeMs = entryLifeMs ?? Number.POSITIVE_INFINITY;
    const signals = leaving === undefined ? [] : [leaving];
    this.#ofExits = { signals, release: () => undefined };
    this.#ofEntries = { signals: [...signals, entriesEnd], release: () => undefined };
  }

  of(
    { action, instrumentId }: Pick<OrderRequest, 'action' | 'instrumentId'>,
    decidedAt: EpochMs,
  ): Patience {
    if (action !== 'open') return this.#ofExits;
    if (!Number.isFinite(this.#entryLifeMs)) return this.#ofEntries;
    const controller = new AbortController();
    const signals = [...this.#ofEntries.signals, controller.signal];
    const expire = (): void => {
      const text = `an order to open ${instrumentId} waited for its turn for more than ${String(this.#entryLifeMs / 1_000)} s after it was decided; nothing was sent`;
      controller.abort(new TransportError('E_TOO_LATE', text));
    };
    const remainingMs = decidedAt + this.#entryLifeMs - this.#time.now();
    if (remainingMs > 0)
      return { signals, release: this.#time.after('arrivals', remainingMs, expire) };
    expire();
    return { ...this.#ofEntries, signals };
  }
}
