import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { askBot } from '../../src/cli/live/control-client.js';
import type { BotStatus } from '../../src/live/index.js';
import { startProxy, type RecordingProxy } from './recording-proxy.js';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const NAME = 'guaranteed';
const TICKER = '/sapi/v1/ticker';
const LOOK_MS = 25;

/** Holds something with a stop that is far away, whenever it may. */
const HOLDER = `import { enterLong, Strategy } from 'evenkeel';
import { map } from 'rxjs';
export class Holder extends Strategy({}, { state: { seen: 0 } }) {
  warmup = 1;
  intents(market) {
    return market.ticker$().pipe(map(() => {
      this.state.seen += 1;
      return enterLong({ notional: '500' }, { protection: { stopLoss: { ratio: '0.3' } } });
    }));
  }
}
`;

const yamlOf = (url: string): string => `name: ${NAME}
strategy: { path: holder.strategy.ts }
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

/** A bot's process, with the number of its guard process once that is known. */
export interface BotProcess {
  readonly child: ChildProcess;
  guard: number | undefined;
}

/** One exchange, a proxy before it, and one bot with its guard process, in processes of their own. */
export class Rig {
  readonly folder: string;
  readonly proxy: RecordingProxy;
  readonly #exchange: ChildProcess;
  readonly #env: NodeJS.ProcessEnv;
  /** Guard processes that were seen, to be ended with the rig. */
  readonly #guards = new Set<number>();
  bot: BotProcess | undefined;
  log = '';

  private constructor(
    folder: string,
    proxy: RecordingProxy,
    exchange: ChildProcess,
    env: NodeJS.ProcessEnv,
  ) {
    this.folder = folder;
    this.proxy = proxy;
    this.#exchange = exchange;
    this.#env = env;
  }

  static async open(seed: number): Promise<Rig> {
    const folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-guarantee-'));
    const args = [MAIN, 'exchange', '--synthetic', String(seed), '--port', '0', '--json'];
    const exchange = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const line = await new Promise<string>((resolve, reject) => {
      let said = '';
      exchange.stdout.on('data', (text: Buffer) => {
        said += text.toString();
        if (said.includes('\n')) resolve(said);
      });
      exchange.once('exit', () => reject(new Error('the exchange ended')));
    });
    const { url, accounts } = JSON.parse(line) as {
      readonly url: string;
      readonly accounts: readonly { readonly key: string; readonly secret: string }[];
    };
    const proxy = await startProxy(url);
    await writeFile(path.join(folder, 'bot.yaml'), yamlOf(proxy.url));
    await writeFile(path.join(folder, 'holder.strategy.ts'), HOLDER);
    const [account] = accounts;
    const env = {
      ...process.env,
      TEST_KEY: account?.key,
      TEST_SECRET: account?.secret,
      XDG_CACHE_HOME: path.join(folder, 'cache'),
    };
    return new Rig(folder, proxy, exchange, env);
  }

  async close(): Promise<void> {
    this.bot?.child.kill('SIGKILL');
    for (const guard of this.#guards) signal(guard, 'SIGKILL');
    this.#exchange.kill('SIGKILL');
    this.proxy.close();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Starts the bot; what it has written before is kept. */
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

  /** Runs another command of the program. Returns its exit code and what it wrote. */
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

  async status(): Promise<BotStatus | undefined> {
    const place = { path: path.join(this.folder, `${NAME}.journal.sock`), patienceMs: 1_000 };
    const answer = await askBot({ command: 'status' }, place).catch(() => undefined);
    return answer?.ok === true ? answer.status : undefined;
  }

  /** Waits until the status is as it should be. */
  async until(
    what: string,
    isSo: (status: BotStatus) => boolean,
    withinMs: number,
  ): Promise<BotStatus> {
    const end = performance.now() + withinMs;
    for (;;) {
      const status = await this.status();
      if (status !== undefined && isSo(status)) return status;
      if (performance.now() > end)
        throw new Error(
          `no ${what} within ${String(withinMs / 1_000)} s: ${JSON.stringify(status ?? 'no answer').slice(0, 600)}\n${this.log.slice(-1_500)}`,
        );
      await pause(LOOK_MS);
    }
  }

  /** Waits until the bot holds something with a stop and its guard process is ready, and learns the number of that. */
  async untilHolding(): Promise<BotStatus> {
    const status = await this.until(
      'position with a stop',
      ({ state, guards, guardedBy }) =>
        state === 'running' &&
        guards.length > 0 &&
        guardedBy.process === 'bot' &&
        guardedBy.standby === 'ready',
      60_000,
    );
    await this.#findGuard();
    return status;
  }

  /** Waits until nothing is held, but what is too small to be sold. */
  untilFlat(): Promise<BotStatus> {
    return this.until(
      'flat bot',
      ({ guards, orders, waiting }) => guards.length + orders.length + waiting.length === 0,
      30_000,
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

  /** When a price was asked for first after an instant, by what is not the bot of then; waits for it. */
  async firstSampleAfter(atMs: number, withinMs: number): Promise<number> {
    const end = performance.now() + withinMs;
    for (;;) {
      const sample = this.proxy.passed.find((one) => one.atMs > atMs && one.path === TICKER);
      if (sample !== undefined) return sample.atMs;
      if (performance.now() > end)
        throw new Error(
          `no sample within ${String(withinMs / 1_000)} s\n${this.log.slice(-1_500)}`,
        );
      await pause(LOOK_MS);
    }
  }

  /** Client order ids that were sent more than once. */
  doubled(): readonly string[] {
    const sent = this.proxy.passed.flatMap(({ method, clientOrderId }) =>
      method === 'POST' && clientOrderId !== undefined ? [clientOrderId] : [],
    );
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
