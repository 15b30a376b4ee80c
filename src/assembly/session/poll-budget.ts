import { MINUTE_MS, type ProductKind } from '../../domain/index.js';
import { CANDLE_PLAN, MARKET_PLAN } from '../../feed/index.js';
import { KEPT_FOR_COMMANDS } from '../../venue/index.js';
import { ENDPOINTS, type AnyEndpoint } from '../../venue/wire/index.js';
import type { BotConfig, SecretSource } from '../bot-config.js';

/** What a live bot polls, where and as whom. */
export type PolledConfig = Pick<BotConfig, 'instruments' | 'venue' | 'live'>;

/** What the polls of all bots need of one of the venue's limits. */
export interface PollBudget {
  /** Name of the limit, for example `futures`. */
  readonly name: string;
  /** Calls in the busiest minute: a full hour, when all candles close. What is made again, and what orders need, comes on top. */
  readonly callsPerMinute: number;
  /** Half of what the limit allows (DESIGN §7). */
  readonly mostPerMinute: number;
  /** From a close to the last of the candles of that close, in ms; undefined where no candles are read by this limit. */
  readonly lastCandleMs: number | undefined;
  /** How late the strictest of the bots lets candles be, in ms. */
  readonly staleAfterMs: number;
}

interface Stream {
  readonly endpoint: AnyEndpoint;
  readonly callsPerMinute: number;
  readonly isCandle: boolean;
}

/**
 * Says what the polls of live bots of one process need, by limit. Bots with one key on one venue share polls of the same thing; the limits are shared by all of
 * the process. The arithmetic is that of docs/feed.md, "What polls cost".
 */
export function planPolls(bots: readonly PolledConfig[]): readonly PollBudget[] {
  const streams = new Map<string, Stream>();
  for (const bot of bots)
    for (const [name, stream] of streamsOf(bot))
      streams.set(`${connectionOf(bot.venue)} ${name}`, stream);
  const byLimit = new Map<string, Stream[]>();
  for (const stream of streams.values()) {
    const { bucket } = stream.endpoint.rateLimit;
    byLimit.set(bucket, [...(byLimit.get(bucket) ?? []), stream]);
  }
  const staleAfterMs = Math.min(...bots.map(({ live }) => live.staleAfterMs));
  return [...byLimit].map(([name, own]): PollBudget => {
    const { count, windowMs } = limitOf(own);
    const candles = own.filter(({ isCandle }) => isCandle).length;
    return {
      name,
      callsPerMinute: own.reduce((sum, { callsPerMinute }) => sum + callsPerMinute, 0),
      mostPerMinute: (count * MINUTE_MS) / windowMs / 2,
      lastCandleMs: candles === 0 ? undefined : lastCandleMs(name, candles, { count, windowMs }),
      staleAfterMs,
    };
  });
}

/** Whether candles would be fresh and half of the budget stay free. */
export function fitsBudget(budget: PollBudget): boolean {
  const { callsPerMinute, mostPerMinute, lastCandleMs: last = 0, staleAfterMs } = budget;
  return callsPerMinute <= mostPerMinute && last <= staleAfterMs;
}

function limitOf([first]: readonly Stream[]): AnyEndpoint['rateLimit'] {
  return (first?.endpoint ?? ENDPOINTS['spot.klines']).rateLimit;
}

function* streamsOf(config: PolledConfig): Generator<readonly [string, Stream]> {
  const hosts = new Set<'spot' | 'futures'>();
  for (const { instrumentId, kind, intervals } of config.instruments) {
    const host = hostOf(kind);
    hosts.add(host);
    for (const interval of intervals)
      yield [`candles ${instrumentId} ${interval}`, aStream(`${host}.klines`, 1, true)];
    if (kind === 'futures') yield [`mark ${instrumentId}`, aStream('futures.index', 1)];
  }
  for (const host of hosts) yield [`time ${host}`, aStream(`${host}.time`, 1)];
}

function aStream(
  id: `${'spot' | 'futures'}.${'klines' | 'time'}` | 'futures.index',
  callsPerMinute: number,
  isCandle = false,
): Stream {
  return { endpoint: ENDPOINTS[id], callsPerMinute, isCandle };
}

function hostOf(kind: ProductKind): 'spot' | 'futures' {
  return kind === 'futures' ? 'futures' : 'spot';
}

/** Calls of accounts may take half of what is not kept for commands; a window, and a millisecond by which clocks may differ, to each call. */
function lastCandleMs(
  name: string,
  candles: number,
  { count, windowMs }: { readonly count: number; readonly windowMs: number },
): number {
  const kept = KEPT_FOR_COMMANDS[name] ?? 0;
  const slotMs = (windowMs + 1) / (count - kept);
  const staggerMs = candles * MARKET_PLAN.staggerMs;
  const waitMs =
    kept > 0 ? 2 * (candles + 1) * slotMs : (Math.ceil(candles / count) - 1) * windowMs;
  return Math.round(CANDLE_PLAN.settleMs + Math.max(staggerMs, waitMs));
}

/** Bots with one key on one venue share a connection. Names of secrets stand for them. */
function connectionOf(venue: BotConfig['venue']): string {
  const { key, spotUrl = '', futuresUrl = '' } = venue ?? {};
  return [describeSource(key), spotUrl, futuresUrl].join(' ');
}

function describeSource(source: SecretSource | undefined): string {
  if (source === undefined) return '';
  return source.kind === 'environment' ? `env ${source.name}` : `file ${source.path}`;
}
