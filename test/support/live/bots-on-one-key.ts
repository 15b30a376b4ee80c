import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { merge, mergeMap, type Observable } from 'rxjs';

import { TransportTime } from '../../../src/assembly/parity/transport-time.js';
import { connectLive, createLiveBot, createProcessQueue } from '../../../src/assembly/index.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { requireSession } from '../../../src/bots/require-session.js';
import { Secret } from '../../../src/client/index.js';
import {
  createInstrumentId,
  MINUTE_MS,
  parseFixed,
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
  type SyntheticListing,
} from '../../../src/local-exchange/index.js';
import { SILENT_BOT_LOG, type BotControl, type BotStatus } from '../../../src/live/index.js';
import { createFixedSlippage } from '../../../src/simulator/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import type { AnyEndpoint } from '../../../src/venue/wire/index.js';
import { planStops } from '../../../src/venue/index.js';
import { REAL_TIME } from '../real-time.js';

/** What one bot trades: numbers of made-up assets. Pairs may be shared, contracts may not. */
export interface BotPlan {
  readonly pairs: readonly number[];
  readonly contracts: readonly number[];
}

export interface SharedRunOptions {
  /** Where journals and configurations go. */
  readonly folder: string;
  readonly minutes: number;
  /** Whether they trade: each of its instruments twice in ten minutes. */
  readonly trades: boolean;
  /** Whether they buy each of their instruments once and guard it, the first two near and the others far from their stops. @defaultValue false */
  readonly guards?: boolean;
}

/** One call as the exchange counted it. */
export interface CountedCall {
  readonly at: EpochMs;
  readonly endpoint: AnyEndpoint;
  readonly served: boolean;
}

export interface SharedRun {
  readonly calls: readonly CountedCall[];
  /** From each candle's close to when the strategy had it, in ms, once all were warm: by bot. */
  readonly delays: readonly (readonly CandleDelay[])[];
  readonly statuses: readonly (readonly BotStatus[])[];
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

const pairOf = (number: number): string => `C${String(number)}USDT`;
const contractOf = (number: number): string => `E-C${String(number)}-USDT`;

/** A minute of trading begins here: long enough after the start for every bot to have come to rest. */
const SETTLE_MINUTES = 3;

/**
 * Runs bots on one key over HTTP against the local exchange with its limits on, minutes of market time in as long as the calls take.
 * Nobody's time moves while a call is on its way.
 */
export async function runOnOneKey(
  plans: readonly BotPlan[],
  { folder, minutes, trades, guards = false }: SharedRunOptions,
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
  const queue = createProcessQueue(time);
  const delays: CandleDelay[][] = plans.map(() => []);
  const bots: BotControl[] = [];
  const stopPlan = planStops(
    listingsOf(plans).map(({ instrument: { id, kind } }) => ({
      ...{ instrumentId: id, kind, intervals: ['1min'] },
    })),
  );
  const statuses: BotStatus[][] = [];
  const closing: (() => Promise<void>)[] = [];
  const pass = <T>(promise: Promise<T>): Promise<T> => passing(promise, time);
  try {
    let connection: ReturnType<typeof connectLive> | undefined;
    for (const [index, plan] of plans.entries()) {
      const config = await configOf(plan, {
        folder,
        url: served.url,
        name: `bot-${String(index)}`,
      });
      connection ??= connectLive({
        config,
        credentials: { key: new Secret(KEY.key), secret: new Secret(KEY.secret) },
        machine: time,
        random: () => 0.5,
        queue,
        onTraffic: time.onTraffic,
        stopPlan,
      });
      const bot = await pass(
        createLiveBot({
          config,
          strategyClass: recorder(plan, { trades, guards, delays: delays[index] ?? [] }),
          sourceHash: 'shared-key',
          mode: 'live',
          journal: config.live.journal,
          source: { configFile: 'none', set: [] },
          connection,
          machine: time,
          log: SILENT_BOT_LOG,
        }),
      );
      bots.push(bot);
      void bot.start();
    }
    if (connection !== undefined) closing.push(() => connection.close());
    const begins = Math.ceil(time.now() / MINUTE_MS + SETTLE_MINUTES) * MINUTE_MS;
    const ends = begins + minutes * MINUTE_MS;
    for (let next = begins; next <= ends; next += MINUTE_MS) {
      await until(next, time);
      statuses.push(bots.map((bot) => bot.status()));
    }
    await pass(Promise.all(bots.map((bot) => bot.stop('keep'))));
    const failed = (await Promise.all(bots.map(({ ended }) => ended))).find(
      ({ kind }) => kind === 'failed',
    );
    if (failed?.kind === 'failed') throw failed.error;
    return {
      calls,
      delays: delays.map((list) =>
        list.filter(({ closeTime }) => closeTime >= begins && closeTime < ends - MINUTE_MS),
      ),
      statuses,
      orders: countOrders(exchange, plans),
    };
  } finally {
    await Promise.all(closing.map((close) => close()));
    await served.close();
  }
}

/** Notes when each candle comes; where it trades, each instrument is bought every tenth minute and sold two minutes later. */
function recorder(
  { pairs, contracts }: BotPlan,
  {
    trades,
    guards,
    delays,
  }: Pick<SharedRunOptions, 'trades'> & { guards: boolean; delays: CandleDelay[] },
): StrategyClass {
  const streams: readonly string[] = [
    ...pairs.map((number) => `spot:${pairOf(number)}`),
    ...contracts.map((number) => `futures:${contractOf(number)}`),
  ];
  return class Recorder extends Strategy({}) {
    override intents(market: Market): Observable<OrderIntent> {
      return merge(
        ...streams.map((name, place) =>
          market.candles$(name, '1min').pipe(
            mergeMap(({ instrumentId, closeTime }): readonly OrderIntent[] => {
              delays.push({ instrumentId, closeTime, delayMs: this.now - closeTime });
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

async function configOf(
  { pairs, contracts }: BotPlan,
  { folder, url, name }: { readonly folder: string; readonly url: string; readonly name: string },
) {
  const rules = [
    ...pairs.map(
      (number) =>
        `    ${pairOf(number)}: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }`,
    ),
    ...contracts.map(
      (number) =>
        `    ${contractOf(number)}: { pricePrecision: 2, quantityPrecision: 0, minOrderQuantity: "1" }`,
    ),
  ];
  const instruments = [
    ...pairs.map((number) => `  - { product: spot, symbol: ${pairOf(number)}, intervals: [1min] }`),
    ...contracts.map(
      (number) =>
        `  - { product: futures, symbol: ${contractOf(number)}, intervals: [1min], multiplier: "0.01", leverage: 5, marginMode: isolated }`,
    ),
  ];
  const balances = [
    ...(pairs.length > 0 ? ['"spot:USDT": "100000"'] : []),
    ...(contracts.length > 0 ? ['"futures:USDT": "100000"'] : []),
  ];
  const file = path.join(folder, `${name}.yaml`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    file,
    `version: 1
name: ${name}
strategy: { path: ./unused.strategy.ts }
instruments:
${instruments.join('\n')}
venue: { spotUrl: ${url}, futuresUrl: ${url}, keyEnv: SHARED_KEY, secretEnv: SHARED_SECRET }
live: { externalOrders: ignore, unverified: accept, staleAfterMs: 60000 }
simulation:
  archive: .
  balances: { ${balances.join(', ')} }
  fees: { maker: "0.001", taker: "0.001" }
  rules:
${rules.join('\n')}
`,
  );
  return requireSession(await loadConfig({ file, cwd: folder }), 'live');
}

function listingsOf(plans: readonly BotPlan[]): readonly SyntheticListing[] {
  const made = { startPrice: 100, volatility: 0.5, dailyVolume: 1_000_000 };
  const pairs = [...new Set(plans.flatMap((plan) => plan.pairs))];
  const contracts = [...new Set(plans.flatMap((plan) => plan.contracts))];
  return [
    ...pairs.map((number): SyntheticListing => {
      const [symbol, base] = [pairOf(number), `C${String(number)}`];
      const id = createInstrumentId('spot', symbol);
      return {
        instrument: { kind: 'spot', id, symbol, base, quote: 'USDT' },
        rules: {
          tradable: true,
          pricePrecision: 2,
          quantityPrecision: 5,
          minOrderMoney: parseFixed('5'),
        },
        made,
      };
    }),
    ...contracts.map((number): SyntheticListing => {
      const symbol = contractOf(number);
      return {
        instrument: {
          kind: 'futures',
          id: createInstrumentId('futures', symbol),
          symbol,
          base: `C${String(number)}`,
          quote: 'USDT',
          contract: 'linear',
          multiplier: parseFixed('0.01'),
          marginAsset: 'USDT',
          leverage: parseFixed('5'),
          marginMode: 'isolated',
        },
        rules: {
          tradable: true,
          pricePrecision: 2,
          quantityPrecision: 0,
          minOrderQuantity: parseFixed('1'),
        },
        made,
      };
    }),
  ];
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
  // An alarm of its own, so that time does not jump past the end.
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

/** A part of the delays, in ms: 0.5 is the median. */
export function quantile(delays: readonly CandleDelay[], part: number): number {
  const sorted = delays.map(({ delayMs }) => delayMs).toSorted((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
}
