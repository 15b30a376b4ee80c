import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { readJournal } from '../../../src/runtime/index.js';
import { botFolder } from '../../support/cli/bot-folder.js';
import { botYaml } from '../../support/cli/bot-yaml.js';
import {
  killExchanges,
  startExchangeProcess,
} from '../../support/local-exchange/exchange-process.js';

/** The compiled program: `npm test` compiles before it tests. */
const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const JOURNAL = 'sma-crossover-btc.journal';

/** A process of the program, and what it has written. */
interface Running {
  readonly child: ChildProcess;
  readonly written: { stdout: string; stderr: string };
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
}

let children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  killExchanges();
});

function evenkeel(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(process.execPath, [main, ...args], { cwd, env: { ...process.env, ...env } });
  children.push(child);
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (written.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (written.stderr += text.toString()));
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return { child, written, ended };
}

/** A folder with a bot for a local exchange that runs, and the environment with its key. */
async function liveBot(): Promise<{ readonly folder: string; readonly env: NodeJS.ProcessEnv }> {
  const spot = '  - { product: spot, symbol: BTCUSDT, intervals: [1h] }';
  const yaml = botYaml(spot, spot.replace('1h', '1min')).replace(
    'fast: 10, slow: 30',
    'fast: 2, slow: 3',
  );
  const exchange = await startExchangeProcess(['--synthetic', '7'], '/');
  const venue = `venue: { spotUrl: "${exchange.url}", keyEnv: TEST_KEY, secretEnv: TEST_SECRET }\n`;
  const folder = await botFolder({ yaml: `${yaml}${venue}`, candles: 'none' });
  const cache = path.join(folder, 'cache');
  return {
    folder,
    env: { TEST_KEY: exchange.key, TEST_SECRET: exchange.secret, XDG_CACHE_HOME: cache },
  };
}

/** Starts the bot and waits until it runs. */
function startLive(folder: string, env: NodeJS.ProcessEnv): Promise<Running> {
  return start(['live', 'bot.yaml', '--yes'], folder, env);
}

async function start(
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Running> {
  const running = evenkeel(args, folder, env);
  await Promise.race([
    expect
      .poll(() => running.written.stdout, { timeout: 40_000, interval: 50 })
      .toContain('"to":"running"'),
    running.ended.then((end) => {
      throw new Error(`the bot ended with ${String(end)}: ${running.written.stderr}`);
    }),
  ]);
  return running;
}

describe('evenkeel live', () => {
  it('ends in order when asked to, with its state at the socket until then', async () => {
    const { folder, env } = await liveBot();
    const live = await startLive(folder, env);

    const status = evenkeel(['status', 'bot.yaml', '--json', '-'], folder);
    expect(await status.ended).toBe(0);
    expect(JSON.parse(status.written.stdout)).toMatchObject({ mode: 'live', state: 'running' });
    live.child.kill('SIGTERM');

    expect(await live.ended).toBe(0);
    expect(live.written.stderr).toBe(
      'sma-crossover-btc is stopping (keep)\nsma-crossover-btc has stopped\n',
    );
    expect(existsSync(path.join(folder, `${JOURNAL}.sock`))).toBe(false);
  });

  it('says that it was interrupted, and tells nobody its secret', async () => {
    const { folder, env } = await liveBot();
    const live = await startLive(folder, env);

    live.child.kill('SIGINT');

    expect(await live.ended).toBe(130);
    const all = `${live.written.stdout}${live.written.stderr}`;
    expect(all).toContain('"to":"stopped"');
    expect(all).not.toContain(env['TEST_SECRET']);
    expect(all).not.toContain(env['TEST_KEY']);
    expect((await readFile(path.join(folder, JOURNAL))).includes(String(env['TEST_KEY']))).toBe(
      false,
    );
  });

  it('leaves a socket behind when it is killed, at which the next start is reached', async () => {
    const { folder, env } = await liveBot();
    const killed = await startLive(folder, env);
    killed.child.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    expect(existsSync(path.join(folder, `${JOURNAL}.sock`))).toBe(true);

    const gone = evenkeel(['halt', 'sma-crossover-btc'], folder);
    const code = await gone.ended;
    evenkeel(['live', 'bot.yaml', '--yes'], folder, env);
    const reach = (): Promise<unknown> => evenkeel(['status', JOURNAL], folder).ended;

    expect([code, gone.written.stderr]).toEqual([1, expect.stringContaining('E_BOT_NOT_RUNNING')]);
    await expect.poll(reach, { timeout: 40_000, interval: 200 }).toBe(0);
  });

  it('goes on with other parameters after a stop, and with another plugin after a kill', async () => {
    const { folder, env } = await liveBot();
    const alter = async (file: string, from: string, to: string): Promise<void> => {
      const text = await readFile(path.join(folder, file), 'utf8');
      await writeFile(path.join(folder, file), text.replace(from, to));
    };
    const first = await startLive(folder, env);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);

    await alter('bot.yaml', 'slow: 3', 'slow: 4');
    const second = await startLive(folder, env);
    second.child.kill('SIGKILL');
    await second.ended;
    await alter('sma.strategy.ts', "equity: '0.95'", "equity: '0.5'");
    const third = await startLive(folder, env);
    third.child.kill('SIGTERM');

    expect(await third.ended).toBe(0);
    const reader = await readJournal(path.join(folder, JOURNAL));
    const closed = reader.epochs().map((epoch) => epoch.closed);
    reader.close();
    expect(closed).toEqual(['stopped', 'followed by one with another plugin', 'stopped']);
    const replay = evenkeel(['replay', JOURNAL], folder);
    expect([await replay.ended, replay.written.stdout]).toEqual([
      0,
      expect.stringContaining('epoch 3: identical'),
    ]);
  });
});

describe('evenkeel paper', () => {
  it('runs without a key, and after a kill; its journal replays', async () => {
    const { folder, env } = await liveBot();
    const keyless = { XDG_CACHE_HOME: env['XDG_CACHE_HOME'] };
    const killed = await start(['paper', 'bot.yaml'], folder, keyless);
    const status = evenkeel(['status', 'bot.yaml', '--json', '-'], folder);
    expect(await status.ended).toBe(0);
    expect(JSON.parse(status.written.stdout)).toMatchObject({
      mode: 'paper',
      state: 'running',
      equity: { amount: '10000' },
    });
    expect(await evenkeel(['pause', 'bot.yaml'], folder).ended).toBe(0);
    killed.child.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');

    const paper = evenkeel(['paper', 'bot.yaml'], folder, keyless);
    // What the owner has said holds.
    await expect
      .poll(() => paper.written.stdout, { timeout: 40_000, interval: 50 })
      .toContain('"to":"paused"');
    paper.child.kill('SIGTERM');

    expect(await paper.ended).toBe(0);
    const replay = evenkeel(['replay', JOURNAL.replace('.journal', '.paper.journal')], folder);
    expect([await replay.ended, replay.written.stdout]).toEqual([
      0,
      expect.stringContaining('identical'),
    ]);
    expect(existsSync(path.join(folder, JOURNAL))).toBe(false);
  });
});
