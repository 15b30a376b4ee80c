import type { BotConfig, ConfiguredSecret } from '../../../config/index.js';
import { MINUTE_MS, type ProductKind } from '../../../domain/index.js';
import { CANDLE_PLAN, MARKET_PLAN, tickerPeriodMs } from '../../../feed/index.js';
import type { BotStatus } from '../../../live/index.js';
import { KEPT_FOR_COMMANDS } from '../../../venue/index.js';
import { ENDPOINTS, type AnyEndpoint } from '../../../venue/wire/index.js';

/** The parts of a bot's configuration that decide what it polls, where, and with which key. */
export type PolledConfig = Pick<BotConfig, 'instruments' | 'venue' | 'live'>;

/** The calls that the polls of all bots need of one of the venue's limits. */
export interface PollBudget {
  /** Name of the limit, for example `futures`. */
  readonly name: string;
  /** Calls in the busiest minute: a full hour, when all candles close. Repeated calls and calls for orders come on top. */
  readonly callsPerMinute: number;
  /** Live, half of the calls that the limit allows (DESIGN §7). On paper all of them, because only polls are sent. */
  readonly mostPerMinute: number;
  /** Time from a close to the last of its candles, in ms; undefined if the limit concerns no candles. */
  readonly lastCandleMs: number | undefined;
  /** The smallest `staleAfterMs` of the bots: how late candles may be, in ms. */
  readonly staleAfterMs: number;
}

interface Stream {
  readonly endpoint: AnyEndpoint;
  readonly callsPerMinute: number;
  readonly kind: 'candles' | 'ticker' | 'other';
}

/**
 * Computes the calls that the polls of one process's bots need, by limit. Live, bots with one key on one venue share equal polls; on paper, all bots on
 * one venue do. All bots of the process share the limits. The arithmetic is that of docs/feed.md, "What polls cost".
 */
export function planPolls(
  bots: readonly PolledConfig[],
  mode: BotStatus['mode'] = 'live',
): readonly PollBudget[] {
  const streams = new Map<string, Stream>();
  for (const bot of bots)
    for (const [name, stream] of streamsOf(bot, mode))
      streams.set(`${connectionOf(bot.venue, mode)} ${name}`, stream);
  const byLimit = new Map<string, Stream[]>();
  for (const stream of streams.values()) {
    const { bucket } = stream.endpoint.rateLimit;
    byLimit.set(bucket, [...(byLimit.get(bucket) ?? []), stream]);
  }
  const staleAfterMs = Math.min(...bots.map(({ live }) => live.staleAfterMs));
  return [...byLimit].map(([name, own]): PollBudget => {
    const { count, windowMs } = limitOf(own);
    const hasCandles = own.some(({ kind }) => kind === 'candles');
    const perMinute = (count * MINUTE_MS) / windowMs;
    return {
      name,
      callsPerMinute: own.reduce((sum, { callsPerMinute }) => sum + callsPerMinute, 0),
      mostPerMinute: mode === 'live' ? perMinute / 2 : perMinute,
      lastCandleMs: hasCandles ? lastCandleMs(name, own, mode) : undefined,
      staleAfterMs,
    };
  });
}

/** Whether candles are fresh enough and the calls stay within `mostPerMinute`. */
export function fitsBudget(budget: PollBudget): boolean {
  const { callsPerMinute, mostPerMinute, lastCandleMs: last = 0, staleAfterMs } = budget;
  return callsPerMinute <= mostPerMinute && last <= staleAfterMs;
}

/** Shortest time between two polls, in ms, under a limit that reserves calls for commands. */
export function pollSlotMs(
  name: string,
  { count, windowMs }: Pick<AnyEndpoint['rateLimit'], 'count' | 'windowMs'>,
): number {
  return (windowMs + 1) / (count - (KEPT_FOR_COMMANDS[name] ?? 0));
}

function limitOf([first]: readonly Stream[]): AnyEndpoint['rateLimit'] {
  return (first?.endpoint ?? ENDPOINTS['spot.klines']).rateLimit;
}

function* streamsOf(
  config: PolledConfig,
  mode: BotStatus['mode'],
): Generator<readonly [string, Stream]> {
  const hosts = new Set<'spot' | 'futures'>();
  for (const { instrumentId, kind, intervals } of config.instruments) {
    const host = hostOf(kind);
    hosts.add(host);
    for (const interval of intervals)
      yield [`candles ${instrumentId} ${interval}`, aStream(`${host}.klines`, 1, 'candles')];
    if (mode === 'paper') {
      const callsPerMinute = MINUTE_MS / tickerPeriodMs(instrumentId);
      yield [`ticker ${instrumentId}`, aStream(`${host}.ticker`, callsPerMinute, 'ticker')];
    }
    if (kind === 'futures') yield [`mark ${instrumentId}`, aStream('futures.index', 1)];
  }
  for (const host of hosts) yield [`time ${host}`, aStream(`${host}.time`, 1)];
}

function aStream(
  id: `${'spot' | 'futures'}.${'klines' | 'ticker' | 'time'}` | 'futures.index',
  callsPerMinute: number,
  kind: Stream['kind'] = 'other',
): Stream {
  return { endpoint: ENDPOINTS[id], callsPerMinute, kind };
}

function hostOf(kind: ProductKind): 'spot' | 'futures' {
  return kind === 'futures' ? 'futures' : 'spot';
}

/**
 * Time from a close to its last candle, in ms. Under a limit that reserves calls for commands, each call takes a slot. Live, a slot is a share of the
 * window, and calls for accounts may take every other slot. On paper nothing is reserved, but each ticker may come first. Under other limits, a window's
 * calls leave at once.
 */
function lastCandleMs(name: string, own: readonly Stream[], mode: BotStatus['mode']): number {
  const { count, windowMs } = limitOf(own);
  const countOf = (wanted: Stream['kind']): number =>
    own.filter(({ kind }) => kind === wanted).length;
  const [candles, tickers] = [countOf('candles'), countOf('ticker')];
  const kept = KEPT_FOR_COMMANDS[name] ?? 0;
  const isLive = mode === 'live';
  const slotMs = isLive ? pollSlotMs(name, { count, windowMs }) : (windowMs + 1) / count;
  const slots = isLive ? 2 * (candles + 1) : candles + tickers + 1;
  const staggerMs = candles * MARKET_PLAN.staggerMs;
  const waitMs = kept > 0 ? slots * slotMs : (Math.ceil(candles / count) - 1) * windowMs;
  return Math.round(CANDLE_PLAN.settleMs + Math.max(staggerMs, waitMs));
}

/**
 * Names the connection of a bot. Bots with the same key on the same venue share one, and so do bots without a key. The names of secrets stand for the
 * secrets.
 */
function connectionOf(venue: BotConfig['venue'], mode: BotStatus['mode']): string {
  const { key, spotUrl = '', futuresUrl = '' } = venue ?? {};
  return [mode === 'live' ? describeSource(key) : '', spotUrl, futuresUrl].join(' ');
}

function describeSource(source: ConfiguredSecret | undefined): string {
  if (source === undefined) return '';
  return source.kind === 'environment' ? `env ${source.name}` : `file ${source.path}`;
}
