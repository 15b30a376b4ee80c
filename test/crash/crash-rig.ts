import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Boundary } from '../../src/assembly/index.js';
import { formatFixed } from '../../src/domain/index.js';
import {
  completeAccount,
  serveExchange,
  type FaultRuleInput,
  type LocalExchange,
  type ServedExchange,
} from '../../src/local-exchange/index.js';
import { parseFaultRule } from '../../src/local-exchange/index.js';
import {
  buildTestExchange,
  MARKET_START,
  SPOT_ID,
} from '../support/local-exchange/test-exchange.js';
import { AcceleratedTime } from './accelerated-time.js';
import type { CrashOrder, CrashReport } from './crash-report.js';

const BOT = fileURLToPath(new URL('crash-bot.ts', import.meta.url));
const LOADER = fileURLToPath(new URL('../../.ci/bench-loader.mjs', import.meta.url));
/** Candles of a minute come once in half a second. */
const SPEED = 120;
const USER = '10001';

const CONFIG = (url: string): string => `version: 1
name: crash
strategy: { path: ./unused.strategy.ts }
instruments:
  - { product: spot, symbol: BTCUSDT, intervals: [1min] }
venue: { spotUrl: ${url}, keyEnv: CRASH_KEY, secretEnv: CRASH_SECRET }
live: { journal: ./crash.journal, staleAfterMs: 600000, loopStallMs: 600000, maxClockOffsetMs: 60000 }
simulation:
  archive: .
  balances: { USDT: "1000000" }
  fees: { maker: "0.001", taker: "0.001" }
  rules:
    BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }
`;

/** What a crash run ends with. */
export interface CrashFigures {
  readonly kills: number;
  /** Kills while the exchange held an order of the bot. */
  readonly withOrders: number;
  readonly byBoundary: Readonly<Record<string, number>>;
  readonly orders: number;
  readonly fills: number;
  /** Orders of the exchange that the bot does not know, or knows with other fills. */
  readonly lost: readonly string[];
  /** Client order ids that the exchange has more than once. */
  readonly doubled: readonly string[];
  readonly balanceDifferences: readonly string[];
  readonly reasons: readonly string[];
  readonly faults: unknown;
}

/** An exchange in this process and a bot in another, which is ended and started again. */
export class CrashRig {
  readonly #folder: string;
  readonly #time: CrashOrder['time'];
  readonly #exchange: LocalExchange;
  readonly #served: ServedExchange;
  #kills = 0;
  #withOrders = 0;
  readonly #byBoundary: Record<string, number> = {};

  private constructor(
    folder: string,
    time: CrashOrder['time'],
    exchange: LocalExchange,
    served: ServedExchange,
  ) {
    this.#folder = folder;
    this.#time = time;
    this.#exchange = exchange;
    this.#served = served;
  }

  static async open(): Promise<CrashRig> {
    const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-crash-'));
    const time = { beganAt: Date.now(), start: MARKET_START, speed: SPEED };
    const transport = new AcceleratedTime(time);
    const account = completeAccount(
      {
        name: 'crash',
        userId: USER,
        key: 'key-of-crash',
        secret: 'secret-of-crash',
        balances: { spot: { USDT: '1000000' }, margin: {}, futures: {} },
      },
      { randomText: () => 'unused', taken: [] },
    );
    const exchange = buildTestExchange({
      clock: { mode: 'realtime', start: MARKET_START },
      accounts: [account],
      transport,
    });
    const served = await serveExchange(exchange, {
      port: 0,
      timers: transport,
      control: undefined,
      patience: { headersMs: 60_000, requestMs: 60_000 },
    });
    writeFileSync(path.join(folder, 'crash.yaml'), CONFIG(served.url));
    return new CrashRig(folder, time, exchange, served);
  }

  fault(rule: FaultRuleInput): void {
    this.#exchange.addFault(parseFaultRule(rule));
  }

  clearFaults(): void {
    this.#exchange.removeFault();
  }

  /** Starts the bot and lets it end at a boundary, or ends it from outside after a while. */
  async kill(how: { readonly boundary: Boundary; readonly count: number } | number): Promise<void> {
    const child = this.#start(typeof how === 'number' ? undefined : how);
    const ended = once(child, 'exit');
    const patience = setTimeout(
      () => child.kill('SIGKILL'),
      typeof how === 'number' ? how : 15_000,
    );
    const [, signal] = (await ended) as [number | null, string | null];
    clearTimeout(patience);
    if (signal !== 'SIGKILL') throw new Error(`the bot ended by itself: ${this.#errors}`);
    this.#kills += 1;
    const name = typeof how === 'number' ? 'any' : how.boundary;
    this.#byBoundary[name] = (this.#byBoundary[name] ?? 0) + 1;
    if (this.#openOrders() > 0) this.#withOrders += 1;
  }

  #errors = '';

  #start(kill: CrashOrder['kill']): ChildProcess {
    const order: CrashOrder = {
      time: this.#time,
      config: path.join(this.#folder, 'crash.yaml'),
      journal: path.join(this.#folder, 'crash.journal'),
      key: 'key-of-crash',
      secret: 'secret-of-crash',
      kill,
    };
    const child = fork(BOT, [], {
      execArgv: ['--import', LOADER],
      env: { ...process.env, CRASH_ORDER: JSON.stringify(order) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#errors = '';
    child.stderr?.on('data', (piece: Buffer) => {
      this.#errors += piece.toString();
    });
    child.on('message', (message: { readonly failure?: string }) => {
      if (message.failure !== undefined) this.#errors += message.failure;
    });
    return child;
  }

  #openOrders(): number {
    const { accounts, marketTime } = this.#exchange.parts;
    return accounts.byUser(USER)?.account.openOrders(SPOT_ID, marketTime.now()).length ?? 0;
  }

  /** Starts the bot once more, lets it settle, stops it, and compares what it believes with what the exchange has. */
  async finish(): Promise<CrashFigures> {
    const child = this.#start(undefined);
    await this.#message(child, (message) => 'started' in message || 'failure' in message);
    child.send('stop');
    const report = (await this.#message(
      child,
      (message) => 'orders' in message || 'failure' in message,
    )) as unknown as CrashReport;
    if (!('orders' in report)) throw new Error(`the bot failed: ${this.#errors}`);
    return this.#compare(report);
  }

  async #message(
    child: ChildProcess,
    isWanted: (message: Record<string, unknown>) => boolean,
  ): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      child.on('message', (message: Record<string, unknown>) => {
        if (isWanted(message)) resolve(message);
      });
      child.once('exit', () => {
        reject(new Error(`the bot ended: ${this.#errors}`));
      });
    });
  }

  #compare(report: CrashReport): CrashFigures {
    const { accounts, marketTime, faults } = this.#exchange.parts;
    const account = accounts.byUser(USER)?.account;
    if (account === undefined) throw new Error('expected the account');
    const now = marketTime.now();
    const orders = account.orders(SPOT_ID, now);
    const believed = new Map(report.orders.map((each) => [each.clientOrderId, each]));
    const ids = orders.map(({ clientOrderId }) => clientOrderId ?? '');
    const lost = orders.flatMap(({ clientOrderId = '', filledQuantity, venueOrderId }) => {
      const known = believed.get(clientOrderId);
      const filled = formatFixed(filledQuantity);
      if (known?.filled === filled) return [];
      return [
        `${clientOrderId} (${venueOrderId}): ${filled}, believed ${known?.filled ?? 'nothing'}`,
      ];
    });
    const phantoms = report.orders
      .filter(({ clientOrderId, filled }) => filled !== '0' && !ids.includes(clientOrderId))
      .map(({ clientOrderId }) => `${clientOrderId}: never at the exchange`);
    const balances = account.spot(now);
    const balanceDifferences = balances.balances.flatMap(({ asset, exact }) => {
      const actual = formatFixed(exact.free + exact.locked);
      const own = report.balances[asset] ?? '0';
      return own === actual ? [] : [`${asset}: ${actual}, believed ${own}`];
    });
    return {
      kills: this.#kills,
      withOrders: this.#withOrders,
      byBoundary: this.#byBoundary,
      orders: orders.length,
      fills: account.trades(SPOT_ID, now).length,
      lost: [...lost, ...phantoms],
      doubled: ids.filter((id, index) => ids.indexOf(id) !== index),
      balanceDifferences,
      reasons: report.reasons,
      faults: faults.counts(),
    };
  }

  async close(): Promise<void> {
    await this.#served.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
