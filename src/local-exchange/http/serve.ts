import { getRequestListener } from '@hono/node-server';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { DomainError } from '../../domain/index.js';
import { refuse } from '../refusal.js';
import type { LocalExchange } from '../local-exchange.js';
import { answerBrokenRequests } from './broken-requests.js';
import { createApp, respond, type AppOptions } from './create-app.js';
import { isLoopback, namesThisMachine } from './loopback.js';
import type { ExchangeTimers } from './timers.js';
import { readPastUnreadBodies } from './unread-bodies.js';
import { writeRefusal } from './wire-answer.js';

interface ServeOptions {
  /** @defaultValue '127.0.0.1' */
  readonly host?: string | undefined;
  /** 0 takes a free port. */
  readonly port: number;
  /** Whether other machines may call. It must be set explicitly. @defaultValue false */
  readonly allowRemote?: boolean | undefined;
  readonly timers: ExchangeTimers;
  /** Token and random source of the control API; undefined means no control API. */
  readonly control: { readonly token: string; readonly randomText: () => string } | undefined;
  readonly onFailure?: AppOptions['onFailure'];
  /** See {@link AppOptions.lostMs}. */
  readonly lostMs?: number | undefined;
  /** How long the headers of a request, and the whole request, may take to arrive, in milliseconds. @defaultValue 5000 and 10000 */
  readonly patience?: { readonly headersMs: number; readonly requestMs: number } | undefined;
  /** The most connections at once; a bot holds a handful. @defaultValue 1024 */
  readonly maxConnections?: number | undefined;
}

/** A listening exchange. */
export interface ServedExchange {
  readonly url: string;
  readonly port: number;
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

const PATIENCE = { headersMs: 5_000, requestMs: 10_000 };
const MAX_CONNECTIONS = 1_024;
const KEEP_ALIVE_MS = 30_000;
/** Time between two tries to listen again on a port that is taken. */
const RETRY_MS = 100;

/**
 * Serves an exchange over HTTP.
 *
 * @throws {DomainError} `E_EXCHANGE_HOST` for an address that other machines could reach, unless `allowRemote` is set; `E_EXCHANGE_LISTEN` when the
 * port is not available.
 */
export async function serveExchange(
  exchange: LocalExchange,
  options: ServeOptions,
): Promise<ServedExchange> {
  const { host = '127.0.0.1', allowRemote = false } = options;
  if (!isLoopback(host) && !allowRemote) {
    throw new DomainError(
      'E_EXCHANGE_HOST',
      `expected an address of this machine only, such as 127.0.0.1, received "${host}"`,
    );
  }
  const listener = new Listener(options.timers);
  const control: AppOptions['control'] = options.control && {
    ...options.control,
    refuseConnections: (durationMs) => {
      listener.refuse(durationMs);
    },
  };
  const app = createApp(exchange, { ...options, control });
  const server = createExchangeServer(exchange, app, options);
  await listener.listen(server, { host, port: options.port });
  const { port } = server.address() as AddressInfo;
  const shownHost = host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host;
  return {
    url: `http://${shownHost}:${String(port)}`,
    port,
    close: () => listener.close(),
  };
}

function createExchangeServer(
  exchange: LocalExchange,
  app: ReturnType<typeof createApp>,
  { allowRemote = false, timers, patience = PATIENCE, maxConnections }: ServeOptions,
): Server {
  const answer = getRequestListener(app.fetch, {
    // A request that names no host means this one.
    hostname: 'localhost',
    // Bots may run in this process: their global Request and Response must stay unchanged.
    overrideGlobalObjects: false,
    // See readPastUnreadBodies. The library would end the connection half a second later, even if another request uses it then.
    autoCleanupIncoming: false,
    errorHandler: () => notHttp(exchange, 'the request names no path of this host'),
  });
  const take: RequestListener = (request, response) => {
    // A web page whose host name was redirected to this machine could otherwise read this exchange, and use up the budgets of this machine.
    if (allowRemote || namesThisMachine(request.headers.host)) void answer(request, response);
    else refuseHost(exchange, response);
  };
  const server = createServer(
    {
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(1_000, patience.headersMs),
      requireHostHeader: false,
    },
    take,
  );
  // Requests with an `Expect` header are answered like all others.
  server.on('checkExpectation', take);
  readPastUnreadBodies(server, timers);
  server.maxConnections = maxConnections ?? MAX_CONNECTIONS;
  answerBrokenRequests(server, { profile: exchange.parts.profile, timers });
  return server;
}

function refuseHost(exchange: LocalExchange, response: ServerResponse): void {
  const text = 'the header Host names another machine';
  const { status, body } = writeRefusal(refuse('-1100', text), exchange.parts.profile, {
    status: 403,
  });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

function notHttp(exchange: LocalExchange, text: string): Response {
  return respond(writeRefusal(refuse('-1100', text), exchange.parts.profile, { status: 400 }));
}

/** Listens, and can stop for a while. Connections are then refused, as by a server that is down. */
class Listener {
  readonly #timers: ExchangeTimers;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #place: { readonly host: string; readonly port: number } | undefined;
  #cancel: (() => void) | undefined;

  constructor(timers: ExchangeTimers) {
    this.#timers = timers;
  }

  async listen(
    server: Server,
    place: { readonly host: string; readonly port: number },
  ): Promise<void> {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.listen(place.port, place.host.replace(/^\[(.*)\]$/, '$1'));
    try {
      await once(server, 'listening');
    } catch (cause: unknown) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new DomainError(
        'E_EXCHANGE_LISTEN',
        `port ${String(place.port)} of ${place.host} is not available: ${why}`,
        { cause },
      );
    }
    this.#place = { host: place.host, port: (server.address() as AddressInfo).port };
    // While this one did not listen, another program may have taken the port.
    server.on('error', () => {
      if (!server.listening) this.#listenAfter(RETRY_MS);
    });
  }

  /** Stops listening for a while. The answer to the call that requested it is still sent. */
  refuse(durationMs: number): void {
    if (this.#place === undefined || this.#cancel !== undefined) return;
    this.#server?.close();
    this.#listenAfter(durationMs);
  }

  #listenAfter(delayMs: number): void {
    this.#cancel = this.#timers.after(delayMs, () => {
      this.#cancel = undefined;
      this.#server?.listen(this.#place?.port, this.#place?.host);
    });
  }

  async close(): Promise<void> {
    this.#cancel?.();
    const server = this.#server;
    if (server === undefined) return;
    const closed = server.listening ? once(server, 'close') : Promise.resolve();
    if (server.listening) server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
