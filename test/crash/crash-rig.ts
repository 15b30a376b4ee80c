import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Boundary } from '../../src/assembly/index.js';
import { MINUTE_MS, SECOND_MS, type EpochMs } from '../../src/domain/index.js';
import {
  completeAccount,
  parseFaultRule,
  serveExchange,
  type FaultRuleInput,
  type LocalExchange,
  type ServedExchange,
} from '../../src/local-exchange/index.js';
import {
  buildTestExchange,
  FUTURES_ID,
  MARKET_START,
  SPOT_ID,
} from '../support/local-exchange/test-exchange.js';
import { VirtualTime } from '../support/virtual-time.js';
import { BotProcess } from './bot-process.js';
import { writeBotProgram } from './bot-program.js';
import { accountOf, compareSides, type Differences } from './compare-sides.js';
import type { CrashOrder } from './crash-report.js';

const USER = '10001';
const INSTRUMENTS = [SPOT_ID, FUTURES_ID];
/**
 * How far time moves at once. Exchange and bot do what is due before it moves again, so that it goes as fast as they get to their work, on
 * any machine: a call takes about a second.
 */
const STEP_MS = 100;
/** A boundary that a bot has not come to by then is not come to. */
const PATIENCE_MS = 20 * MINUTE_MS;

const CONFIG = (url: string): string => `version: 1
name: crash
strategy: { path: ./unused.strategy.ts }
instruments:
  - { product: spot, symbol: BTCUSDT, intervals: [1min] }
  - { product: futures, symbol: E-BTC-USDT, intervals: [1min], leverage: 5, marginMode: isolated, multiplier: "0.0001" }
venue: { spotUrl: ${url}, futuresUrl: ${url}, keyEnv: CRASH_KEY, secretEnv: CRASH_SECRET }
live: { journal: ./crash.journal, unverified: accept }
simulation:
  archive: .
  balances: { "spot:USDT": "1000000", "futures:USDT": "1000000" }
  fees: { maker: "0.001", taker: "0.001" }
  rules:
    BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }
    E-BTC-USDT: { pricePrecision: 2, quantityPrecision: 0, minOrderQuantity: "1", maxLimitQuantity: "1000000", maxMarketMoney: "10000000", maxWorkingOrders: 200 }
`;

/** Where a bot is ended: at one of its boundaries, or so many ms of its time after it has begun. */
export type KillPoint = { readonly boundary: Boundary; readonly count: number } | number;

/** What a crash run ends with. */
export interface CrashFigures extends Differences {
  readonly kills: number;
  /** Kills while the exchange held an order of the bot. */
  readonly withOrders: number;
  /** Kills at each boundary that came to it, and at `any` instant. */
  readonly byBoundary: Readonly<Record<string, number>>;
  readonly orders: number;
  readonly fills: number;
  /** Why the bot, at its end, is not simply running. */
  readonly reasons: readonly string[];
  readonly faults: Readonly<Record<string, number>>;
}

/** An exchange in this process and a bot in another, which is ended and started again. */
export class CrashRig {
  readonly #folder: string;
  readonly #program: ReturnType<typeof writeBotProgram>;
  readonly #time: VirtualTime;
  readonly #exchange: LocalExchange;
  readonly #served: ServedExchange;
  /** Loaded while the bot before it runs: a start costs no waiting. */
  #standby: BotProcess;
  #kills = 0;
  #withOrders = 0;
  readonly #byBoundary: Record<string, number> = {};

  private constructor(parts: {
    readonly folder: string;
    readonly time: VirtualTime;
    readonly exchange: LocalExchange;
    readonly served: ServedExchange;
  }) {
    this.#folder = parts.folder;
    this.#time = parts.time;
    this.#exchange = parts.exchange;
    this.#served = parts.served;
    this.#program = writeBotProgram();
    this.#standby = new BotProcess(this.#program.file);
  }

  static async open(): Promise<CrashRig> {
    const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-crash-'));
    const time = new VirtualTime(MARKET_START);
    const balances = { spot: { USDT: '1000000' }, margin: {}, futures: { USDT: '1000000' } };
    const fees = { maker: '0.001', taker: '0.001' };
    const account = completeAccount(
      {
        name: 'crash',
        userId: USER,
        key: 'key-of-crash',
        secret: 'secret-of-crash',
        balances,
        fees: { spot: fees, futures: fees },
      },
      { randomText: () => 'unused', taken: [] },
    );
    const exchange = buildTestExchange({
      clock: { mode: 'realtime', start: MARKET_START },
      accounts: [account],
      transport: time,
    });
    const served = await serveExchange(exchange, {
      port: 0,
      timers: time,
      control: undefined,
      patience: { headersMs: 60_000, requestMs: 60_000 },
    });
    writeFileSync(path.join(folder, 'crash.yaml'), CONFIG(served.url));
    return new CrashRig({ folder, time, exchange, served });
  }

  fault(rule: FaultRuleInput): void {
    this.#exchange.addFault(parseFaultRule(rule));
  }

  clearFaults(): void {
    this.#exchange.removeFault();
  }

  /** Lets the bot live until it has orders on every instrument, and kills it. */
  async warmUp(): Promise<void> {
    const bot = this.#start(undefined);
    const end = this.#time.now() + PATIENCE_MS;
    const account = accountOf({ exchange: this.#exchange, userId: USER });
    const isLacking = (): boolean =>
      INSTRUMENTS.some((id) => account.openOrders(id, this.#time.now()).length === 0);
    while (isLacking() && !bot.isOver && this.#time.now() < end)
      await this.#accompany(bot, this.#time.now() + SECOND_MS);
    bot.kill();
    await bot.killed();
  }

  /** Starts the bot and lets it end at a point. One that does not come to its boundary is ended too, and counts for no boundary. Then nobody is there for a while. */
  async kill(point: KillPoint, downMs: number): Promise<void> {
    const isBoundary = typeof point !== 'number';
    const bot = this.#start(isBoundary ? point : undefined);
    const end = this.#time.now() + (isBoundary ? PATIENCE_MS : point);
    await this.#accompany(bot, end);
    const isCome = bot.isOver;
    bot.kill();
    await bot.killed();
    const name = isBoundary ? (isCome ? point.boundary : 'not come to') : 'any';
    this.#kills += 1;
    this.#byBoundary[name] = (this.#byBoundary[name] ?? 0) + 1;
    if (this.#openOrders() > 0) this.#withOrders += 1;
    await this.#time.advance(downMs);
  }

  /** Lets time go on until an instant, or until the bot is over. */
  async #accompany(bot: BotProcess, end: EpochMs): Promise<void> {
    while (!bot.isOver && this.#time.now() < end) {
      await this.#time.advance(STEP_MS);
      await bot.move(this.#time.now());
    }
  }

  #start(kill: CrashOrder['kill']): BotProcess {
    const bot = this.#standby;
    this.#standby = new BotProcess(this.#program.file);
    bot.begin({
      now: this.#time.now(),
      config: path.join(this.#folder, 'crash.yaml'),
      journal: path.join(this.#folder, 'crash.journal'),
      key: 'key-of-crash',
      secret: 'secret-of-crash',
      kill,
    });
    return bot;
  }

  #openOrders(): number {
    const account = accountOf({ exchange: this.#exchange, userId: USER });
    const now = this.#exchange.parts.marketTime.now();
    return INSTRUMENTS.reduce((sum, id) => sum + account.openOrders(id, now).length, 0);
  }

  /** Starts the bot once more, lets it settle, stops it, and compares what it believes with what the exchange has. */
  async finish(): Promise<CrashFigures> {
    const bot = this.#start(undefined);
    const accompanied = this.#accompany(bot, Number.POSITIVE_INFINITY);
    await bot.next('started');
    const reasons = await this.#untilWell(bot);
    const report = await bot.ask('stop');
    await accompanied;
    const { parts } = this.#exchange;
    const account = accountOf({ exchange: this.#exchange, userId: USER });
    const now = parts.marketTime.now();
    const count = (of: 'orders' | 'trades'): number =>
      INSTRUMENTS.reduce((sum, id) => sum + account[of](id, now).length, 0);
    return {
      ...compareSides({ exchange: this.#exchange, userId: USER, instruments: INSTRUMENTS }, report),
      kills: this.#kills,
      withOrders: this.#withOrders,
      byBoundary: this.#byBoundary,
      orders: count('orders'),
      fills: count('trades'),
      reasons,
      faults: parts.faults.counts(),
    };
  }

  /** Waits until nothing is stale or unknown to the bot; returns what still is after a while. */
  async #untilWell(bot: BotProcess): Promise<readonly string[]> {
    const end = this.#time.now() + PATIENCE_MS;
    for (;;) {
      const { reasons } = await bot.ask('report');
      if (reasons.length === 0 || this.#time.now() >= end) return reasons;
      await new Promise<void>((resolve) => {
        this.#time.after(SECOND_MS, resolve);
      });
    }
  }

  async close(): Promise<void> {
    this.#standby.kill();
    await this.#standby.exited();
    await this.#served.close();
    for (const folder of [this.#folder, this.#program.folder])
      rmSync(folder, { recursive: true, force: true });
  }
}
