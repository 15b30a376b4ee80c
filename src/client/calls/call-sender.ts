import { setMaxListeners } from 'node:events';

import {
  AuthError,
  ConfigError,
  RateLimitError,
  TransportError,
  type EpochMs,
} from '../../domain/index.js';
import {
  VenueRefusalError,
  type CallOptions,
  type LimitedCall,
  type Ticket,
} from '../../venue/index.js';
import { ENDPOINTS, type AnyEndpoint, type RequestOf } from '../../venue/wire/index.js';
import { throwIfAnyAborted } from '../http/abort-listeners.js';
import { abortable } from '../http/abortable.js';
import { callBeside } from './call-beside.js';
import { isTriedAnyway, priorityOf } from './call-priority.js';
import { BannedError } from '../banned-error.js';
import type { BreakerPass } from './circuit-breaker.js';
import { HttpFailure } from '../http/http-failure.js';
import type { HttpAnswer } from '../http/http.js';
import {
  headersOf,
  previewRequest,
  writeRequest,
  type OutgoingRequest,
  type RequestPreview,
} from '../http/outgoing-request.js';
import { KeyRefusals } from './key-refusals.js';
import { SILENT_LOG, type ClientLog } from '../ports.js';
import { readReply, unclear, type Reply } from '../http/reply.js';
import { redact } from '../keys/secret.js';
import type { TimeAnswer } from '../clock/server-clock.js';
import { createHmacSigner, type Signer } from '../keys/signing.js';
import { TimeUnknownError } from '../clock/time-unknown-error.js';
import { UnansweredCalls } from './unanswered-calls.js';
import {
  DEFAULT_PRINCIPAL,
  type HostName,
  type VenueClientOptions,
} from '../venue-client-options.js';
import { VenueHost, type HostCall } from '../venue-host.js';

/** A checked call that has not been sent. */
export interface PreparedCall<E extends AnyEndpoint = AnyEndpoint> {
  readonly endpoint: E;
  readonly host: VenueHost;
  readonly outgoing: OutgoingRequest;
  readonly limited: LimitedCall;
  readonly signal: AbortSignal;
  /** Signals that end the call while it waits for its turn: `signal`, and others. */
  readonly ends: readonly AbortSignal[];
  /** Whether the caller itself repeats the call if there is no answer. */
  readonly isAskedAgain: boolean;
  readonly onTurn: NonNullable<CallOptions['onTurn']>;
}

/** An answer, and the times of request and answer. */
export interface SentCall {
  readonly answer: HttpAnswer;
  readonly ticket: Ticket;
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
}

/** A call whose turn has come. */
interface Passed {
  readonly ticket: Ticket;
  readonly pass: BreakerPass;
  readonly onSent: () => void;
}

/** Makes one try of a call: waits for the limits, signs, sends, and takes the answer. Reports results to limits and clock. */
export class CallSender {
  /** Refusals of the key by the venue. */
  readonly keyRefusals = new KeyRefusals();
  /** Readings that were sent and have no answer. */
  readonly unanswered = new UnansweredCalls();
  readonly #options: VenueClientOptions;
  readonly #principal: string;
  readonly #signer: Signer | undefined;
  readonly #log: ClientLog;
  readonly #hosts = new Map<HostName, VenueHost>();
  readonly #life = new AbortController();

  constructor(options: VenueClientOptions) {
    const { credentials, principal = DEFAULT_PRINCIPAL, log = SILENT_LOG } = options;
    this.#options = options;
    this.#principal = principal;
    this.#signer = credentials && createHmacSigner(credentials);
    this.#log = log;
    for (const name of ['spot', 'futures'] as const) {
      const base = options.hosts[name];
      if (base !== undefined) this.#hosts.set(name, this.#createHost(name, base));
    }
  }

  /**
   * @throws {DomainError} `E_REQUEST`. {@link AuthError} `E_NO_CREDENTIALS`. {@link ConfigError} `E_NO_HOST`. {@link TransportError} `E_CLOSED`. The
   * signal's reason.
   */
  prepare<E extends AnyEndpoint>(
    endpoint: E,
    request: RequestOf<E>,
    options: CallOptions,
  ): PreparedCall<E> {
    const { signal, waitSignals = [], priority = priorityOf(endpoint) } = options;
    const ends = [signal, ...waitSignals];
    throwIfAnyAborted(ends);
    this.#life.signal.throwIfAborted();
    // One signal may stop a whole bot: many listeners are no leak.
    setMaxListeners(0, signal);
    const { bucket: ruleId, weight = 1 } = endpoint.rateLimit;
    const outgoing = writeRequest(endpoint, request);
    if (endpoint.access === 'signed') this.#signerFor(endpoint);
    const limited = { ruleId, principal: this.#principal, priority, weight };
    const { isAskedAgain = false, onTurn = () => undefined } = options;
    const host = this.hostOf(endpoint);
    return { endpoint, host, outgoing, limited, signal, ends, isAskedAgain, onTurn };
  }

  /**
   * Sends a call. A reading without an answer for `againAfterMs` is repeated in parallel. @throws if there is no answer; see {@link VenueClient.ask}.
   */
  send(prepared: PreparedCall): Promise<SentCall> {
    const { againAfterMs: afterMs, timers } = this.#options;
    const { endpoint, signal, ends, isAskedAgain } = prepared;
    if (afterMs === undefined || isAskedAgain || !isRepeatable(endpoint))
      return this.#send(prepared);
    return callBeside(
      (own, onSent) => this.#send({ ...prepared, signal: own, ends: [own, ...ends] }, onSent),
      { timers, afterMs, signal },
    );
  }

  /** `onSent` is called when its request is sent. */
  async #send(prepared: PreparedCall, onSent = (): void => undefined): Promise<SentCall> {
    const { endpoint, host, limited, ends, onTurn } = prepared;
    const { queue } = this.#options;
    const pass = host.enter(hostCallOf(prepared));
    let ticket: Ticket | undefined;
    let isUnderWay = false;
    try {
      if (endpoint.access === 'signed') await this.#timeAt(host, ends);
      const turn = queue.enter(limited, ...ends);
      if (turn instanceof Promise) onTurn(true);
      ticket = await turn;
      const began = (): void => {
        onSent();
        onTurn(false);
      };
      return await this.#transmit(prepared, { ticket, pass, onSent: began });
    } catch (error: unknown) {
      isUnderWay = isGivenUp(error);
      throw this.#explain(prepared, error);
    } finally {
      host.leave(pass);
      if (ticket !== undefined && !isUnderWay) queue.settle(ticket);
    }
  }

  /** Reads an answer. @throws see `readReply`. */
  read<E extends AnyEndpoint>(
    prepared: PreparedCall<E>,
    { answer, ticket, sentAt }: SentCall,
  ): Reply<E> {
    const { endpoint, host } = prepared;
    const { queue, clock, credentials } = this.#options;
    const secrets = credentials === undefined ? [] : [credentials.key, credentials.secret];
    try {
      const reply = readReply(endpoint, answer, {
        now: clock.now(),
        redact: (text) => redact(text, secrets),
      });
      queue.accepted(ticket);
      if (endpoint.access === 'signed') this.keyRefusals.served();
      this.#log.debug({ endpoint: endpoint.id, status: answer.status, reply: reply.kind }, 'call');
      return reply;
    } catch (error: unknown) {
      if (error instanceof RateLimitError) queue.refused(ticket, error.retryAfterMs);
      else if (error instanceof BannedError) this.#banned(prepared, error);
      else if (error instanceof AuthError) this.keyRefusals.refused(clock.now(), error.message);
      else if (isClockRejection(error)) host.serverClock.distrust(sentAt);
      this.#logFailure(endpoint, error);
      throw error;
    }
  }

  #banned({ host, limited }: PreparedCall, { forMs }: BannedError): void {
    const { queue, onBan } = this.#options;
    const until = queue.stop(limited.principal, forMs);
    onBan?.(host.base.origin, until);
  }

  preview<E extends AnyEndpoint>(endpoint: E, request: RequestOf<E>): RequestPreview {
    const outgoing = writeRequest(endpoint, request);
    const timestamp = this.#options.clock.now();
    const isSigned = endpoint.access === 'signed';
    const signature = isSigned ? { signer: this.#signerFor(endpoint), timestamp } : undefined;
    const { base } = this.hostOf(endpoint);
    return previewRequest(outgoing, base, headersOf(outgoing, signature), timestamp);
  }

  host(name: HostName): VenueHost {
    const host = this.#hosts.get(name);
    if (host !== undefined) return host;
    throw new ConfigError('E_NO_HOST', {
      location: { file: 'venue', key: `${name}Url` },
      expected: `an address for calls to ${name}`,
      received: 'nothing',
    });
  }

  hostOf(endpoint: AnyEndpoint): VenueHost {
    return this.host(endpoint.area === 'futures' ? 'futures' : 'spot');
  }

  async close(): Promise<void> {
    if (this.#life.signal.aborted) return;
    this.#life.abort(new TransportError('E_CLOSED', 'the client was closed; nothing was sent'));
    await Promise.all([...this.#hosts.values()].map((host) => host.close()));
  }

  async #transmit(prepared: PreparedCall, { ticket, pass, onSent }: Passed): Promise<SentCall> {
    const { endpoint, host, outgoing, limited, signal, ends } = prepared;
    const { clock, breathe } = this.#options;
    // The process may have been busy when it was told to stop. It must notice that before an order that opens is sent.
    if (limited.priority === 'entry') await breathe?.();
    const signature =
      endpoint.access === 'signed'
        ? { signer: this.#signerFor(endpoint), timestamp: await this.#timeAt(host, ends) }
        : undefined;
    const headers = headersOf(outgoing, signature);
    throwIfAnyAborted(ends);
    host.checkSilence(hostCallOf(prepared));
    const sentAt = clock.now();
    onSent();
    const sending = host.send(
      {
        method: outgoing.method,
        path: host.base.prefix + outgoing.target,
        headers,
        body: outgoing.method === 'POST' ? outgoing.body : undefined,
        signal,
        ends,
      },
      { pass, ticket },
    );
    if (isRepeatable(endpoint)) this.#watch(sending, nameOf(endpoint, outgoing), signal);
    const answer = await sending;
    return { answer, ticket, sentAt, receivedAt: clock.now() };
  }

  #watch(sending: Promise<unknown>, name: string, signal: AbortSignal): void {
    const { clock } = this.#options;
    const end = this.unanswered.begin(name, clock.now());
    sending.then(
      () => end('answered', clock.now()),
      () => end(signal.aborted ? 'given up' : 'failed', clock.now()),
    );
  }

  async #timeAt({ serverClock }: VenueHost, ends: readonly AbortSignal[]): Promise<EpochMs> {
    for (;;) {
      const known = serverClock.timestamp();
      if (known !== undefined) return known;
      try {
        await abortable(serverClock.measure(), ...ends);
      } catch (error: unknown) {
        throw ends.some(({ aborted }) => aborted) ? error : TimeUnknownError.from(error);
      }
    }
  }

  /** Turns an error of a request without an answer into the error for its caller. */
  #explain({ endpoint }: PreparedCall, error: unknown): unknown {
    if (!(error instanceof HttpFailure)) return error;
    const { code, message, isSent, cause } = error;
    const failure = new HttpFailure(code, `${endpoint.id}: ${message}`, isSent, { cause });
    this.#logFailure(endpoint, failure);
    if (isSent && !endpoint.idempotent) return unclear(endpoint, error);
    return code === 'E_ABORTED' ? cause : failure;
  }

  #signerFor(endpoint: AnyEndpoint): Signer {
    if (this.#signer !== undefined) return this.#signer;
    const text = `${endpoint.id}: there is no API key with its secret; nothing was sent`;
    throw new AuthError('E_NO_CREDENTIALS', text);
  }

  #createHost(name: HostName, base: VenueHost['base']): VenueHost {
    // Options are named one by one, so that a host gets no key.
    const { clock, wall, timers, timeouts, maxConnections, maxBodyBytes, dispatcher } =
      this.#options;
    const { authorities, onTraffic, breaker, serverClock, queue } = this.#options;
    const limits = { timeouts, maxConnections, maxBodyBytes };
    const http = { base, timers, authorities, dispatcher, onTraffic, ...limits };
    const askServer = (): Promise<TimeAnswer> => this.#askTime(name);
    const ports = { host: name, clock, wall, log: this.#log, askServer, options: serverClock };
    const onBack = (unread: readonly Ticket[]): void => queue.countAgain(unread);
    return new VenueHost({ ...http, name, clock, breaker, serverClock: ports, onBack });
  }

  async #askTime(name: HostName): Promise<TimeAnswer> {
    const endpoint = name === 'spot' ? ENDPOINTS['spot.time'] : ENDPOINTS['futures.time'];
    // No command can be signed without the time, so it has the same priority.
    const prepared = this.prepare(endpoint, {}, { signal: this.#life.signal, priority: 'exit' });
    const sent = await this.send(prepared);
    const reply = this.read(prepared, sent);
    if (reply.kind === 'refused')
      throw new VenueRefusalError(reply.text, reply.code, reply.transient);
    return {
      sentAt: sent.sentAt,
      serverTime: reply.answer.serverTime,
      receivedAt: sent.receivedAt,
    };
  }

  #logFailure(endpoint: AnyEndpoint, error: unknown): void {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.warn({ endpoint: endpoint.id, code, reason }, 'call failed');
  }
}

function hostCallOf({ endpoint, limited: { priority } }: PreparedCall): HostCall {
  const isCommand = priority === 'exit' && !isRepeatable(endpoint);
  return { isUrgent: isTriedAnyway(endpoint, priority), isCommand };
}

/** Name of a reading, with its instrument: an unanswered reading says nothing about other instruments. */
function nameOf({ id }: AnyEndpoint, { target }: OutgoingRequest): string {
  const instrument = /[?&](?:symbol|contractName)=([^&]+)/.exec(target)?.[1];
  return instrument === undefined ? id : `${id} of ${instrument}`;
}

/** Whether we gave up a request that was sent: the venue may still receive and count it. A connection that the other side ended brings nothing more. */
function isGivenUp(error: unknown): boolean {
  return error instanceof HttpFailure && error.isSent && error.code !== 'E_CONNECTION_LOST';
}

/** Whether a call may be sent more than once. */
export function isRepeatable({ method, idempotent }: AnyEndpoint): boolean {
  return method === 'GET' && idempotent;
}

/** Whether the venue found our timestamp outside its window. */
export function isClockRejection(error: unknown): boolean {
  return error instanceof TransportError && error.code === 'E_CLOCK_REJECTED';
}
