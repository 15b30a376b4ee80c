import { copyFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { merge, mergeMap, type Observable } from 'rxjs';

import { TransportTime } from '../../../src/assembly/parity/transport-time.js';
import {
  connectLive,
  createLiveBot,
  createPositionGuard,
  createProcessQueue,
  type LiveConnection,
  type SessionConfig,
} from '../../../src/assembly/index.js';
import { DEFAULT_PRINCIPAL, Secret } from '../../../src/client/index.js';
import {
  MINUTE_MS,
  SECOND_MS,
  parseFixed,
  present,
  type EpochMs,
  type InstrumentId,
} from '../../../src/domain/index.js';
import { enterLong, exit, Strategy, type Market, type OrderIntent } from '../../../src/index.js';
import {
  buildExchange,
  completeAccount,
  serveExchange,
  SyntheticMarket,
  type LocalExchange,
} from '../../../src/local-exchange/index.js';
import {
  SILENT_BOT_LOG,
  type BotControl,
  type BotStatus,
  type LiveBot,
} from '../../../src/live/index.js';
import { createFixedSlippage } from '../../../src/simulator/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import type { AnyEndpoint } from '../../../src/venue/wire/index.js';
import { planStops } from '../../../src/venue/index.js';
import { REAL_TIME } from '../real-time.js';
import { configOf, contractOf, listingsOf, pairOf, type BotPlan } from './one-key-plans.js';

export interface SharedRunOptions {
  /** Folder of journals and configurations. */
  readonly folder: string;
  readonly minutes: number;
  /** Whether the bots trade: each instrument twice in ten minutes. */
  readonly trades: boolean;
  /** Whether the bots buy each of their instruments once with a stop: near for the first two, far for the others. @defaultValue false */
  readonly guards?: boolean;
  /** Whether the bots also keep a bid far below the market working in their last instrument. @defaultValue false */
  readonly rests?: boolean;
  /** Minutes after the bots' end in which others act in their place, with journals as a kill leaves them. @defaultValue 0 */
  readonly guardedMinutes?: number;
  /** Whether their replacements go on from the journals of a stop in order. @defaultValue false: from those that a kill leaves */
  readonly inOrder?: boolean;
  /** Acts in their place: position guards, or restarted bots. @defaultValue 'guard' */
  readonly inPlace?: 'guard' | 'bot';
}

/** One call as the exchange counted it. */
export interface CountedCall {
  readonly at: EpochMs;
  readonly endpoint: AnyEndpoint;
  readonly served: boolean;
}

export interface SharedRun {
  readonly calls: readonly CountedCall[];
  /** By bot: delay from each candle's close until the strategy received it, in ms, once all bots were warm. */
  readonly delays: readonly (readonly CandleDelay[])[];
  readonly statuses: readonly (readonly BotStatus[])[];
  /** Time at which the bots had ended. `guardStatuses` has the statuses of their replacements each second from then on. */
  readonly endedAt: EpochMs;
  readonly guardStatuses: readonly (readonly BotStatus[])[];
  /** Orders that the account has, of every instrument. */
  readonly orders: number;
}

export interface CandleDelay {
  readonly instrumentId: InstrumentId;
  readonly closeTime: EpochMs;
  readonly delayMs: number;
}

const FROM = Date.UTC(2025, 0, 6);
const KEY = { name: 'shared', userId: '10001', key: 'key-of-shared', secret: 'secret-of-shared' };

/** Minutes from the start until the measured minutes begin: long enough for every bot to settle. */
const SETTLE_MINUTES = 3;

/**
 * Runs bots on one key over HTTP against the local exchange with its limits on. Minutes of market time take only as long as the calls.
 * Time stands still while a call is on its way.
 */
export async function runOnOneKey(
  plans: readonly BotPlan[],
  {
    folder,
    minutes,
    trades,
    guards = false,
    rests = false,
    guardedMinutes = 0,
    inOrder = false,
    inPlace = 'guard',
  }: SharedRunOptions,
): Promise<SharedRun> {
  const market = new SyntheticMarket({
    seed: 11,
    from: FROM,
    listings: listingsOf(plans),
    maxDays: 9,
  });
  const time = new TransportTime(market.start + MINUTE_MS / 2);
  const exchange = anExchange(market, time);
  const calls = countCalls(exchange);
  const served = await serveExchange(exchange, { port: 0, timers: REAL_TIME, control: undefined });
  const delays: CandleDelay[][] = plans.map(() => []);
  const stopPlan = planStops(
    listingsOf(plans).map(({ instrument: { id, kind } }) => ({
      ...{ instrumentId: id, kind, intervals: ['1min'] },
    })),
  );
  const statuses: BotStatus[][] = [];
  const guardStatuses: BotStatus[][] = [];
  const closing: (() => Promise<void>)[] = [];
  const pass = <T>(promise: Promise<T>): Promise<T> => passing(promise, time);
  const configs = await Promise.all(
    plans.map((plan, index) =>
      configOf(plan, { folder, url: served.url, name: `bot-${String(index)}` }),
    ),
  );
  /** A connection as one process has it: its limits, its client, its market data. */
  const connect = (config: SessionConfig, endedAt?: EpochMs): LiveConnection => {
    const queue = createProcessQueue(time);
    if (endedAt !== undefined) queue.assumeSpent(DEFAULT_PRINCIPAL, endedAt);
    const connection = connectLive({
      config,
      credentials: { key: new Secret(KEY.key), secret: new Secret(KEY.secret) },
      machine: time,
      random: () => 0.5,
      queue,
      onTraffic: time.onTraffic,
      stopPlan,
    });
    closing.push(() => connection.close());
    return connection;
  };
  const inputsOf = (config: SessionConfig, connection: LiveConnection) => ({
    config,
    journal: config.live.journal,
    source: { configFile: 'none', set: [] },
    connection,
    machine: time,
    log: SILENT_BOT_LOG,
  });
  const stopAll = async (bots: readonly BotControl[]): Promise<void> => {
    const ends = await pass(Promise.all(bots.map((bot) => bot.stop('keep'))));
    const failed = ends.find(({ kind }) => kind === 'failed');
    if (failed?.kind === 'failed') throw failed.error;
  };
  const watch = async (
    bots: readonly BotControl[],
    at: { readonly begins: EpochMs; readonly count: number; readonly everyMs: number },
    into: BotStatus[][],
  ): Promise<void> => {
    for (let look = 0; look <= at.count; look += 1) {
      await until(at.begins + look * at.everyMs, time);
      into.push(bots.map((bot) => bot.status()));
    }
  };
  try {
    const bots: LiveBot[] = [];
    const connection = connect(present(configs[0], 'a bot'));
    const make = (config: SessionConfig, index: number, of: LiveConnection): Promise<LiveBot> => {
      const plan = present(plans[index], 'a plan of each bot');
      const strategyClass = recorder(plan, {
        ...{ trades, guards, rests, inOrder },
        delays: delays[index] ?? [],
      });
      const inputs = { ...inputsOf(config, of), strategyClass, sourceHash: 'shared-key' };
      return createLiveBot({ ...inputs, mode: 'live' });
    };
    for (const [index, config] of configs.entries()) {
      const bot = await pass(make(config, index, connection));
      bots.push(bot);
      void bot.start();
    }
    const begins = Math.ceil(time.now() / MINUTE_MS + SETTLE_MINUTES) * MINUTE_MS;
    const ends = begins + minutes * MINUTE_MS;
    await watch(bots, { begins, count: minutes, everyMs: MINUTE_MS }, statuses);
    // Waits for an instant without open work. From then to their stop, the bots change nothing at the venue.
    while (!bots.every(isAtRest)) await step(time);
    const killed = await Promise.all(configs.map(asKilled));
    await stopAll(bots);
    const endedAt = time.now();
    if (guardedMinutes > 0) {
      const other = connect(present(configs[0], 'a bot'), endedAt);
      // Journals are read in real time while market time moves on. So no replacement starts before all have read theirs.
      const acting = await pass(
        Promise.all(
          (inOrder ? configs : killed).map((config, index) =>
            inPlace === 'bot'
              ? make(config, index, other)
              : createPositionGuard(inputsOf(config, other)),
          ),
        ),
      );
      for (const bot of acting) void bot.start();
      const count = (guardedMinutes * MINUTE_MS) / SECOND_MS;
      await watch(acting, { begins: endedAt, count, everyMs: SECOND_MS }, guardStatuses);
      await stopAll(acting);
    }
    return {
      calls,
      delays: delays.map((list) =>
        list.filter(({ closeTime }) => closeTime >= begins && closeTime < ends - MINUTE_MS),
      ),
      statuses,
      endedAt,
      guardStatuses,
      orders: countOrders(exchange, plans),
    };
  } finally {
    await Promise.all(closing.map((close) => close()));
    await served.close();
  }
}

function isAtRest(bot: BotControl): boolean {
  const { orders, waiting } = bot.status();
  return waiting.length === 0 && orders.every(({ status }) => status === 'open');
}

/** A config with a copy of the journal as it is now on the disk. Later entries of the bot are not in it. */
async function asKilled(config: SessionConfig): Promise<SessionConfig> {
  const journal = `${config.live.journal}-killed`;
  for (const suffix of ['', '-wal'])
    await copyFile(`${config.live.journal}${suffix}`, `${journal}${suffix}`);
  return { ...config, live: { ...config.live, journal } };
}

/** A strategy that notes the delay of each candle. If it trades, it buys each instrument every tenth minute and sells it two minutes later. */
function recorder(
  { pairs, contracts }: BotPlan,
  {
    trades,
    guards,
    rests,
    inOrder,
    delays,
  }: Pick<SharedRunOptions, 'trades'> & {
    guards: boolean;
    rests: boolean;
    inOrder: boolean;
    delays: CandleDelay[];
  },
): StrategyClass {
  const streams: readonly string[] = [
    ...pairs.map((number) => `spot:${pairOf(number)}`),
    ...contracts.map((number) => `futures:${contractOf(number)}`),
  ];
  return class Recorder extends Strategy({}) {
    // A strategy that is started again after a stop in order warms up again.
    override readonly warmup = inOrder ? 3 : 0;

    override intents(market: Market): Observable<OrderIntent> {
      return merge(
        ...streams.map((name, place) =>
          market.candles$(name, '1min').pipe(
            mergeMap(({ instrumentId, closeTime }): readonly OrderIntent[] => {
              delays.push({ instrumentId, closeTime, delayMs: this.now - closeTime });
              if (rests && place === streams.length - 1 && this.workingOrders().length === 0)
                return [enterLong({ notional: '200' }, { instrument: name, limitPrice: '50' })];
              if (guards && this.positionOf(name).quantity.isZero()) {
                const stopLoss = { ratio: place < 2 ? '0.009' : '0.15' };
                return [
                  enterLong({ notional: '200' }, { instrument: name, protection: { stopLoss } }),
                ];
              }
              if (!trades) return [];
              const turn = (closeTime / MINUTE_MS + place) % 10;
              if (turn === 0) return [enterLong({ notional: '200' }, { instrument: name })];
              return turn === 2 ? [exit({ instrument: name })] : [];
            }),
          ),
        ),
      );
    }
  };
}

function anExchange(market: SyntheticMarket, transport: TransportTime): LocalExchange {
  return buildExchange({
    instruments: market.sources,
    growth: market,
    terms: {
      slippage: createFixedSlippage(0n),
      halfSpread: 0n,
      participation: 'off',
      fillOnTouch: false,
      hourlyRate: 0n,
      maxFeeRate: parseFixed('0.0006'),
    },
    profile: 'interface',
    clock: { mode: 'realtime', start: transport.now() },
    accounts: [
      completeAccount(
        {
          ...KEY,
          balances: { spot: { USDT: '1000000' }, margin: {}, futures: { USDT: '1000000' } },
        },
        { randomText: () => 'unused', taken: [] },
      ),
    ],
    faults: { seed: 1, rules: [] },
    limits: {},
    transport,
  });
}

function countCalls({ parts: { limits } }: LocalExchange): CountedCall[] {
  if (limits === undefined) throw new Error('expected limits');
  const calls: CountedCall[] = [];
  const charge = limits.charge.bind(limits);
  limits.charge = (now, principal, endpoint) => {
    const verdict = charge(now, principal, endpoint);
    calls.push({ at: now, endpoint, served: verdict.kind === 'served' });
    return verdict;
  };
  return calls;
}

function countOrders({ parts }: LocalExchange, plans: readonly BotPlan[]): number {
  const account = parts.accounts.byUser(KEY.userId)?.account;
  const now = parts.marketTime.now();
  return listingsOf(plans).reduce(
    (sum, { instrument }) => sum + (account?.orders(instrument.id, now).length ?? 0),
    0,
  );
}

async function until(end: EpochMs, time: TransportTime): Promise<void> {
  // Sets a timer at the end, so that time does not jump past it.
  const state = { isOver: false };
  time.after(end - time.now(), () => {
    state.isOver = true;
  });
  while (!state.isOver) await step(time);
}

async function passing<T>(promise: Promise<T>, time: TransportTime): Promise<T> {
  const state = { isOver: false };
  const watched = promise.finally(() => {
    state.isOver = true;
  });
  watched.catch(() => undefined);
  while (!state.isOver) await step(time);
  return watched;
}

async function step(time: TransportTime): Promise<void> {
  await nextTurn();
  if (!time.isBusy) time.jump();
}

/** A quantile of the delays, in ms. `part` 0.5 is the median. */
export function quantile(delays: readonly CandleDelay[], part: number): number {
  const sorted = delays.map(({ delayMs }) => delayMs).toSorted((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
}
