import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { DomainError, formatUtc, TradingError, type ErrorCode } from '../../domain/index.js';
import { completeAccount } from '../accounts/account-draft.js';
import { parseFaultRule } from '../faults/fault-plan.js';
import type { LocalExchange } from '../local-exchange.js';
import type { AppEnvironment } from './app-environment.js';
import { isLoopback } from './loopback.js';
import { readBody } from './read-body.js';

export interface ControlOptions {
  /** The token that a caller sends as `Authorization: Bearer …`. */
  readonly token: string;
  /** Generates keys and secrets for new accounts without them. */
  readonly randomText: () => string;
  /** Stops listening for a while; undefined if nothing listens. */
  readonly refuseConnections?: ((durationMs: number) => void) | undefined;
}

type ControlContext = Context<AppEnvironment>;

const ADVANCE = z.union(
  [z.strictObject({ to: z.int() }), z.strictObject({ byMs: z.int().min(0) })],
  { error: 'expected {"to": UTC milliseconds} or {"byMs": milliseconds}' },
);

/**
 * The control API under `/control`: state, lockstep, faults and accounts of this exchange, for tests and tools. It has its own token and answers only
 * calls from this machine. It is not part of the interface.
 */
export function addControlRoutes(
  app: Hono<AppEnvironment>,
  exchange: LocalExchange,
  options: ControlOptions,
): void {
  const { faults, accounts, marketTime } = exchange.parts;
  const route = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    act: (context: ControlContext) => unknown,
  ): void => {
    app.on(
      method,
      `/control${path}`,
      (context) => refusalOf(context, options.token) ?? attempt(() => act(context)),
    );
  };
  route('GET', '/state', () => describeState(exchange));
  route('POST', '/advance', async (context) => {
    const step = ADVANCE.safeParse(await readJson(context));
    if (!step.success) throw new DomainError('E_LOCKSTEP', step.error.issues[0]?.message ?? '');
    exchange.advanceTo('to' in step.data ? step.data.to : marketTime.now() + step.data.byMs);
    return describeState(exchange);
  });
  route('GET', '/faults', () => ({ counts: faults.counts(), faults: faults.list() }));
  route('POST', '/faults', async (context) => {
    const rule = parseFaultRule(await readJson(context));
    const { durationMs } = rule;
    if (rule.fault !== 'connection-refused') return { id: exchange.addFault(rule) };
    if (options.refuseConnections === undefined || durationMs === undefined) {
      throw new DomainError('E_FAULT', 'fault connection-refused needs a durationMs');
    }
    const id = exchange.addFault(rule);
    faults.fire(id);
    options.refuseConnections(durationMs);
    return { id };
  });
  route('DELETE', '/faults', () => ({ removed: exchange.removeFault() }));
  route('DELETE', '/faults/:id', ({ req }) => ({
    removed: exchange.removeFault(Number(req.param('id'))),
  }));
  route('GET', '/accounts', () =>
    accounts.list().map(({ settings: { name, userId, key } }) => ({ name, userId, key })),
  );
  route('POST', '/accounts', async (context) => {
    const taken = accounts.list().map(({ settings }) => settings.userId);
    const settings = completeAccount(await readJson(context), {
      randomText: options.randomText,
      taken,
    });
    exchange.openAccount(settings);
    return settings;
  });
}

/** The refusal of a caller that may not use the control API, or undefined. */
function refusalOf({ env, req }: ControlContext, token: string): Response | undefined {
  const address = env.incoming?.socket.remoteAddress;
  if (address !== undefined && !isLoopback(address)) {
    return failure(403, 'E_CONTROL', 'only calls from this machine are accepted');
  }
  const sent = /^Bearer (.+)$/.exec(req.header('authorization') ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(sent), digest(token))
    ? undefined
    : failure(
        401,
        'E_CONTROL',
        'the header Authorization: Bearer <control token> is missing or wrong',
      );
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function attempt(act: () => unknown): Promise<Response> {
  try {
    return answer(200, await act());
  } catch (error: unknown) {
    if (!(error instanceof TradingError)) throw error;
    return failure(400, error.code, error.message);
  }
}

function failure(status: number, code: ErrorCode, message: string): Response {
  return answer(status, { error: { code, message } });
}

function answer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

async function readJson(context: ControlContext): Promise<unknown> {
  const text = new TextDecoder().decode(await readBody(context));
  try {
    return JSON.parse(text) as unknown;
  } catch (cause: unknown) {
    throw new DomainError('E_CONTROL', 'the body is not JSON', { cause });
  }
}

/** The content of `/control/state`. */
function describeState(exchange: LocalExchange): Readonly<Record<string, unknown>> {
  const { parts, counters } = exchange;
  const { marketTime, marketEnd, profile, accounts, faults } = parts;
  const time = marketTime.now();
  return {
    clock: marketTime.mode,
    marketTime: time,
    marketTimeUtc: formatUtc(time),
    opened: marketTime.hasOpened(time),
    next: exchange.next(),
    traveling: exchange.traveling,
    marketEnd,
    marketEnded: time >= marketEnd,
    profile,
    accounts: accounts.list().length,
    counters,
    faults: faults.counts(),
  };
}
