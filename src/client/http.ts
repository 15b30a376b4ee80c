import { Pool, type Dispatcher } from 'undici';

import type { BaseUrl } from './base-url.js';
import { Exchange, type ExchangeLimits, type HttpAnswer } from './http-exchange.js';
import { HttpFailure } from './http-failure.js';
import type { Timers } from './ports.js';

/** Time one call may take. */
export interface HttpTimeouts {
  /** To a connection, name lookup and handshake included. @defaultValue 5000 */
  readonly connectMs?: number;
  /** From the request to the head of the answer. @defaultValue 10000 */
  readonly headersMs?: number;
  /** Between two pieces of the answer's body. @defaultValue 10000 */
  readonly bodyMs?: number;
  /** All of it, waiting for a free connection included: ends an answer that drips. @defaultValue 20000 */
  readonly totalMs?: number;
}

export const DEFAULT_TIMEOUTS = {
  connectMs: 5_000,
  headersMs: 10_000,
  bodyMs: 10_000,
  totalMs: 20_000,
} as const satisfies Required<HttpTimeouts>;

export interface HttpOptions {
  readonly base: BaseUrl;
  readonly timers: Timers;
  readonly timeouts?: HttpTimeouts | undefined;
  /** Calls on their way at once; further ones wait. @defaultValue 50 */
  readonly maxConnections?: number | undefined;
  /** Largest body that is read. @defaultValue 4194304 */
  readonly maxBodyBytes?: number | undefined;
  /** Stands in for the connection pool, in tests. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Called when a call leaves (1) and when it has ended (-1). */
  readonly onTraffic?: ((change: 1 | -1) => void) | undefined;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** With the gateway's prefix and the query. */
  readonly path: string;
  /** Each name before its value. */
  readonly headers: string[];
  /** Undefined for GET. */
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** One host over HTTP/1.1 with kept connections. Sends each request exactly once and reads its whole answer within bounds. */
export class HttpTransport {
  readonly #origin: string;
  readonly #dispatcher: Dispatcher;
  readonly #timers: Timers;
  readonly #limits: ExchangeLimits;
  readonly #onTraffic: (change: 1 | -1) => void;

  constructor({
    base,
    timers,
    timeouts,
    maxConnections = 50,
    maxBodyBytes = 4_194_304,
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
        connect: { timeout: this.#limits.connectMs },
        // Ours follow the injected timers, to the millisecond.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
  }

  /** @throws {HttpFailure} when there is no whole answer; its `isSent` says whether the request may have reached the host. */
  send(request: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.#onTraffic(1);
      const exchange = new Exchange(this.#timers, this.#limits, (result) => {
        this.#onTraffic(-1);
        request.signal.removeEventListener('abort', abort);
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
    });
  }

  /** Ends idle connections and waits for calls on their way. */
  async close(): Promise<void> {
    await this.#dispatcher.close();
  }
}
