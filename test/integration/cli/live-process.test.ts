import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { askBot } from '../../../src/cli/live/control-client.js';
import type { ControlCommand } from '../../../src/cli/live/control-protocol.js';
import { readJournal } from '../../../src/journal/index.js';
import type { BotStatus } from '../../../src/live/index.js';
import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';
import { botYaml } from '../../support/cli/bot-yaml.js';
import {
  killExchanges,
  startExchangeProcess,
  type ExchangeProcess,
} from '../../support/local-exchange/exchange-process.js';

/** The compiled program: `npm test` compiles before it tests. */
const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const JOURNAL = 'sma-crossover-btc.journal';

/** Has an order at work a moment after it may: a bid far below the market. */
const BIDDER = `import { enterLong, Strategy } from 'evenkeel';
import { interval, map, switchMap } from 'rxjs';
export class Bidder extends Strategy({}) {
  override intents(market) {
    const bid = ({ last }) => enterLong({ notional: '100' }, { limitPrice: (0.95 * last).toFixed(2) });
    return market.ticker$().pipe(switchMap((ticker) => interval(500).pipe(map(() => bid(ticker)))));
  }
}
`;
/** Fails at the first price that it sees. */
const FAILING = `import { Strategy } from 'evenkeel';
import { map } from 'rxjs';
export class Failing extends Strategy({}) {
  override intents(market) {
    return market.ticker$().pipe(map(() => { throw new Error('no idea') }));
  }
}
`;

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
async function liveBot(plugin: string = SMA_SOURCE): Promise<{
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly exchange: ExchangeProcess;
}> {
  const spot = '  - { product: spot, symbol: BTCUSDT, intervals: [1h] }';
  const yaml = botYaml(spot, spot.replace('1h', '1min')).replace(
    'fast: 10, slow: 30',
    'fast: 2, slow: 3',
  );
  const exchange = await startExchangeProcess(['--synthetic', '7'], '/');
  const venue = `venue: { spotUrl: "${exchange.url}", keyEnv: TEST_KEY, secretEnv: TEST_SECRET }\n`;
  const folder = await botFolder({ yaml: `${yaml}${venue}`, plugin, candles: 'none' });
  const cache = path.join(folder, 'cache');
  return {
    folder,
    exchange,
    env: { TEST_KEY: exchange.key, TEST_SECRET: exchange.secret, XDG_CACHE_HOME: cache },
  };
}

/** Starts the bot and waits until it runs. */
function startLive(folder: string, env: NodeJS.ProcessEnv): Promise<Running> {
  return start(['live', 'bot.yaml', '--yes', '--accept-findings'], folder, env);
}

/** Writes another file into the folder: the bot's, altered. */
async function alterBot(
  folder: string,
  changes: Readonly<Record<string, string>>,
  file = 'bot.yaml',
): Promise<void> {
  let text = await readFile(path.join(folder, 'bot.yaml'), 'utf8');
  for (const [from, to] of Object.entries(changes)) text = botYaml(from, to, text);
  await writeFile(path.join(folder, file), text);
}

/** What the bot says at its socket; undefined where nobody answers. */
/** Why a bot is there without its strategy. */
const FAILED = expect.stringMatching(
  /^the strategy has failed and is left out.*: [\w.-]+:\d+:\d+: Failing: no idea .*\(E_STRATEGY_FAILED\)$/,
) as unknown;

async function statusOf(
  folder: string,
  { journal = JOURNAL, command = 'status' }: { journal?: string; command?: ControlCommand } = {},
): Promise<BotStatus | undefined> {
  const place = { path: path.join(folder, `${journal}.sock`) };
  const response = await askBot({ command }, place).catch(() => undefined);
  return response?.ok === true ? response.status : undefined;
}

/** Has the exchange carry out what it is asked for, and hold every answer back: nobody learns what became of anything. */
async function holdAnswers({ url, controlToken }: ExchangeProcess): Promise<() => Promise<void>> {
  const call = async (method: 'POST' | 'DELETE', body?: object): Promise<void> => {
    const response = await fetch(`${url}/control/faults`, {
      method,
      headers: { authorization: `Bearer ${controlToken}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
  };
  await call('POST', { fault: 'latency', delayMs: 86_400_000 });
  return () => call('DELETE');
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
    const first = await startLive(folder, env);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);

    await alterBot(folder, { 'slow: 3': 'slow: 4' });
    const second = await startLive(folder, env);
    second.child.kill('SIGKILL');
    await second.ended;
    const plugin = SMA_SOURCE.replace("equity: '0.95'", "equity: '0.5'");
    await writeFile(path.join(folder, 'sma.strategy.ts'), plugin);
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

  it('lets a bot run on when others of its process cannot start, or lose their strategy', async () => {
    const { folder, env } = await liveBot();
    await writeFile(path.join(folder, 'failing.strategy.ts'), FAILING);
    const name = 'name: sma-crossover-btc';
    const others = { 'pricePrecision: 2': 'pricePrecision: 3', [name]: 'name: refused' };
    await alterBot(folder, others, 'refused.yaml');
    const parameters = '  parameters: { fast: 2, slow: 3 }\n';
    const failing = { 'sma.strategy.ts': 'failing.strategy.ts', [parameters]: '' };
    await alterBot(folder, { ...failing, [name]: 'name: failing' }, 'failing.yaml');
    const files = ['refused.yaml', 'failing.yaml', 'bot.yaml'];
    const live = await start(['live', ...files, '--yes', '--accept-findings'], folder, env);
    const said = (): string => live.written.stderr;

    const failed = { journal: 'failing.journal' };
    const isFailed = { name: 'failing', state: 'strategy-failed', reasons: [FAILED] };
    const isSo = { timeout: 40_000, interval: 50 };
    await expect.poll(() => statusOf(folder, failed), isSo).toMatchObject(isFailed);
    const { since = 0 } = (await statusOf(folder, failed)) ?? {};
    await statusOf(folder, { ...failed, command: 'restart-strategy' });
    // It begins anew, and fails anew.
    const again = async (): Promise<boolean> => {
      const status = await statusOf(folder, failed);
      return status?.state === 'strategy-failed' && status.since > since;
    };
    await expect.poll(again, isSo).toBe(true);
    await expect
      .poll(() => statusOf(folder), { timeout: 40_000, interval: 50 })
      .toMatchObject({ name: 'sma-crossover-btc', state: 'running' });
    live.child.kill('SIGTERM');

    expect(await live.ended).toBe(1);
    const lines = said().trimEnd().split('\n');
    expect(lines[0]).toMatch(
      /^refused has failed: .* tested with pricePrecision 3, has 2;.*\(E_CONFIG_RULES\)$/,
    );
    expect(lines.slice(1).sort()).toEqual([
      'failing has stopped',
      'failing is stopping (keep)',
      'sma-crossover-btc has stopped',
      'sma-crossover-btc is stopping (keep)',
    ]);
  });

  it('ends at once when it is interrupted again while it stops; nothing is lost', async () => {
    const { folder, env, exchange } = await liveBot(BIDDER);
    const parameters = '  parameters: { fast: 2, slow: 3 }\n';
    await alterBot(folder, { [parameters]: '', 'venue: {': 'live: { onStop: cancel }\nvenue: {' });
    for (const first of ['SIGINT', 'SIGTERM'] as const) {
      const live = await startLive(folder, env);
      await expect
        .poll(() => statusOf(folder), { timeout: 40_000, interval: 50 })
        .toMatchObject({ state: 'running', orders: [{ status: 'open' }] });

      const release = await holdAnswers(exchange);
      live.child.kill(first);
      await expect
        .poll(() => live.written.stdout, { timeout: 40_000, interval: 50 })
        .toContain('"kind":"cancel"');
      live.child.kill('SIGINT');

      expect(await live.ended).toBe(130);
      expect(live.written.stderr).toBe('sma-crossover-btc is stopping (cancel)\n');
      await release();
    }
    const last = await startLive(folder, env);
    last.child.kill('SIGTERM');

    expect(await last.ended).toBe(0);
    const replay = evenkeel(['replay', JOURNAL], folder);
    expect([await replay.ended, replay.written.stdout]).toEqual([
      0,
      expect.stringContaining('identical'),
    ]);
  });
});

describe('evenkeel paper', () => {
  it('runs without a key, and after a kill; its journal replays', async () => {
    const { folder, env } = await liveBot();
    const keyless = { XDG_CACHE_HOME: env['XDG_CACHE_HOME'] };
    const killed = await start(['paper', 'bot.yaml', '--accept-findings'], folder, keyless);
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
    // What the operator has said holds.
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
