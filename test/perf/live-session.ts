/**
 * A bot on the local exchange within this process, for the benchmark of the live path. A stand-in for the client's connections holds the
 * answer to each poll of candles until its release, and notes the time when an order is handed over.
 */
import { Dispatcher } from 'undici';

import { CallQueue } from '../../src/client/calls/call-queue.js';
import {
  parseBaseUrl,
  RestAccount,
  RestExecution,
  RestMarketData,
  Secret,
  VenueClient,
} from '../../src/client/index.js';
import { MINUTE_MS, type Instrument } from '../../src/domain/index.js';
import { MarketFeed, PollQueue } from '../../src/feed/index.js';
import { CandleStrategy, sma } from '../../src/index.js';
import type { Journal } from '../../src/engine/index.js';
import { Activity, createSessionTime, MarketSession } from '../../src/live/index.js';
import { limitRulesOf, RateLimitPolicy } from '../../src/venue/index.js';
import { ENDPOINT_LIST, ENDPOINTS } from '../../src/venue/wire/index.js';
import {
  buildTestExchange,
  MARKET_START,
  testAccount,
  testInstruments,
  withinProcess,
  type TestExchange,
} from '../support/local-exchange/test-exchange.js';
import { aStartedEngine, START } from '../support/engine/engine.js';
import { settle, VirtualTime } from '../support/virtual-time.js';

/** Two averages, and an order with every candle. */
export class EveryCandle extends CandleStrategy({}) {
  readonly fast = this.indicator(sma(10));
  readonly slow = this.indicator(sma(30));

  override onCandle(): void {
    if (this.position.quantity.gt(0)) this.exit();
    else this.enterLong({ notional: '1000' });
  }
}

type Handler = Dispatcher.DispatchHandler;
const CONTROLLER = {} as Dispatcher.DispatchController;
const INDEX = Buffer.from(ENDPOINTS['futures.index'].examples.answer);

/** Connections to an exchange in this process. */
class HeldConnections extends Dispatcher {
  readonly #exchange: TestExchange;
  #release: (() => void) | undefined;
  /** When an order was last handed over. */
  orderAt = Number.NaN;
  orders = 0;

  constructor(exchange: TestExchange) {
    super();
    this.#exchange = exchange;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Handler): boolean {
    const path = options.path;
    if (options.method === 'POST' && path.endsWith('/order')) {
      this.orderAt = performance.now();
      this.orders += 1;
    }
    handler.onRequestStart?.(CONTROLLER, undefined);
    // Marks come with the candle. The exchange's work for them must not count as the bot's.
    if (path.includes('/index')) answer(handler, 200, INDEX);
    else void this.#forward(options, handler);
    return true;
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }

  /** Releases the answer to the waiting poll. Returns the time of the release. */
  release(): number {
    const release = this.#release;
    if (release === undefined) throw new Error('expected a poll of candles');
    this.#release = undefined;
    const at = performance.now();
    release();
    return at;
  }

  holds = false;

  async #forward(options: Dispatcher.DispatchOptions, handler: Handler): Promise<void> {
    const { path, method, headers, body } = options;
    const given = headers as readonly string[];
    const pairs = given.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, given[at + 1] ?? '']] : [],
    );
    const { status, text } = await this.#exchange.request(path, {
      method,
      headers: pairs,
      ...(typeof body === 'string' && { body }),
    });
    const bytes = Buffer.from(text);
    const give = (): void => {
      answer(handler, status, bytes);
    };
    if (this.holds && path.includes('/klines')) this.#release = give;
    else give();
  }
}

function answer(handler: Handler, status: number, bytes: Buffer): void {
  handler.onResponseStart?.(CONTROLLER, status, { 'content-type': 'application/json' });
  handler.onResponseData?.(CONTROLLER, bytes);
  handler.onResponseEnd?.(CONTROLLER, {});
}

/** A warm bot that advances candle by candle. */
export interface LiveSession {
  /** Advances by a candle. Returns the microseconds from the poll's answer to the order. Rejects unless there is exactly one order. */
  candle(): Promise<number>;
  readonly orders: number;
  close(): Promise<void>;
}

export async function openLiveSession(
  product: 'spot' | 'futures',
  journal: Journal,
): Promise<LiveSession> {
  const time = new VirtualTime(MARKET_START);
  const exchange = withinProcess(
    buildTestExchange({ clock: { mode: 'realtime', start: MARKET_START }, transport: time }),
  );
  const connections = new HeldConnections(exchange);
  const client = aClient(connections, time);
  const source = new RestMarketData(client);
  const found = testInstruments().find(({ instrument }) => instrument.kind === product);
  if (found === undefined) throw new Error(`expected ${product}`);
  const { instrument } = found;
  const never = new AbortController().signal;
  const candles = await driven(
    source.candles(instrument.id, '1min', { limit: 60, signal: never }),
    time,
  );
  const session = aSession({
    client,
    source,
    time,
    instrument,
    journal,
    history: candles.filter(({ closed }) => closed),
  });
  void session.warmUp();
  session.run();
  await time.advance(1.5 * MINUTE_MS);
  connections.holds = true;
  return {
    candle: async () => {
      // The poll comes 300 ms after the close.
      await time.advance(MINUTE_MS - (time.now() % MINUTE_MS) + 400);
      const before = connections.orders;
      const begun = connections.release();
      for (let turn = 0; turn < 20 && connections.orders === before; turn += 1) await settle();
      if (connections.orders !== before + 1) throw new Error('expected one order');
      return (connections.orderAt - begun) * 1_000;
    },
    get orders() {
      return connections.orders;
    },
    close: async () => {
      connections.holds = false;
      await driven(session.stop(), time);
      await client.close();
    },
  };
}

function aClient(dispatcher: Dispatcher, time: VirtualTime): VenueClient {
  const { key, secret } = testAccount();
  const base = parseBaseUrl('http://127.0.0.1:1', { file: 'bench' });
  // Limits that the bot never reaches: they are checked, and no call waits.
  const rules = limitRulesOf(ENDPOINT_LIST).map((rule) => ({ ...rule, limit: 1_000 }));
  return new VenueClient({
    hosts: { spot: base, futures: base },
    credentials: { key: new Secret(key), secret: new Secret(secret) },
    queue: new CallQueue({ policy: new RateLimitPolicy({ rules }), clock: time, timers: time }),
    clock: time,
    timers: time,
    random: () => 0.5,
    dispatcher,
  });
}

interface SessionParts {
  readonly client: VenueClient;
  readonly source: RestMarketData;
  readonly time: VirtualTime;
  readonly instrument: Instrument;
  readonly journal: Journal;
  readonly history: NonNullable<
    ConstructorParameters<typeof MarketSession>[0]['streams'][number]
  >['history'];
}

function aSession({
  client,
  source,
  time,
  instrument,
  journal,
  history,
}: SessionParts): MarketSession {
  const engine = aStartedEngine(EveryCandle, {
    instruments: [{ instrument, intervals: ['1min'] }],
    balances: { USDT: '100000' },
    fees: { maker: '0.001', taker: '0.001' },
    rules: { quantityPrecision: instrument.kind === 'futures' ? 0 : 5 },
    startTime: Math.min(START, history[0]?.openTime ?? START),
    journal,
  });
  const fail = (error: unknown): never => {
    throw error;
  };
  return new MarketSession({
    engine,
    venue: {
      market: source,
      feed: new MarketFeed({ source, time }),
      pollQueue: new PollQueue(time),
      account: new RestAccount(client),
      execution: new RestExecution(client),
    },
    time: createSessionTime(time),
    activity: new Activity(),
    instruments: [instrument],
    streams: [{ instrumentId: instrument.id, interval: '1min', history }],
    marksAt: () => (instrument.kind === 'futures' ? [instrument.id] : []),
    fundingRateKnown: 'current',
    dataDelayMs: 0,
    updatePollMs: 2_000,
    stopGrids: new Map([[instrument.id, instrument.kind === 'futures' ? 2_000 : 1_000]]),
    idleMs: MINUTE_MS,
    alignMs: 2_000,
    lateMs: MINUTE_MS,
    lastTrades: new Map(),
    isSequential: false,
    travel: (_command, _time, depart) => {
      depart();
    },
    resolveUnknown: () => Promise.resolve(),
    onProcessed: () => undefined,
    onCondition: () => undefined,
    onNotice: () => undefined,
    onFailure: fail,
  });
}

/** Waits for a promise while it advances virtual time. */
async function driven<T>(promise: Promise<T>, time: VirtualTime): Promise<T> {
  const state = { isOver: false };
  const watched = promise.finally(() => {
    state.isOver = true;
  });
  while (!state.isOver) await time.advance(10);
  return watched;
}
