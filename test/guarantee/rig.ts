import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { askBot } from '../../src/bots/control/control-client.js';
import type { ControlCommand } from '../../src/bots/control/control-protocol.js';
import type { BotStatus } from '../../src/live/index.js';
import { HOLDER_SOURCE } from '../support/cli/holder-plugin.js';
import { Exchange, KEY, MAIN } from './exchange.js';
import { startProxy, type Passed, type RecordingProxy } from './recording-proxy.js';

const NAME = 'guaranteed';
export const JOURNAL = `${NAME}.journal`;
const TICKER = '/sapi/v1/ticker';
const LOOK_MS = 20;
/** Distances of the stop in basis points: one that no case reaches, and a trailing one that the price soon crosses. */
const [FAR_BPS, NEAR_BPS] = [5_000, 10];

const yamlOf = (url: string, isNear: boolean): string => `name: ${NAME}
strategy:
  path: holder.strategy.ts
  parameters: { stopBps: ${String(isNear ? NEAR_BPS : FAR_BPS)}, moves: ${isNear ? '0' : '1500'}, trails: ${String(isNear)} }
instruments:
  - { product: spot, symbol: BTCUSDT, intervals: [1min] }
simulation:
  archive: data
  from: 2025-01-01
  to: 2025-02-01
  balances: { USDT: "10000" }
  fees: { maker: "0.001", taker: "0.001" }
  rules:
    BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }
venue: { spotUrl: "${url}", keyEnv: TEST_KEY, secretEnv: TEST_SECRET }
`;

/** A bot's process, and the id of its guard process when it is known. */
export interface BotProcess {
  readonly child: ChildProcess;
  guard: number | undefined;
}

/** One exchange, a proxy before it, and one bot with its guard process, each in a process of its own. */
export class Rig {
  readonly folder: string;
  readonly isNear: boolean;
  readonly exchange: Exchange;
  readonly proxy: RecordingProxy;
  readonly #env: NodeJS.ProcessEnv;
  /** Guard processes seen so far, to be ended with the rig. */
  readonly #guards = new Set<number>();
  bot: BotProcess | undefined;
  /** When the entry of the current position was sent, by the clock of the proxy. */
  heldSince = 0;
  log = '';

  private constructor(
    parts: Pick<Rig, 'folder' | 'isNear' | 'exchange' | 'proxy'>,
    env: NodeJS.ProcessEnv,
  ) {
    this.folder = parts.folder;
    this.isNear = parts.isNear;
    this.exchange = parts.exchange;
    this.proxy = parts.proxy;
    this.#env = env;
  }

  static async open(seed: number, isNear: boolean): Promise<Rig> {
    const folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-guarantee-'));
    const exchange = await Exchange.open(folder, seed);
    const proxy = await startProxy(exchange.url);
    await writeFile(path.join(folder, 'bot.yaml'), yamlOf(proxy.url, isNear));
    await writeFile(path.join(folder, 'holder.strategy.ts'), HOLDER_SOURCE);
    const shared = path.join(folder, 'shared');
    await mkdir(shared, { mode: 0o700 });
    const env = {
      ...process.env,
      ...KEY,
      XDG_CACHE_HOME: path.join(folder, 'cache'),
      XDG_RUNTIME_DIR: shared,
      TMPDIR: shared,
    };
    return new Rig({ folder, isNear, exchange, proxy }, env);
  }

  async close(): Promise<void> {
    await this.end();
    await this.remove();
  }

  /** Ends all processes. Their files stay. */
  async end(): Promise<void> {
    await this.#findGuard();
    this.bot?.child.kill('SIGKILL');
    for (const guard of this.#guards) signal(guard, 'SIGKILL');
    await this.exchange.kill();
    this.proxy.close();
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Starts the bot on its journal. */
  start(): BotProcess {
    const args = [MAIN, 'live', 'bot.yaml', '--yes', '--accept-findings', '--log', 'json'];
    const child = spawn(process.execPath, args, { cwd: this.folder, env: this.#env });
    for (const stream of [child.stdout, child.stderr])
      stream.on(
        'data',
        (text: Buffer) => (this.log = `${this.log}${text.toString()}`.slice(-20_000)),
      );
    this.bot = { child, guard: undefined };
    return this.bot;
  }

  /** Runs another command of the program. Returns its exit code and output. */
  async run(
    ...args: readonly string[]
  ): Promise<{ readonly code: number | null; readonly text: string }> {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: this.folder, env: this.#env });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => (text += piece.toString()));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, text };
  }

  /** Sends a command to the process behind the bot's socket. Undefined if no process answers. */
  async tell(command: ControlCommand, text?: string): Promise<BotStatus | undefined> {
    const place = { path: path.join(this.folder, `${JOURNAL}.sock`), patienceMs: 1_000 };
    const answer = await askBot({ command, text }, place).catch(() => undefined);
    return answer?.ok === true ? answer.status : undefined;
  }

  /** Waits until the status fulfils a condition. */
  async until(
    what: string,
    isSo: (status: BotStatus) => boolean,
    withinMs: number,
  ): Promise<BotStatus> {
    const end = performance.now() + withinMs;
    for (;;) {
      const status = await this.tell('status');
      if (status !== undefined && isSo(status)) return status;
      if (performance.now() > end)
        throw new Error(
          `no ${what} within ${String(withinMs / 1_000)} s: ${JSON.stringify(status ?? 'no answer').slice(0, 900)}\n${this.log.slice(-1_500)}`,
        );
      await pause(LOOK_MS);
    }
  }

  /** Waits until the bot holds a position with a stop and its guard process is ready, and notes the id of the guard. */
  async untilHolding(withinMs = 90_000): Promise<BotStatus> {
    if (this.bot === undefined) this.start();
    const status = await this.until(
      'position with a stop',
      ({ state, guards, guardedBy }) =>
        state === 'running' &&
        guards.length > 0 &&
        guardedBy.process === 'bot' &&
        guardedBy.standby === 'ready',
      withinMs,
    );
    await this.#findGuard();
    return status;
  }

  /** Waits until no position is guarded and no order works. A rest too small to sell may remain. */
  untilFlat(): Promise<BotStatus> {
    return this.until(
      'flat bot',
      ({ guards, orders, waiting }) => guards.length + orders.length + waiting.length === 0,
      60_000,
    );
  }

  async #findGuard(): Promise<void> {
    if (this.bot === undefined) return;
    const id = String(this.bot.child.pid);
    const listed = await readFile(`/proc/${id}/task/${id}/children`, 'utf8').catch(() => '');
    const guard = Number(listed.trim().split(' ').at(-1));
    if (!(guard > 0)) return;
    this.bot.guard = guard;
    this.#guards.add(guard);
  }

  /** Waits for the first answered price that was requested after an instant. Returns the time of the answer. */
  async firstSampleAfter(atMs: number, withinMs: number): Promise<number> {
    const sample = await this.untilPassed(
      (one) => one.atMs > atMs && one.path === TICKER && one.answeredMs !== undefined,
      { what: 'sample', withinMs },
    );
    return sample.answeredMs ?? sample.atMs;
  }

  /** The longest time between two answered prices in a period, including its ends. */
  longestGap(fromMs: number, toMs: number): number {
    const times = this.proxy.passed.flatMap(({ path: place, answeredMs }) =>
      place === TICKER && answeredMs !== undefined && answeredMs > fromMs && answeredMs < toMs
        ? [answeredMs]
        : [],
    );
    const all = [fromMs, ...times, toMs];
    return Math.max(...all.slice(1).map((at, index) => at - (all[index] ?? at)));
  }

  /** Waits for a request. */
  async untilPassed(
    isIt: (one: Passed) => boolean,
    { what, withinMs }: { readonly what: string; readonly withinMs: number },
  ): Promise<Passed> {
    const end = performance.now() + withinMs;
    for (;;) {
      const found = this.proxy.passed.find(isIt);
      if (found !== undefined) return found;
      if (performance.now() > end)
        throw new Error(
          `no ${what} within ${String(withinMs / 1_000)} s\n${this.log.slice(-1_500)}`,
        );
      await pause(2);
    }
  }

  /** Client order ids that were sent more than once. */
  doubled(): readonly string[] {
    const sent = this.proxy.passed.flatMap(({ order }) => order?.clientOrderId ?? []);
    return [...new Set(sent.filter((id, index) => sent.indexOf(id) !== index))];
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Sends a signal to a process that may have ended. */
export function signal(id: number | undefined, name: NodeJS.Signals): void {
  if (id === undefined) return;
  try {
    process.kill(id, name);
  } catch {
    // It has ended.
  }
}
