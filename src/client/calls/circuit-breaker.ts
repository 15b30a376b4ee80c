import { TransportError, type Clock, type EpochMs } from '../../domain/index.js';

export interface BreakerOptions {
  /** Number of failures in a row that open it. @defaultValue 5 */
  readonly failures?: number;
  /** First rest, in ms; each failed probe doubles it. @defaultValue 1000 */
  readonly restMs?: number;
  /** Longest rest, in ms. It is short: readings of orders and executions wait meanwhile, and a host that comes back must be noticed soon. @defaultValue 2000 */
  readonly maxRestMs?: number;
}

/** Names one call that may pass. */
export type BreakerPass = object;

/**
 * Stops calls to a host that does not answer, and tries again with one call at a time. If that call has no answer within a rest, another call tries.
 *
 * Our own, because the libraries for it read the machine's clock. This one follows the injected clock, so tests and accelerated runs see it open and
 * close at exact times.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #options: Required<BreakerOptions>;
  #failures = 0;
  #rest: { readonly from: EpochMs; readonly lengthMs: number } | undefined;
  /** The call that tries. */
  #probe: { readonly pass: BreakerPass; readonly since: EpochMs } | undefined;

  constructor(clock: Clock, options: BreakerOptions = {}) {
    this.#clock = clock;
    this.#options = { failures: 5, restMs: 1_000, maxRestMs: 2_000, ...options };
  }

  get isOpen(): boolean {
    return this.#rest !== undefined;
  }

  /**
   * Lets a call pass, or refuses it before it is sent. Urgent calls (cancels, exits, samples of stops) always pass: for them not trying is worse than
   * failing. Returns a pass, by which {@link failed} and {@link left} know the call.
   *
   * @throws {TransportError} `E_CIRCUIT_OPEN`; the call did nothing.
   */
  enter(host: string, isUrgent: boolean): BreakerPass {
    const pass = {};
    if (this.#rest === undefined || isUrgent) return pass;
    const now = this.#clock.now();
    const elapsed = now - this.#rest.from;
    // A clock that was set back must not keep it open.
    const rested = elapsed < 0 || elapsed >= this.#rest.lengthMs;
    const tryingMs = this.#probe && now - this.#probe.since;
    const isTrying = tryingMs !== undefined && tryingMs >= 0 && tryingMs < this.#rest.lengthMs;
    if (rested && !isTrying) {
      this.#probe = { pass, since: now };
      return pass;
    }
    const why = rested
      ? 'a first call is on its way'
      : `next try in ${String(this.#rest.lengthMs - elapsed)} ms`;
    throw new TransportError(
      'E_CIRCUIT_OPEN',
      `${host} failed ${String(this.#failures)} times in a row; nothing was sent, ${why}`,
    );
  }

  /** Notes any answer of the host. */
  succeeded(): void {
    this.#failures = 0;
    this.#rest = undefined;
    this.#probe = undefined;
  }

  /** Notes a failure of the host: no connection, no answer in time, a 5xx. Only that of the call that tries makes the rest longer. */
  failed(pass?: BreakerPass): void {
    this.#failures += 1;
    const { failures, restMs, maxRestMs } = this.#options;
    const wasProbe = this.#isProbe(pass);
    this.left(pass);
    if (this.#rest === undefined) {
      if (this.#failures >= failures) this.#rest = { from: this.#clock.now(), lengthMs: restMs };
    } else if (wasProbe) {
      const lengthMs = Math.min(this.#rest.lengthMs * 2, maxRestMs);
      this.#rest = { from: this.#clock.now(), lengthMs };
    }
  }

  /** Notes the end of a call that had entered. If it was the one that tried, and showed nothing about the host, another call may try. */
  left(pass?: BreakerPass): void {
    if (this.#isProbe(pass)) this.#probe = undefined;
  }

  #isProbe(pass: BreakerPass | undefined): boolean {
    return this.#probe !== undefined && this.#probe.pass === pass;
  }
}
