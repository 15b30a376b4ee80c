import { Pool, type Dispatcher } from 'undici';

import type { ErrorCode } from '../../domain/index.js';
import { onAnyAbort } from './abort-listeners.js';
import type { BaseUrl } from './base-url.js';
import { HttpFailure } from './http-failure.js';
import type { Timers } from '../ports.js';

/** Time limits of one call, in ms. */
export interface HttpTimeouts {
  /** Until there is a connection, including name lookup and handshake. @defaultValue 5000 */
  readonly connectMs?: number;
  /** From the request to the head of the answer. @defaultValue 10000 */
  readonly headersMs?: number;
  /** Between two pieces of the answer's body. @defaultValue 10000 */
  readonly bodyMs?: number;
  /** The whole call, including the wait for a free connection: also ends an answer that comes very slowly. @defaultValue 20000 */
  readonly totalMs?: number;
}

const DEFAULT_TIMEOUTS = {
  connectMs: 5_000,
  headersMs: 10_000,
  bodyMs: 10_000,
  totalMs: 20_000,
} as const satisfies Required<HttpTimeouts>;

export interface HttpOptions {
  readonly base: BaseUrl;
  readonly timers: Timers;
  readonly timeouts?: HttpTimeouts | undefined;
  /** Concurrent calls to each host; further calls wait. @defaultValue 50 */
  readonly maxConnections?: number | undefined;
  /** Largest body, in bytes. @defaultValue 4194304 */
  readonly maxBodyBytes?: number | undefined;
  /** Certificates of accepted authorities, in PEM. @defaultValue Node's own */
  readonly authorities?: readonly string[] | undefined;
  /** Replaces the connection pool, in tests. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Called when a call begins (1) and when it has ended (-1). Code that moves time by hand waits for running calls. */
  readonly onTraffic?: ((change: 1 | -1) => void) | undefined;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Including the gateway's prefix and the query. */
  readonly path: string;
  /** Each name before its value. */
  readonly headers: string[];
  /** Undefined for GET. */
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  /** Signals that end the call while it waits for a connection. Once the request is written they have no effect. @defaultValue none */
  readonly ends?: readonly AbortSignal[] | undefined;
  /** Time to wait for the answer, in ms, if that is more than the limits of the transport. @defaultValue those limits */
  readonly patienceMs?: number | undefined;
}

type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: string;
}

/** An answer with its raw body. */
export interface RawAnswer extends Omit<HttpAnswer, 'body'> {
  readonly body: Buffer;
}

/** One host over HTTP/1.1 with persistent connections. Sends each request exactly once, and reads its complete answer within limits. */
export class HttpTransport {
  readonly #origin: string;
  readonly #dispatcher: Dispatcher;
  readonly #timers: Timers;
  readonly #limits: Limits;
  readonly #onTraffic: (change: 1 | -1) => void;

  constructor({
    base,
    timers,
    timeouts,
    maxConnections = 50,
    maxBodyBytes = 4_194_304,
    authorities,
    dispatcher,
    onTraffic = () => undefined,
  }: HttpOptions) {
    this.#origin = base.origin;
    this.#timers = timers;
    this.#onTraffic = onTraffic;
    this.#limits = { ...DEFAULT_TIMEOUTS, ...timeouts, maxBodyBytes };
    this.#dispatcher =
      dispatcher ??
      new Pool(base.origin, {
        connections: maxConnections,
        pipelining: 1,
        // Set explicitly: otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would send key and signature to any server.
        connect: {
          timeout: this.#limits.connectMs,
          rejectUnauthorized: true,
          ...(authorities && { ca: [...authorities] }),
        },
        // Our own timeouts follow the injected timers, to the millisecond.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
  }

  /** @throws {HttpFailure} if there is no complete answer; its `isSent` says whether the request may have reached the host. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const answer = await this.sendRaw(request);
    return { ...answer, body: answer.body.toString('utf8') };
  }

  /** Like {@link send}, for binary answers. */
  sendRaw(request: HttpRequest): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      this.#onTraffic(1);
      let letGo = (): void => undefined;
      const limits = patientLimits(this.#limits, request.patienceMs);
      const exchange = new Exchange(this.#timers, limits, (result) => {
        this.#onTraffic(-1);
        request.signal.removeEventListener('abort', abort);
        letGo();
        if (result instanceof HttpFailure) reject(result);
        else resolve(result);
      });
      const abort = (): void => {
        exchange.fail('E_ABORTED', 'the caller gave up', request.signal.reason);
      };
      request.signal.addEventListener('abort', abort);
      if (request.signal.aborted) {
        abort();
        return;
      }
      this.#dispatcher.dispatch(
        {
          origin: this.#origin,
          method: request.method,
          path: request.path,
          headers: request.headers,
          ...(request.body === undefined ? {} : { body: request.body }),
        },
        exchange,
      );
      // A free connection takes the request at once.
      const { ends = [] } = request;
      if (!exchange.isSent) letGo = onAnyAbort(ends, (reason) => exchange.callOff(reason));
    });
  }

  /** Ends idle connections and waits for calls on their way. */
  async close(): Promise<void> {
    await this.#dispatcher.close();
  }
}

interface Limits extends Required<HttpTimeouts> {
  readonly maxBodyBytes: number;
}

function patientLimits(limits: Limits, patienceMs = 0): Limits {
  const { headersMs, totalMs } = limits;
  if (patienceMs <= headersMs) return limits;
  return { ...limits, headersMs: patienceMs, totalMs: Math.max(totalMs, patienceMs) };
}

/** One request and its answer, as undici reports it. Ends once, with the complete answer or with the reason why there is none. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #timers: Timers;
  readonly #limits: Limits;
  readonly #done: (result: RawAnswer | HttpFailure) => void;
  readonly #chunks: Buffer[] = [];
  readonly #stopDeadline: () => void;
  #stopStage: () => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: HttpHeaders = {};
  #bytes = 0;
  #isDone = false;

  constructor(timers: Timers, limits: Limits, done: (result: RawAnswer | HttpFailure) => void) {
    this.#timers = timers;
    this.#limits = limits;
    this.#done = done;
    this.#stopDeadline = timers.after(limits.totalMs, () => {
      this.fail('E_TIMEOUT', `the answer was not whole within ${String(limits.totalMs)} ms`);
    });
  }

  /** Whether the request may have reached the host. */
  get isSent(): boolean {
    return this.#controller !== undefined;
  }

  /** Called when a connection is free, right before the request is written. Nothing was sent before. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isDone) {
      controller.abort(new Error('given up before it was sent'));
      return;
    }
    this.#controller = controller;
    this.#startStage(this.#limits.headersMs, 'no answer began');
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HttpHeaders): void {
    // Informational answers come before the real one.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#startStage(this.#limits.bodyMs, 'nothing more of the answer came');
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxBodyBytes, bodyMs } = this.#limits;
    this.#bytes += chunk.length;
    if (this.#bytes > maxBodyBytes) {
      this.fail('E_BODY_SIZE', `the answer is longer than ${String(maxBodyBytes)} bytes`);
      return;
    }
    this.#chunks.push(chunk);
    this.#startStage(bodyMs, 'nothing more of the answer came');
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const isOne = first !== undefined && this.#chunks.length === 1;
    const whole = isOne ? first : Buffer.concat(this.#chunks);
    this.#end({ status: this.#status, headers: this.#headers, body: whole });
  }

  onResponseError(_: unknown, error: unknown): void {
    this.#end(HttpFailure.from(error, this.isSent));
  }

  /** Gives up: closes the connection if the request is on it, otherwise prevents the request from being sent. */
  fail(code: ErrorCode, message: string, cause?: unknown): void {
    if (this.#isDone) return;
    const failure = new HttpFailure(code, message, this.isSent, { cause });
    this.#end(failure);
    this.#controller?.abort(failure);
  }

  /** Prevents the request from being sent, unless it already was. */
  callOff(reason: unknown): void {
    if (!this.isSent) this.fail('E_ABORTED', 'it was called off before it was sent', reason);
  }

  #startStage(lengthMs: number, what: string): void {
    this.#stopStage();
    if (this.#isDone) return;
    this.#stopStage = this.#timers.after(lengthMs, () => {
      this.fail('E_TIMEOUT', `${what} within ${String(lengthMs)} ms`);
    });
  }

  #end(result: RawAnswer | HttpFailure): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#stopDeadline();
    this.#stopStage();
    this.#done(result);
  }
}
