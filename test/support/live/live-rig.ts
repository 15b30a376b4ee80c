import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import {
  createLiveBot,
  createPaperBot,
  type Boundary,
  type LiveConnection,
  type ReplayOutcome,
  type SessionConfig,
} from '../../../src/assembly/index.js';
import { SpotClaims } from '../../../src/assembly/bot/spot-claims.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { requireSession } from '../../../src/bots/require-session.js';
import {
  DAY_MS,
  MINUTE_MS,
  OutcomeUnknownError,
  type Candle,
  type OrderRequest,
  TransportError,
  type EpochMs,
  type InstrumentId,
} from '../../../src/domain/index.js';
import { MarketFeed, PollQueue, SharedAccount } from '../../../src/feed/index.js';
import type { ExchangeAccount } from '../../../src/local-exchange/exchange-account.js';
import {
  completeAccount,
  type AccountSettings,
  type LocalExchange,
} from '../../../src/local-exchange/index.js';
import { readJournal, type Epoch } from '../../../src/journal/index.js';
import {
  ContractSamples,
  SILENT_BOT_LOG,
  type BotStatus,
  type LiveBot,
  type StopPolicy,
} from '../../../src/live/index.js';
import type { Result } from '../../../src/report/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import { planStops, VenueRefusalError, type Listings } from '../../../src/venue/index.js';
import { createDirectVenue } from '../local-exchange/direct-venue.js';
import {
  buildTestExchange,
  MARKET_START,
  testInstruments,
  testInstrumentsOfPairs,
  type TestExchangeOptions,
} from '../local-exchange/test-exchange.js';
import { settle, VirtualTime } from '../virtual-time.js';
import { LimitedCalls } from './limited-calls.js';
import { replayEpoch, type ReplayedBot } from './replay-epoch.js';
import { resultOfEpochs } from './result-of-epochs.js';

const SECOND = 1_000;
const USER = '10001';
const FUTURES = `  - { product: futures, symbol: E-BTC-USDT, intervals: [1min], leverage: 5, marginMode: isolated, contract: linear, multiplier: "0.0001" }`;
const SPOT = `  - { product: spot, symbol: BTCUSDT, intervals: [1min] }`;
const MARGIN = `  - { product: margin, symbol: BTCUSDT, intervals: [1min], leverage: 3 }`;
const OTHER = SPOT.replace('BTC', 'ETH');
const INSTRUMENTS = {
  spot: SPOT,
  margin: MARGIN,
  futures: FUTURES,
  pairs: `${SPOT}\n${OTHER}`,
  mixed: `${SPOT}\n${FUTURES}`,
};
const PAIR = `BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }`;
const CONTRACT = `E-BTC-USDT: { pricePrecision: 2, quantityPrecision: 0, minOrderQuantity: "1", maxLimitQuantity: "1000000", maxMarketMoney: "10000000", maxWorkingOrders: 200 }`;
const RULES = {
  spot: PAIR,
  margin: PAIR,
  futures: CONTRACT,
  pairs: `${PAIR}, ${PAIR.replace('BTC', 'ETH')}`,
  mixed: `${PAIR}, ${CONTRACT}`,
};
/** Calls that answer a list, part by part. */
const LISTS: readonly string[] = ['trades', 'orderHistory', 'profits'];
const ADDRESS = 'http://127.0.0.1:1';

/** Settings of a start of the bot. */
export interface LiveStart {
  readonly strategyClass: StrategyClass;
  /** Stands for the hash of the plugin's source. @defaultValue 'plugin' */
  readonly sourceHash?: string;
  /** Values of `--set`, as on the command line. */
  readonly set?: readonly string[];
  /** Ends the preparation of the bot. @defaultValue nothing does */
  readonly signal?: AbortSignal;
}

/** A live or paper bot and its exchange within this process, on a clock that only the test moves. */
export class LiveRig {
  readonly exchange: LocalExchange;
  readonly #folder: string;
  #time = new VirtualTime(MARKET_START);
  /** The running process. A killed process makes and receives no more calls. */
  #life = { isAlive: true };
  #journals = 0;
  #boundary: Boundary | undefined;
  #last: { readonly start: LiveStart; readonly config: SessionConfig } | undefined;
  bot: LiveBot | undefined;
  readonly #mode: BotStatus['mode'];
  /** Claims of the bots of this key on assets of the spot account. */
  readonly claims = new SpotClaims();
  /** Calls for market data that fail. */
  readonly broken = new Set<string>();
  /** Calls that are carried out and whose answer is lost, once each. */
  readonly lost = new Set<string>();
  /** Delisted instruments: the venue does not list them and refuses calls about them. */
  readonly gone = new Set<InstrumentId>();
  /** Candles that the venue lacks: by instrument, the open time of the candle. */
  readonly missing = new Map<InstrumentId, EpochMs>();
  /** Number of calls about delisted instruments. */
  goneCalls = 0;
  /** How long the venue takes to answer an order, in ms. */
  slowMs = 0;
  #opened = 0;
  /** Calls of the bot so far, by name. */
  readonly calls = new Map<string, number>();
  /** Whether calls wait for the limits of the venue: from the next start on. */
  isLimited = false;
  /** Yields to other work of the process. A change takes effect at the next start. */
  breathe: (() => Promise<void>) | undefined;
  /** Called with the name of each call of the bot, before it is carried out. */
  onCall: (name: string) => void = () => undefined;

  constructor(
    product: keyof typeof INSTRUMENTS,
    funds: Partial<AccountSettings['balances']> = {},
    mode: BotStatus['mode'] = 'live',
    market: Pick<TestExchangeOptions, 'instruments'> = {},
  ) {
    this.#mode = mode;
    this.#folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-live-'));
    onTestFinished(() => {
      rmSync(this.#folder, { recursive: true, force: true });
    });
    const account = completeAccount(
      {
        name: 'live',
        userId: USER,
        key: 'key',
        secret: 'secret',
        balances: { spot: { USDT: '1000000' }, margin: {}, futures: { USDT: '1000000' }, ...funds },
      },
      { randomText: () => 'unused', taken: [] },
    );
    const instruments = product === 'pairs' ? testInstrumentsOfPairs() : testInstruments();
    this.exchange = buildTestExchange({ instruments, ...market, accounts: [account] });
    writeFileSync(
      path.join(this.#folder, 'bot.yaml'),
      `name: rig
strategy: { path: ./unused.strategy.ts }
instruments:
${INSTRUMENTS[product]}
venue: { ${product === 'futures' ? '' : `spotUrl: "${ADDRESS}", `}${product === 'futures' || product === 'mixed' ? `futuresUrl: "${ADDRESS}", ` : ''}keyEnv: KEY, secretEnv: SECRET }
live: { staleAfterMs: 600000, loopStallMs: 600000, unverified: accept }
simulation:
  archive: .
  balances: ${product === 'mixed' ? '{ "spot:USDT": "100000", "futures:USDT": "100000" }' : '{ USDT: "100000" }'}
  fees: { maker: "0.001", taker: "0.001" }
  rules: { ${RULES[product]} }
`,
    );
  }

  get journal(): string {
    return path.join(this.#folder, `bot-${String(this.#journals)}.journal`);
  }

  /** The bot's account at the exchange. */
  get account(): ExchangeAccount {
    const own = this.exchange.parts.accounts.byUser(USER);
    if (own === undefined) throw new Error('expected the account');
    return own.account;
  }

  now(): EpochMs {
    return this.#time.now();
  }

  /** Number of orders to open so far: on paper the engine's orders, live the submitted ones. */
  get opened(): number {
    if (this.#mode === 'live') return this.#opened;
    const orders = [...(this.bot?.engine.orders ?? [])];
    return orders.filter(({ request }) => request.action === 'open').length;
  }

  /** Starts the bot as at its last start, with changes, and kills it when it reaches a boundary. */
  async killAt(boundary: Boundary, changes: Partial<LiveStart> = {}): Promise<void> {
    const { journal } = this;
    this.#boundary = boundary;
    await this.restart(changes).catch((error: unknown) => {
      if (this.journal === journal) throw error;
    });
    if (this.journal === journal) throw new Error(`expected the bot to come to ${boundary}`);
  }

  /** Kills the running bot when it reaches a boundary. */
  dieAt(boundary: Boundary): void {
    this.#boundary = boundary;
  }

  #cross(boundary: Boundary): void {
    if (boundary !== this.#boundary) return;
    this.#boundary = undefined;
    this.kill();
  }

  /** Starts the bot and waits until it has begun, with time passing. Its start may have failed: see `ended`. */
  async start(start: LiveStart): Promise<LiveBot> {
    const life = this.#life;
    const loaded = await loadConfig({ file: 'bot.yaml', cwd: this.#folder, set: start.set ?? [] });
    const config = requireSession(loaded, this.#mode);
    const create = this.#mode === 'live' ? createLiveBot : createPaperBot;
    const making = create({
      config,
      strategyClass: start.strategyClass,
      sourceHash: start.sourceHash ?? 'plugin',
      mode: this.#mode,
      journal: this.journal,
      source: { configFile: path.join(this.#folder, 'bot.yaml'), set: start.set ?? [] },
      connection: this.#connect(),
      machine: this.#time,
      log: SILENT_BOT_LOG,
      breathe: this.breathe,
      signal: start.signal,
      onBoundary: (boundary) => {
        if (life.isAlive) this.#cross(boundary);
      },
    });
    const bot = await this.during(making, life);
    this.bot = bot;
    this.#last = { start, config };
    await this.during(bot.start(), life);
    return bot;
  }

  /** Starts the bot as at its last start, with changes. */
  restart(changes: Partial<LiveStart> = {}): Promise<LiveBot> {
    if (this.#last === undefined) throw new Error('expected a start before');
    return this.start({ ...this.#last.start, ...changes });
  }

  /** Lets time pass for market and bot. */
  async pass(ms: number): Promise<void> {
    const end = this.now() + ms;
    while (this.now() < end) await this.#step(Math.min(SECOND, end - this.now()));
  }

  /** Lets time pass for market and bot until a condition is true, at most for a day. */
  async until(isSo: () => boolean): Promise<void> {
    for (let passed = 0; !isSo() && passed < DAY_MS; passed += MINUTE_MS)
      await this.pass(MINUTE_MS);
    if (!isSo()) throw new Error('expected it within a day');
  }

  /** Lets time pass for the market while no bot runs. */
  async sleep(ms: number): Promise<void> {
    await this.#step(ms);
  }

  /** Waits for a promise of the bot and lets time pass meanwhile. */
  async during<T>(doing: Promise<T>, life = this.#life): Promise<T> {
    const state = { isOver: false };
    const watched = doing.finally(() => {
      state.isOver = true;
    });
    watched.catch(() => undefined);
    for (let turn = 1; !state.isOver && life.isAlive && turn < 600_000; turn += 1) {
      // Work that waits for a file gets its turns before the clock moves, even if the disk is busy.
      if (turn % 60 === 0) await this.#step(50);
      else await settle();
    }
    if (!state.isOver) throw new Error('expected it to end');
    return watched;
  }

  async #step(ms: number): Promise<void> {
    await this.#time.advance(ms);
    this.#sync();
  }

  async stop(policy: StopPolicy = 'keep'): Promise<void> {
    if (this.bot === undefined) throw new Error('expected a bot');
    const end = await this.during(this.bot.stop(policy));
    if (end.kind === 'failed') throw end.error;
  }

  /** Ends the process as a kill does: data that is not on the disk is lost, and begun work stops. The clock does not move. */
  kill(): void {
    const { journal } = this;
    this.#life.isAlive = false;
    this.#life = { isAlive: true };
    this.#time = new VirtualTime(this.now());
    this.#journals += 1;
    for (const suffix of ['', '-wal'])
      if (existsSync(`${journal}${suffix}`))
        copyFileSync(`${journal}${suffix}`, `${this.journal}${suffix}`);
  }

  async epochs(): Promise<readonly Epoch[]> {
    const reader = await readJournal(this.journal);
    try {
      return reader.epochs();
    } finally {
      reader.close();
    }
  }

  /** Replays an epoch with the given start, as the command `replay` does. */
  replay(id: number, start: LiveStart): Promise<ReplayOutcome> {
    return replayEpoch(id, this.#describe(start));
  }

  /** The result of its journal up to now, as `result` gives it. */
  result(start: LiveStart): Promise<Result> {
    return resultOfEpochs(this.#describe(start));
  }

  #describe({ strategyClass, sourceHash = 'plugin', set = [] }: LiveStart): ReplayedBot {
    return {
      config: path.join(this.#folder, 'bot.yaml'),
      set,
      mode: this.#mode,
      journal: this.journal,
      strategyClass,
      sourceHash,
    };
  }

  /** The order reaches the venue at once; its answer takes a while. */
  async #slowly(execution: object, given: unknown[]): Promise<unknown> {
    const submit: unknown = Reflect.get(execution, 'submit');
    const answer: unknown = await Reflect.apply(submit as () => unknown, execution, given);
    await new Promise<void>((resolve) => void this.#time.after(this.slowMs, resolve));
    return answer;
  }

  #sync(): void {
    this.exchange.advanceTo(this.now());
  }

  #isOfGone(given: readonly unknown[]): boolean {
    const [of] = given as readonly (InstrumentId | { readonly instrumentId?: InstrumentId })[];
    const id = typeof of === 'object' ? of.instrumentId : of;
    if (id === undefined || !this.gone.has(id)) return false;
    this.goneCalls += 1;
    return true;
  }

  async #withoutGone(answer: Promise<Listings>): Promise<Listings> {
    const { listings, skipped } = await answer;
    const left = listings.filter(({ instrumentId }) => !this.gone.has(instrumentId));
    return { listings: left, skipped };
  }

  async #withoutMissing(id: unknown, answer: unknown): Promise<readonly Candle[]> {
    const missing = this.missing.get(id as InstrumentId);
    const candles = (await answer) as readonly Candle[];
    return candles.filter(({ openTime }) => openTime !== missing);
  }

  /** The exchange without HTTP. Calls of a killed process reach nothing and never settle. */
  #connect(): LiveConnection {
    const time = this.#time;
    const life = this.#life;
    const direct = createDirectVenue(this.exchange);
    const limits = this.isLimited ? new LimitedCalls(time) : undefined;
    const reach = <Port extends object>(port: Port): Port =>
      new Proxy(port, {
        get: (target, name): unknown => {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          const call = (...given: unknown[]): unknown => {
            if (!life.isAlive) return new Promise(() => undefined);
            if (this.broken.has(String(name))) return failed(String(name));
            if (this.#isOfGone(given)) return refuseUnknown(String(name));
            this.#sync();
            this.onCall(String(name));
            this.calls.set(String(name), (this.calls.get(String(name)) ?? 0) + 1);
            if (name === 'submit' && (given[0] as OrderRequest).action === 'open')
              this.#opened += 1;
            if (name === 'submit' && this.slowMs > 0) return this.#slowly(target, given);
            const answer = Reflect.apply(member, target, given) as unknown;
            if (name === 'candles') return this.#withoutMissing(given[0], answer);
            if (name === 'listings') return this.#withoutGone(answer as Promise<Listings>);
            if (!this.lost.delete(String(name))) return answer;
            return Promise.reject(new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no answer'));
          };
          return limits === undefined ? call : limits.limit(String(name), call);
        },
      });
    const market = reach(direct.marketData);
    const feed = new MarketFeed({ source: market, time });
    const stopPlan = planStops([]);
    const account = this.#mode === 'live' ? reach(direct.account) : unreachable();
    return {
      clock: {
        key: 'venue',
        now: () => Promise.resolve(time.now()),
        measure: () => Promise.resolve({ offsetMs: 0, uncertaintyMs: 0, measuredAt: time.now() }),
      },
      time,
      venue: {
        market,
        feed,
        pollQueue: new PollQueue(time),
        account,
        contractSamples: new ContractSamples({
          ...{ feed, time, plan: stopPlan },
          account: new SharedAccount(account, time),
        }),
        execution: this.#mode === 'live' ? reach(direct.execution) : unreachable(),
      },
      stopPlan,
      claims: this.claims,
      clockBoundMs: () => 0,
      troubles: () => new Map(),
      budgets: () => [],
      close: () => Promise.resolve(),
    };
  }
}

/** The venue's answer about an unknown instrument: an outcome for orders and cancels. A list rejects when it is first read, any other call at once. */
function refuseUnknown(name: string): unknown {
  const reason = { code: '-1121', text: 'Invalid symbol' };
  const error = new VenueRefusalError(reason.text, reason.code, false);
  if (name === 'submit' || name === 'submitConditional')
    return Promise.resolve({ kind: 'rejected', reason });
  if (name === 'cancel' || name === 'cancelConditional')
    return Promise.resolve({ kind: 'refused', reason });
  if (!LISTS.includes(name)) return Promise.reject(error);
  return (async function* (): AsyncGenerator<never, void, undefined> {
    yield await Promise.reject(error);
  })();
}

/** A call without an answer. A list rejects when it is first read, any other call at once. */
function failed(name: string): unknown {
  const failure = Promise.reject(new TransportError('E_TIMEOUT', `no answer to ${name}`));
  if (!LISTS.includes(name)) return failure;
  failure.catch(() => undefined);
  return (async function* (): AsyncGenerator<never, void, undefined> {
    yield await failure;
  })();
}

/** A port that a bot on paper must not call. Each call throws. */
function unreachable(): never {
  return new Proxy({} as never, {
    get: (_, name) => {
      throw new Error(`expected no call of ${String(name)} on paper`);
    },
  });
}
