import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { ControlCommand } from '../../../src/bots/control/control-protocol.js';
import { GUARD_PROCESS } from '../../../src/cli/live/guard/spawn-guard.js';
import { askBot } from '../../../src/bots/control/control-client.js';
import type { BotStatus } from '../../../src/live/index.js';
import {
  killExchanges,
  startExchangeProcess,
  type ExchangeProcess,
} from '../local-exchange/exchange-process.js';
import { botFolder, SMA_SOURCE } from './bot-folder.js';
import { botYaml } from './bot-yaml.js';

/** The compiled program: `npm test` compiles before it tests. */
const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const AVERAGES = '{ fast: 2, slow: 3 }';
export const JOURNAL = 'sma-crossover-btc.journal';

/** A process of the program, and its output so far. */
export interface Running {
  readonly child: ChildProcess;
  readonly written: { stdout: string; stderr: string };
  /** Exit code, or the signal that ended it. Resolves when this process has exited, whatever its guard process does. */
  readonly exited: Promise<number | string | null>;
  /** The same, but resolves when its outputs are closed too. Its guard process also writes to them and may keep them open longer. */
  readonly ended: Promise<number | string | null>;
}

let children: ChildProcess[] = [];
/** Folders in which bots were started. They identify the guard processes, which outlive their bots. */
let folders: string[] = [];

/** Ends all started processes, guard processes too, and waits until none writes any more; for the end of a test. */
export async function killLiveProcesses(): Promise<void> {
  const ending = children.filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  );
  const ended = ending.map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of ending) child.kill('SIGKILL');
  await Promise.all(ended);
  const guards = (await Promise.all(folders.map(guardsIn))).flat();
  for (const guard of guards) endProcess(guard);
  await Promise.all(guards.map(untilGone));
  [children, folders] = [[], []];
  killExchanges();
}

/** Guard processes that any bot started in a folder. Only Linux lists them. On other systems the result is empty, and they end by themselves. */
async function guardsIn(folder: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const place = await readlink(`/proc/${name}/cwd`).catch(() => undefined);
        if (place !== folder) return [];
        const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
        return command.split('\0')[2] === GUARD_PROCESS ? [Number(name)] : [];
      }),
  );
  return found.flat();
}

async function untilGone(id: number): Promise<void> {
  while (
    await readFile(`/proc/${String(id)}/cmdline`).then(
      ({ length }) => length > 0,
      () => false,
    )
  )
    await new Promise((resolve) => setTimeout(resolve, 20));
}

function endProcess(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Process id of the guard process of a process of bots. Works on Linux only. */
export async function guardOf({ child }: Running): Promise<number> {
  const id = String(child.pid);
  const listed = await readFile(`/proc/${id}/task/${id}/children`, 'utf8');
  const guard = Number(listed.trim().split(' ').at(-1));
  // Process id 0 as the target of a signal would mean every process of this process's group.
  if (!(guard > 0)) throw new Error(`process ${id} has no guard process`);
  return guard;
}

/** Starts the program. `under`: a command, with arguments, that starts the program, given as its further arguments. */
export function evenkeel(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
  under: readonly string[] = [],
): Running {
  const [command = process.execPath, ...rest] = [...under, process.execPath, main, ...args];
  const child = spawn(command, rest, { cwd, env: { ...process.env, ...env } });
  children.push(child);
  if (!folders.includes(cwd)) folders.push(cwd);
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (written.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (written.stderr += text.toString()));
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  const exited = new Promise<number | string | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
  return { child, written, exited, ended };
}

export interface LiveBotOptions {
  /** @defaultValue an SMA crossover */
  readonly plugin?: string;
  /** Of the plugin, in YAML. @defaultValue none for another plugin */
  readonly parameters?: string;
  /** Flags of the exchange. @defaultValue synthetic candles */
  readonly exchange?: readonly string[];
  /** Returns the URL that the bot uses, given the URL of the exchange; for a proxy between the two. */
  readonly through?: (url: string) => Promise<string>;
  /** Lines for the end of the bot's file. */
  readonly more?: string;
}

/** Makes a folder with a bot for a running local exchange, and the environment with its key. Files that bots of one user share are in the folder, too. */
export async function liveBot({
  plugin = SMA_SOURCE,
  parameters = plugin === SMA_SOURCE ? AVERAGES : '{}',
  exchange: flags = ['--synthetic', '7'],
  through = (url) => Promise.resolve(url),
  more = '',
}: LiveBotOptions = {}): Promise<{
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly exchange: ExchangeProcess;
}> {
  const spot = '  - { product: spot, symbol: BTCUSDT, intervals: [1h] }';
  const yaml = botYaml(spot, spot.replace('1h', '1min')).replace(
    '{ fast: 10, slow: 30 }',
    parameters,
  );
  const exchange = await startExchangeProcess(flags, '/');
  const url = await through(exchange.url);
  const venue = `venue: { spotUrl: "${url}", keyEnv: TEST_KEY, secretEnv: TEST_SECRET }\n`;
  const folder = await botFolder({ yaml: `${yaml}${venue}${more}`, plugin, candles: 'none' });
  const shared = path.join(folder, 'shared');
  await mkdir(shared, { mode: 0o700 });
  return {
    folder,
    exchange,
    env: {
      TEST_KEY: exchange.key,
      TEST_SECRET: exchange.secret,
      XDG_CACHE_HOME: path.join(folder, 'cache'),
      XDG_RUNTIME_DIR: shared,
      TMPDIR: shared,
    },
  };
}

/** Starts the bot and waits until it runs. */
export function startLive(folder: string, env: NodeJS.ProcessEnv): Promise<Running> {
  return start(['live', 'bot.yaml', '--yes', '--accept-findings'], folder, env);
}

/** Writes a changed copy of the bot's file into the folder. */
export async function alterBot(
  folder: string,
  changes: Readonly<Record<string, string>>,
  file = 'bot.yaml',
): Promise<void> {
  let text = await readFile(path.join(folder, 'bot.yaml'), 'utf8');
  for (const [from, to] of Object.entries(changes)) text = botYaml(from, to, text);
  await writeFile(path.join(folder, file), text);
}

/** The bot's answer at its socket; undefined if it does not answer. */
export async function statusOf(
  folder: string,
  { journal = JOURNAL, command = 'status' }: { journal?: string; command?: ControlCommand } = {},
): Promise<BotStatus | undefined> {
  const place = { path: path.join(folder, `${journal}.sock`) };
  const response = await askBot({ command }, place).catch(() => undefined);
  return response?.ok === true ? response.status : undefined;
}

/** Puts a fault of the exchange in force. Returns a function that ends all faults. */
export async function plantFault(
  { url, controlToken }: ExchangeProcess,
  fault: object,
): Promise<() => Promise<void>> {
  const call = async (method: 'POST' | 'DELETE', body?: object): Promise<void> => {
    const response = await fetch(`${url}/control/faults`, {
      method,
      headers: { authorization: `Bearer ${controlToken}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
  };
  await call('POST', fault);
  return () => call('DELETE');
}

/** Lets the exchange carry out requests but answer them `delayMs` later. Returns a function that ends the delay. */
export function delayAnswers(
  exchange: ExchangeProcess,
  delayMs: number,
): Promise<() => Promise<void>> {
  return plantFault(exchange, { fault: 'latency', delayMs });
}

/** Lets the exchange hold every answer back, so that the bot never learns the outcome of a call. */
export function holdAnswers(exchange: ExchangeProcess): Promise<() => Promise<void>> {
  return delayAnswers(exchange, 86_400_000);
}

/** Longest wait until a bot runs. A restarted bot waits for the candle of the next minute. */
const PATIENCE_MS = 90_000;

export async function start(
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Running> {
  const running = evenkeel(args, folder, env);
  await Promise.race([
    expect
      .poll(() => running.written.stdout, { timeout: PATIENCE_MS, interval: 50 })
      .toContain('"to":"running"'),
    running.ended.then((end) => {
      throw new Error(`the bot ended with ${String(end)}: ${running.written.stderr}`);
    }),
  ]);
  return running;
}
