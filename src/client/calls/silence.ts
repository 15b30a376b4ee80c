import {
  MINUTE_MS,
  SECOND_MS,
  TransportError,
  type Clock,
  type EpochMs,
} from '../../domain/index.js';
import type { Ticket } from '../../venue/index.js';

/** A host that has answered nothing for this time, although a call and its repetition wait, is silent. */
const SILENT_AFTER_MS = 6 * SECOND_MS;
/** Time from one try to the next while the silence is young: stops must be sampled within 5 s of its end. */
const TRY_MS = 3 * SECOND_MS;
/** After this time tries get rarer: one in an eighth of the time that the silence has lasted. */
const YOUNG_MS = 2 * MINUTE_MS;
const OLD_SHARE = 1 / 8;
const LONGEST_TRY_MS = 30 * SECOND_MS;

/**
 * Whether a host takes calls and answers none. It may be stopped, and will then read and count at once everything that was sent meanwhile, also calls
 * whose connections we have closed. So calls must not pile up: one reading at a time tries, and commands pass (D-298).
 *
 * Different from the circuit breaker, which follows failures: those show that nothing waits at the host.
 */
export class Silence {
  readonly #clock: Clock;
  /** When the oldest call was sent that is without an answer, if nothing was heard of the host since. */
  #since: EpochMs | undefined;
  #triedAt: EpochMs = Number.NEGATIVE_INFINITY;
  /** Shares of the calls that were sent since then. */
  #unread: Ticket[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long the host has been silent, in ms; undefined if it is not. */
  get lengthMs(): number | undefined {
    if (this.#since === undefined) return undefined;
    const lengthMs = this.#clock.now() - this.#since;
    return lengthMs >= SILENT_AFTER_MS ? lengthMs : undefined;
  }

  /** How long a try may wait for its answer, in ms: until the next one. A host that is back answers it at once. */
  get tryMs(): number {
    const lengthMs = this.lengthMs ?? 0;
    return lengthMs < YOUNG_MS ? TRY_MS : Math.min(lengthMs * OLD_SHARE, LONGEST_TRY_MS);
  }

  /** @throws {TransportError} `E_CIRCUIT_OPEN` if the host is silent and the next try is not due. */
  check(host: string): void {
    const { lengthMs } = this;
    if (lengthMs === undefined) return;
    const waitMs = this.#triedAt + this.tryMs - this.#clock.now();
    // A clock that was set back must not keep it silent.
    if (waitMs <= 0 || waitMs > LONGEST_TRY_MS) return;
    const seconds = String(Math.floor(lengthMs / SECOND_MS));
    throw new TransportError(
      'E_CIRCUIT_OPEN',
      `${host} has answered nothing for ${seconds} s; nothing was sent, next try in ${String(waitMs)} ms`,
    );
  }

  /** Notes that a call is sent. */
  sent(ticket: Ticket): void {
    const now = this.#clock.now();
    this.#since ??= now;
    this.#triedAt = now;
    this.#unread.push(ticket);
  }

  /** Notes a sign of the host, or that no way leads to it. Returns the calls that waited at it: it counts them now. Empty if it was not silent. */
  end(): readonly Ticket[] {
    const unread = this.lengthMs === undefined ? [] : this.#unread;
    this.#since = undefined;
    this.#unread = [];
    return unread;
  }
}
