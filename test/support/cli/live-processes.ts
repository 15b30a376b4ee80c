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

/** A process of the program, and what it has written. */
export interface Running {
  readonly child: ChildProcess;
  readonly written: { stdout: string; stderr: string };
  /** Exit code, or the signal that ended it: of the process alone. */
  readonly exited: Promise<number | string | null>;
  /** The same, when nobody writes where it wrote any more: its guard process does. */
  readonly ended: Promise<number | string | null>;
}

let children: ChildProcess[] = [];
/** Where bots were started: their guard processes, which outlive them, are known by it. */
let folders: string[] = [];

/** Ends all that was started, guard processes too, and waits until they write nowhere any more; for the end of a test. */
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

/** Guard processes that were started in a folder, by whatever bot. Only Linux tells; elsewhere none is found, and they end by themselves. */
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

/** The number of the guard process of a process of bots. Linux tells it. */
export async function guardOf({ child }: Running): Promise<number> {
  const id = String(child.pid);
  const listed = await readFile(`/proc/${id}/task/${id}/children`, 'utf8');
  const guard = Number(listed.trim().split(' ').at(-1));
  // A signal to 0 would go to every process of this one's group.
  if (!(guard > 0)) throw new Error(`process ${id} has no guard process`);
  return guard;
}

/** `under`: what starts the program in its own place, with the program as its arguments. */
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
  /** @defaultValue the averages that cross */
  readonly plugin?: string;
  /** Of the plugin, in YAML. @defaultValue none for another plugin */
  readonly parameters?: string;
  /** Of the exchange. @defaultValue made candles */
  readonly exchange?: readonly string[];
  /** Where the bot finds the exchange, where that is not where it listens: something stands between the two. */
  readonly through?: (url: string) => Promise<string>;
  /** Lines for the end of the bot's file. */
  readonly more?: string;
}

/** A folder with a bot for a local exchange that runs, and the environment with its key. What bots share with others of the user is in the folder, too. */
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

/** Writes another file into the folder: the bot's, altered. */
export async function alterBot(
  folder: string,
  changes: Readonly<Record<string, string>>,
  file = 'bot.yaml',
): Promise<void> {
  let text = await readFile(path.join(folder, 'bot.yaml'), 'utf8');
  for (const [from, to] of Object.entries(changes)) text = botYaml(from, to, text);
  await writeFile(path.join(folder, file), text);
}

/** What the bot says at its socket; undefined where nobody answers. */
export async function statusOf(
  folder: string,
  { journal = JOURNAL, command = 'status' }: { journal?: string; command?: ControlCommand } = {},
): Promise<BotStatus | undefined> {
  const place = { path: path.join(folder, `${journal}.sock`) };
  const response = await askBot({ command }, place).catch(() => undefined);
  return response?.ok === true ? response.status : undefined;
}

/** Has the exchange carry out what it is asked for, and answer so much later. Returns what ends that. */
export async function delayAnswers(
  { url, controlToken }: ExchangeProcess,
  delayMs: number,
): Promise<() => Promise<void>> {
  const call = async (method: 'POST' | 'DELETE', body?: object): Promise<void> => {
    const response = await fetch(`${url}/control/faults`, {
      method,
      headers: { authorization: `Bearer ${controlToken}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
  };
  await call('POST', { fault: 'latency', delayMs });
  return () => call('DELETE');
}

/** Has the exchange hold every answer back: nobody learns what became of anything. */
export function holdAnswers(exchange: ExchangeProcess): Promise<() => Promise<void>> {
  return delayAnswers(exchange, 86_400_000);
}

/** Longest wait until a bot runs: one that was started anew waits for the candle of the next minute. */
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
