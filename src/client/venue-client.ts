import {
  present,
  RateLimitError,
  TransportError,
  WireFormatError,
  type EpochMs,
} from '../domain/index.js';
import { VenueRefusalError, type BudgetUse, type CallOptions } from '../venue/index.js';
import type { AnswerOf, AnyEndpoint, RequestOf } from '../venue/wire/index.js';
import type { CallQueue } from './calls/call-queue.js';
import {
  CallSender,
  isClockRejection,
  isRepeatable,
  type PreparedCall,
} from './calls/call-sender.js';
import type { KeyRefusal } from './calls/key-refusals.js';
import { DEFAULT_RETRY, pause, retryDelayMs, type RetryOptions } from './calls/retry.js';
import type { UnansweredCall } from './calls/unanswered-calls.js';
import type { ClockReading } from './clock/server-clock.js';
import { TimeUnknownError } from './clock/time-unknown-error.js';
import { abortable } from './http/abortable.js';
import type { HttpAnswer } from './http/http.js';
import type { RequestPreview } from './http/outgoing-request.js';
import type { Reply } from './http/reply.js';
import { SILENT_LOG } from './ports.js';
import {
  DEFAULT_PRINCIPAL,
  type HostName,
  type VenueClientOptions,
} from './venue-client-options.js';

/** Codes of calls that would fail again in the same way. */
const POINTLESS_TO_REPEAT: ReadonlySet<string> = new Set([
  'E_CIRCUIT_OPEN',
  'E_QUEUE_FULL',
  'E_BODY_SIZE',
  'E_CLOSED',
]);

/** An HTTP answer, and its interpretation. */
export interface Fetched<E extends AnyEndpoint> {
  readonly http: HttpAnswer;
  readonly reply: Reply<E> | { readonly kind: 'failed'; readonly error: unknown };
}

/**
 * Calls the venue: waits for the limits, signs, sends, reads the answer.
 *
 * Only GETs are ever sent again, and only if there was no usable answer, or (with `againAfterMs`) no answer for that time: at most `retry.retries`
 * times, after growing, random pauses, and once more if the venue refused our timestamp and the clock was measured anew. No POST is sent twice, not
 * even one that only reads. The server's time, which a POST needs before it is sent, is requested as often as for a GET.
 */
export class VenueClient {
  readonly #options: VenueClientOptions;
  readonly #retry: Required<RetryOptions>;
  readonly #sender: CallSender;

  constructor(options: VenueClientOptions) {
    this.#options = options;
    this.#retry = { ...DEFAULT_RETRY, ...options.retry };
    this.#sender = new CallSender(options);
  }

  /**
   * Calls an endpoint and returns its answer.
   *
   * @throws {VenueRefusalError} `E_VENUE_REFUSED`, and all that {@link VenueClient.ask} throws.
   */
  async call<E extends AnyEndpoint>(
    endpoint: E,
    request: RequestOf<E>,
    options: CallOptions,
  ): Promise<AnswerOf<E>> {
    const reply = await this.ask(endpoint, request, options);
    if (reply.kind === 'answer') return reply.answer;
    throw new VenueRefusalError(reply.text, reply.code, reply.transient);
  }

  /**
   * Calls an endpoint; a refusal is a value.
   *
   * Before anything is sent: `DomainError` `E_REQUEST` (a field is wrong), `AuthError` `E_NO_CREDENTIALS` and `E_BANNED`, `ConfigError` `E_NO_HOST`,
   * `ClockOffsetError` `E_CLOCK_OFFSET`, `TransportError` `E_CIRCUIT_OPEN` and `E_CLOSED`, `RateLimitError` `E_QUEUE_FULL`. Without a complete
   * answer: `HttpFailure`, or `OutcomeUnknownError` for a command that may have arrived. With a complete answer: errors of `readReply`. The signal's
   * reason, unless a command may have arrived; the reason of one of `waitSignals` if nothing was sent. `TimeUnknownError`: nothing was sent, because
   * the server's time is unknown.
   */
  async ask<E extends AnyEndpoint>(
    endpoint: E,
    request: RequestOf<E>,
    options: CallOptions,
  ): Promise<Reply<E>> {
    const prepared = this.#sender.prepare(endpoint, request, options);
    const mayRepeat = isRepeatable(endpoint);
    let mayMeasureClock = mayRepeat;
    for (let failures = 0; ;) {
      try {
        return this.#sender.read(prepared, await this.#sender.send(prepared));
      } catch (error: unknown) {
        if (!mayRepeat && !(error instanceof TimeUnknownError)) throw error;
        if (mayMeasureClock && isClockRejection(error)) {
          mayMeasureClock = false;
        } else {
          failures += 1;
          await this.#pauseBeforeRetry(prepared, failures, error);
        }
      }
    }
  }

  /** Calls an endpoint once. Returns the unchanged answer with its interpretation. @throws if there is no complete answer. */
  async fetch<E extends AnyEndpoint>(
    endpoint: E,
    request: RequestOf<E>,
    options: CallOptions,
  ): Promise<Fetched<E>> {
    const prepared = this.#sender.prepare(endpoint, request, options);
    const sent = await this.#sender.send(prepared);
    const { answer: http } = sent;
    try {
      return { http, reply: this.#sender.read(prepared, sent) };
    } catch (error: unknown) {
      return { http, reply: { kind: 'failed', error } };
    }
  }

  /** The request that a call would send, with all authentication masked. Sends nothing. */
  preview<E extends AnyEndpoint>(endpoint: E, request: RequestOf<E>): RequestPreview {
    return this.#sender.preview(endpoint, request);
  }

  /** A host's time, however far from ours. Measured first if unknown. */
  async serverTime(name: HostName, signal: AbortSignal): Promise<EpochMs> {
    const { serverClock } = this.#sender.host(name);
    for (;;) {
      const known = serverClock.now();
      if (known !== undefined) return known;
      await abortable(serverClock.measure(), signal);
    }
  }

  /** A time that has passed by a host's clock and by ours. The host's is measured first if unknown. */
  async passedTime(name: HostName, signal: AbortSignal): Promise<EpochMs> {
    await this.serverTime(name, signal);
    return present(this.#sender.host(name).serverClock.passed(), 'reading of a clock');
  }

  /** How far a host's clock is ahead of the nearer of ours, in ms; negative if it is behind. Undefined before the first measurement. */
  clockAheadMs(name: HostName): number | undefined {
    return this.#sender.host(name).serverClock.aheadMs;
  }

  /** Measures a host's clock again, however far it is from ours. */
  async measureClock(name: HostName, signal: AbortSignal): Promise<ClockReading> {
    const { serverClock } = this.#sender.host(name);
    await abortable(serverClock.measure(), signal);
    return present(serverClock.reading, 'reading of a clock');
  }

  /** Measured state of a host's clock; undefined before the first measurement. */
  clockReading(name: HostName): ClockReading | undefined {
    return this.#sender.host(name).serverClock.reading;
  }

  /** Current use of each of the venue's limits. Limits that were never used are left out. */
  budgets(): readonly BudgetUse[] {
    const { queue, principal = DEFAULT_PRINCIPAL } = this.#options;
    return queue.uses(principal);
  }

  /** Signed calls in a row that were refused because of the key; undefined while they are accepted. */
  get keyRefusal(): KeyRefusal | undefined {
    return this.#sender.keyRefusals.current;
  }

  /** The reading that has waited longest, and too long, for an answer; undefined if there is none. */
  get unanswered(): UnansweredCall | undefined {
    return this.#sender.unanswered.late(this.#options.clock.now());
  }

  /** Start and end of our ban by the venue; undefined if there is none. */
  get ban(): ReturnType<CallQueue['banOf']> {
    const { queue, principal = DEFAULT_PRINCIPAL } = this.#options;
    return queue.banOf(principal);
  }

  /** Ends idle connections and waits for the calls on their way. */
  async close(): Promise<void> {
    await this.#sender.close();
  }

  async #pauseBeforeRetry(
    { endpoint, ends }: PreparedCall,
    failures: number,
    error: unknown,
  ): Promise<void> {
    const { timers, random, log = SILENT_LOG } = this.#options;
    const { retries, maxDelayMs } = this.#retry;
    // An unreadable answer counts as no answer.
    const isTemporary =
      error instanceof TransportError ||
      error instanceof RateLimitError ||
      error instanceof WireFormatError;
    if (!isTemporary || failures > retries || POINTLESS_TO_REPEAT.has(error.code)) throw error;
    // The limits already rest after a refusal. The caller must decide about a rest longer than any pause.
    if (error instanceof RateLimitError && error.retryAfterMs > maxDelayMs) throw error;
    const delayMs = retryDelayMs(failures, this.#retry, random);
    log.info({ endpoint: endpoint.id, code: error.code, failures, delayMs }, 'call is repeated');
    await pause(delayMs, timers, ...ends);
  }
}
