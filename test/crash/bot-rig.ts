import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MINUTE_MS, SECOND_MS, type EpochMs } from '../../src/domain/index.js';
import {
  completeAccount,
  parseFaultRule,
  serveExchange,
  type FaultRuleInput,
  type LocalExchange,
  type ServedExchange,
} from '../../src/local-exchange/index.js';
import { readJournal } from '../../src/journal/index.js';
import {
  buildTestExchange,
  CONTROL_TOKEN,
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
 * The step of time. Exchange and bot finish all due work before the next step, so the result does not depend on the speed of the
 * machine. A call takes about a second.
 */
const STEP_MS = 100;
/** Time after which the rig stops waiting for a result. */
export const PATIENCE_MS = 20 * MINUTE_MS;

const CONFIG = (url: string, listens: boolean): string => `version: 1
name: crash
strategy: { path: ./unused.strategy.ts, parameters: { listens: ${String(listens)} } }
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

export interface BotRigOptions {
  /** Seed of the faults. @defaultValue 1 */
  readonly faultSeed?: number;
  /** Whether the bot listens to tickers too. @defaultValue false */
  readonly listens?: boolean;
}

/** The figures of a bot that has settled and stopped. */
export interface EndFigures extends Differences {
  readonly orders: number;
  readonly fills: number;
  /** The state of the strategy, as JSON. */
  readonly kept: string | undefined;
  /** Reasons for a state other than `running` at the end. */
  readonly reasons: readonly string[];
  readonly faults: Readonly<Record<string, number>>;
}

/** An exchange in this process and bots in others, on one clock that waits for both. */
export class BotRig {
  readonly #folder: string;
  readonly #program: ReturnType<typeof writeBotProgram>;
  readonly #time: VirtualTime;
  readonly #exchange: LocalExchange;
  readonly #served: ServedExchange;
  /** Loads during the life of the previous bot, so that a start does not wait for it. */
  #standby: BotProcess;
  #running: BotProcess | undefined;

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

  static async open({ faultSeed = 1, listens = false }: BotRigOptions = {}): Promise<BotRig> {
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
      faults: { seed: faultSeed, rules: [] },
      transport: time,
    });
    const served = await serveExchange(exchange, {
      port: 0,
      timers: time,
      control: { token: CONTROL_TOKEN, randomText: () => 'unused' },
      patience: { headersMs: 60_000, requestMs: 60_000 },
    });
    writeFileSync(path.join(folder, 'crash.yaml'), CONFIG(served.url, listens));
    return new BotRig({ folder, time, exchange, served });
  }

  get now(): EpochMs {
    return this.#time.now();
  }

  get config(): string {
    return path.join(this.#folder, 'crash.yaml');
  }

  get journal(): string {
    return path.join(this.#folder, 'crash.journal');
  }

  /** Puts a fault in force and returns its id. */
  fault(rule: FaultRuleInput): number {
    return this.#exchange.addFault(parseFaultRule(rule));
  }

  /** Removes a fault, or all of them without an id. */
  clearFault(id?: number): void {
    this.#exchange.removeFault(id);
  }

  faults(): Readonly<Record<string, number>> {
    return this.#exchange.parts.faults.counts();
  }

  /** Refuses connections for a while, through the control API, which has the listener. */
  async refuseConnections(durationMs: number): Promise<void> {
    const { status } = await fetch(`${this.#served.url}/control/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CONTROL_TOKEN}`, connection: 'close' },
      body: JSON.stringify({ fault: 'connection-refused', durationMs }),
    });
    if (status !== 200)
      throw new Error(`expected the fault to be taken, received ${String(status)}`);
  }

  /** Starts the bot on its journal. */
  begin(kill?: CrashOrder['kill']): BotProcess {
    const bot = this.#standby;
    this.#running = bot;
    this.#standby = new BotProcess(this.#program.file);
    bot.begin({
      now: this.#time.now(),
      config: this.config,
      journal: this.journal,
      key: 'key-of-crash',
      secret: 'secret-of-crash',
      kill,
    });
    return bot;
  }

  /** Advances time until an instant, or until the bot is over. */
  async accompany(bot: BotProcess, end: EpochMs): Promise<void> {
    while (!bot.isOver && this.#time.now() < end) {
      await this.#time.advance(STEP_MS);
      await bot.move(this.#time.now());
    }
  }

  /** Advances time without a bot. */
  async pass(forMs: number): Promise<void> {
    await this.#time.advance(forMs);
  }

  /** Working orders at the exchange, counted per instrument. */
  openOrders(): readonly number[] {
    const account = accountOf({ exchange: this.#exchange, userId: USER });
    const now = this.#exchange.parts.marketTime.now();
    return INSTRUMENTS.map((id) => account.openOrders(id, now).length);
  }

  /** Lets a bot settle, stops it, and compares its books with the exchange. */
  async finish(bot: BotProcess, started: Promise<unknown>): Promise<EndFigures> {
    const accompanied = this.accompany(bot, Number.POSITIVE_INFINITY);
    await started;
    const reasons = await this.#untilWell(bot);
    const report = await bot.ask('stop');
    await accompanied;
    const { parts } = this.#exchange;
    const account = accountOf({ exchange: this.#exchange, userId: USER });
    const now = parts.marketTime.now();
    const count = (of: 'orders' | 'trades'): number =>
      INSTRUMENTS.reduce((sum, id) => sum + account[of](id, now).length, 0);
    const journal = await readJournal(this.journal);
    const { orders } = journal.orderHistory();
    journal.close();
    const sides = { exchange: this.#exchange, userId: USER, instruments: INSTRUMENTS };
    return {
      ...compareSides(sides, { ...report, orders }),
      orders: count('orders'),
      fills: count('trades'),
      kept: report.kept,
      reasons,
      faults: this.faults(),
    };
  }

  /** Waits until the bot has no reasons left. After {@link PATIENCE_MS} it returns those that remain. */
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
    for (const bot of [this.#running, this.#standby]) {
      bot?.kill();
      await bot?.exited();
    }
    await this.#served.close();
    for (const folder of [this.#folder, this.#program.folder])
      rmSync(folder, { recursive: true, force: true });
  }
}
