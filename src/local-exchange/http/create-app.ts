import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { ENDPOINT_LIST, FAMILY_ENDPOINT_LIST, type AnyEndpoint } from '../../venue/wire/index.js';
import type { LocalExchange } from '../local-exchange.js';
import { refuse } from '../refusal.js';
import type { AppEnvironment } from './app-environment.js';
import { CallFaults, type ConnectionFault } from './call-faults.js';
import { addControlRoutes, type ControlOptions } from './control-api.js';
import { splitTarget, type IncomingCall } from './incoming-call.js';
import { BodyTooLarge, readBody, SenderGone } from './read-body.js';
import type { ExchangeTimers } from './timers.js';
import { writeRefusal, type RefusalOptions, type WireAnswer } from './wire-answer.js';

type AppContext = Context<AppEnvironment>;

export interface AppOptions {
  readonly timers: ExchangeTimers;
  /** Undefined means no control API. */
  readonly control: ControlOptions | undefined;
  /** How long a connection stays open after its answer was lost, in transport milliseconds. @defaultValue 30000 */
  readonly lostMs?: number | undefined;
  /** Is called with a failure that a client got as an internal error: a bug, or a journal that cannot be written. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

const LOST_MS = 30_000;

/** The exchange over HTTP: a route for each row of the endpoint table, and the control API beside them. */
export function createApp(exchange: LocalExchange, options: AppOptions): Hono<AppEnvironment> {
  const app = new Hono<AppEnvironment>();
  const { profile, faults } = exchange.parts;
  const refused = (...refusal: [...Parameters<typeof refuse>, RefusalOptions?]): Response => {
    const [code, message, status] = refusal;
    return respond(writeRefusal(refuse(code, message), profile, status));
  };
  const callFaults = new CallFaults(faults, profile);
  const served = profile === 'family' ? [...ENDPOINT_LIST, ...FAMILY_ENDPOINT_LIST] : ENDPOINT_LIST;
  for (const endpoint of served) {
    app.on(endpoint.method, endpoint.path, (context) =>
      serveCall(context, endpoint, { exchange, callFaults, options }),
    );
  }
  if (options.control !== undefined) addControlRoutes(app, exchange, options.control);
  app.notFound(({ req }) => {
    const { path } = splitTarget(req.path);
    const isKnown = served.some((endpoint) => endpoint.path === path);
    if (isKnown) return refused('-1020', `${path} does not know this method`, { status: 405 });
    // Live servers of the family check the key before the path.
    return profile === 'family'
      ? refused('-1002', 'there is no such path')
      : refused('-1020', 'there is no such path', { status: 404 });
  });
  app.onError((error) => {
    if (error instanceof SenderGone) return RESPONSE_ALREADY_SENT;
    if (error instanceof BodyTooLarge) return refused('-1102', error.message, { status: 413 });
    options.onFailure?.(error);
    return refused('-1001', 'internal error', { status: 500 });
  });
  return app;
}

interface Serving {
  readonly exchange: LocalExchange;
  readonly callFaults: CallFaults;
  readonly options: AppOptions;
}

async function serveCall(
  context: AppContext,
  endpoint: AnyEndpoint,
  { exchange, callFaults, options }: Serving,
): Promise<Response> {
  const call = await readCall(context, endpoint);
  const { transport } = exchange.parts;
  const fate = callFaults.fateOf(endpoint, call.target, transport.now());
  if (fate.delayMs > 0) await pause(options.timers, fate.delayMs);
  if (fate.connection === 'reset-before') return breakOff(context, fate.connection, options);
  const right = fate.instead ?? (await exchange.answer(endpoint, call, fate.effects));
  if (fate.connection !== undefined) return breakOff(context, fate.connection, options);
  return deliver(context, fate.spoil(right));
}

async function readCall(context: AppContext, endpoint: AnyEndpoint): Promise<IncomingCall> {
  const { req, env } = context;
  const { incoming } = env;
  const body = endpoint.method === 'GET' ? new Uint8Array() : await readBody(context);
  return {
    method: endpoint.method,
    target: incoming?.url ?? req.url.slice(req.url.indexOf('/', req.url.indexOf('//') + 2)),
    header: (name) => {
      const value = incoming === undefined ? req.header(name) : incoming.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    address: incoming?.socket.remoteAddress ?? 'local',
    body,
  };
}

/** Ends a connection as if the network had failed. A call within the process has no connection to end: it gets status 502. */
function breakOff(
  { env }: AppContext,
  fault: ConnectionFault,
  { timers, lostMs = LOST_MS }: AppOptions,
): Response {
  const socket = env.outgoing?.socket;
  if (socket === undefined || socket === null) return new Response(null, { status: 502 });
  if (fault === 'answer-lost') {
    const cancel = timers.after(lostMs, () => socket.destroy());
    socket.once('close', cancel);
  } else socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

function pause(timers: ExchangeTimers, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    timers.after(delayMs, resolve);
  });
}

/** Sends an answer. If there is a connection, writes on it directly, without another copy of the answer. */
function deliver({ env: { outgoing } }: AppContext, answer: WireAnswer): Response {
  if (outgoing === undefined) return respond(answer);
  const { status, body } = answer;
  outgoing.writeHead(status, {
    ...headersOf(answer),
    'content-length': String(Buffer.byteLength(body)),
  });
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}

export function respond(answer: WireAnswer): Response {
  return new Response(answer.body, { status: answer.status, headers: headersOf(answer) });
}

function headersOf({
  contentType = 'application/json',
  retryAfterMs,
}: WireAnswer): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': contentType };
  if (retryAfterMs !== undefined) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterMs / 1_000)));
  }
  return headers;
}
