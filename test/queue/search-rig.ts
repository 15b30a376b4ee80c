import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { QueueProcess, type ProcessOptions } from './queue-process.js';
import { RedisServer } from './redis-server.js';

export const SECRET = 'shared-by-coordinator-and-workers';

/** The strategy of a rig without its own. */
export const STRATEGY = `import { CandleStrategy, crossedAbove, crossedBelow, int, sma } from 'evenkeel';

export class Cross extends CandleStrategy({ fast: int(2, 2000, 10), slow: int(2, 4000, 30) }) {
  readonly fast = this.indicator(sma(this.parameters.fast));
  readonly slow = this.indicator(sma(this.parameters.slow));

  override onCandle(): void {
    if (crossedAbove(this.fast, this.slow)) this.enterLong({ equity: '0.95' });
    else if (crossedBelow(this.fast, this.slow)) this.exit();
  }
}
`;

/** Time after which a silent worker counts as dead, in s. */
const LOCK_S = '5';
const PATIENCE_MS = 240_000;

/** A coordinator's folder, workers with folders of their own, and a server between them. They share nothing else. */
export class SearchRig {
  readonly #root: string;
  readonly server: RedisServer;
  readonly #processes = new Set<QueueProcess>();
  #folders = 0;

  private constructor(root: string, server: RedisServer) {
    this.#root = root;
    this.server = server;
  }

  static async open(strategy = STRATEGY): Promise<SearchRig> {
    const root = mkdtempSync(path.join(tmpdir(), 'evenkeel-queue-'));
    const rig = new SearchRig(root, await RedisServer.start(root));
    mkdirSync(rig.home);
    writeFileSync(path.join(rig.home, 'cross.strategy.ts'), strategy);
    writeFileSync(path.join(rig.home, 'bot.yaml'), BOT_YAML);
    await rig.run(synthWords(1), { folder: rig.home });
    return rig;
  }

  /** The coordinator's folder. */
  get home(): string {
    return path.join(this.#root, 'coordinator');
  }

  /** A new folder for a worker, with the same data. */
  workerFolder(): string {
    const folder = this.emptyFolder();
    cpSync(path.join(this.home, 'data'), path.join(folder, 'data'), { recursive: true });
    return folder;
  }

  emptyFolder(): string {
    this.#folders += 1;
    const folder = path.join(this.#root, `machine-${String(this.#folders)}`);
    mkdirSync(folder);
    return folder;
  }

  start(words: readonly string[], options: Partial<ProcessOptions> = {}): QueueProcess {
    const process = new QueueProcess(words, {
      folder: this.home,
      ...options,
      env: { EVENKEEL_QUEUE: this.server.url, EVENKEEL_QUEUE_SECRET: SECRET, ...options.env },
    });
    this.#processes.add(process);
    void process.ended.then(() => this.#processes.delete(process));
    return process;
  }

  /** Runs a command to its end. @throws with its output when it ends with another code. */
  async run(
    words: readonly string[],
    options: Partial<ProcessOptions> & { readonly exitCode?: number } = {},
  ): Promise<string> {
    const process = this.start(words, options);
    const { code } = await process.ended;
    if (code !== (options.exitCode ?? 0))
      throw new Error(`${words.join(' ')} ended with ${String(code)}:\n${process.output}`);
    return process.output;
  }

  startWorker(folder: string, options: Partial<ProcessOptions> & WorkerWords = {}): QueueProcess {
    const { jobs = 1, words = [] } = options;
    return this.start(
      [
        ...['worker', '--queue', 'env', '--archive', 'data', '--lock', LOCK_S],
        ...['--jobs', String(jobs), ...words],
      ],
      { ...options, folder },
    );
  }

  read(name: string): string {
    return readFileSync(path.join(this.home, name), 'utf8');
  }

  /** Waits until a condition holds. */
  async until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    while (!(await isSo())) {
      if (performance.now() > until) throw new Error(`waited too long for ${what}`);
      await sleep(50);
    }
  }

  async close(): Promise<void> {
    const processes = [...this.#processes];
    for (const process of processes) process.kill();
    await Promise.all(processes.map(({ ended }) => ended));
    await this.server.stop();
    rmSync(this.#root, { recursive: true, force: true });
  }
}

export interface WorkerWords {
  readonly jobs?: number;
  readonly words?: readonly string[];
}

/** The words of a sweep with 100 combinations per unit of `hundreds`. */
export function sweepWords(name: string, hundreds: number, slowFrom = 110): readonly string[] {
  return [
    ...[
      'sweep',
      'bot.yaml',
      '--grid',
      `fast=2:101:1,slow=${String(slowFrom)}:${String(slowFrom + hundreds - 1)}:1`,
    ],
    ...['--json', `${name}.json`, '--ledger', `${name}.jsonl`],
  ];
}

/** Candles of an invented market. Each seed gives another market. */
export function synthWords(seed: number): readonly string[] {
  return [
    ...['data', 'synth', '--seed', String(seed), '--interval', '1h', '--archive', 'data'],
    ...['--from', '2025-01-01', '--to', '2025-03-01', '--instrument', 'spot:BTCUSDT,price=62000'],
  ];
}

const BOT_YAML = `version: 1
name: searched
strategy:
  path: cross.strategy.ts
instruments:
  - { product: spot, symbol: BTCUSDT, intervals: [1h] }
simulation:
  archive: data
  from: 2025-01-12
  balances: { USDT: "10000" }
  fees: { maker: "0.001", taker: "0.001" }
  rules:
    BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }
`;
