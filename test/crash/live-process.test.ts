import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readJournal } from '../../src/journal/index.js';
import { SMA_SOURCE } from '../support/cli/bot-folder.js';
import {
  alterBot,
  evenkeel,
  holdAnswers,
  JOURNAL,
  killLiveProcesses,
  liveBot,
  start,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';

/** Soon has a working order: a bid far below the market. */
const BIDDER = `import { enterLong, Strategy } from 'evenkeel';
import { interval, map, switchMap } from 'rxjs';
export class Bidder extends Strategy({}) {
  override intents(market) {
    const bid = ({ last }) => enterLong({ notional: '100' }, { limitPrice: (0.95 * last).toFixed(2) });
    return market.ticker$().pipe(switchMap((ticker) => interval(500).pipe(map(() => bid(ticker)))));
  }
}
`;
/** Fails at its first price. */
const FAILING = `import { Strategy } from 'evenkeel';
import { map } from 'rxjs';
export class Failing extends Strategy({}) {
  override intents(market) {
    return market.ticker$().pipe(map(() => { throw new Error('no idea') }));
  }
}
`;

afterEach(killLiveProcesses);

/** The reason of a bot that runs without its strategy. */
const FAILED = expect.stringMatching(
  /^the strategy has failed and is left out.*: [\w.-]+:\d+:\d+: Failing: no idea .*\(E_STRATEGY_FAILED\)$/,
) as unknown;

describe('evenkeel live', () => {
  it('answers status at its socket while it runs, and stops in order on SIGTERM', async () => {
    const { folder, env } = await liveBot();
    const live = await startLive(folder, env);

    const status = evenkeel(['status', 'bot.yaml', '--json', '-'], folder);
    expect(await status.ended).toBe(0);
    expect(JSON.parse(status.written.stdout)).toMatchObject({ mode: 'live', state: 'running' });
    live.child.kill('SIGTERM');

    expect(await live.ended).toBe(0);
    expect(live.written.stderr).toMatch(
      /^sma-crossover-btc is stopping \(keep\)\nsma-crossover-btc has stopped(, and leaves .*)?\n$/,
    );
    expect(existsSync(path.join(folder, `${JOURNAL}.sock`))).toBe(false);
  });

  it('ends with 130 on SIGINT, and keeps key and secret out of its output and journal', async () => {
    const plugin = SMA_SOURCE.replace(
      'export class',
      "console.log('heard', (globalThis as any)['pro' + 'cess'].env.TEST_SECRET);\nexport class",
    );
    const { folder, env } = await liveBot({ plugin, parameters: '{ fast: 2, slow: 3 }' });
    const live = await startLive(folder, env);

    live.child.kill('SIGINT');

    expect(await live.ended).toBe(130);
    const all = `${live.written.stdout}${live.written.stderr}`;
    expect(all).toContain('"to":"stopped"');
    expect(all).toContain('heard [secret]');
    expect(all).not.toContain(env['TEST_SECRET']);
    expect(all).not.toContain(env['TEST_KEY']);
    expect((await readFile(path.join(folder, JOURNAL))).includes(String(env['TEST_KEY']))).toBe(
      false,
    );
    const cached = path.join(folder, 'cache', 'evenkeel');
    const written = [cached, ...(await readdir(cached)).map((name) => path.join(cached, name))];
    for (const place of [path.join(folder, JOURNAL), ...written])
      expect((await stat(place)).mode & 0o077).toBe(0);
  });

  it('leaves its socket behind when it is killed, and the next start is reachable there', async () => {
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
    await expect.poll(reach, { timeout: 90_000, interval: 200 }).toBe(0);
  });

  it('continues with other parameters after a stop, and with another plugin after a kill', async () => {
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
    const replay = evenkeel(['replay', JOURNAL, '--config', 'bot.yaml'], folder);
    expect([await replay.ended, replay.written.stdout]).toEqual([
      0,
      expect.stringContaining('epoch 3: identical'),
    ]);
  });

  it('keeps a bot running when other bots of its process cannot start or their strategy fails', async () => {
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
    const isSo = { timeout: 90_000, interval: 50 };
    await expect.poll(() => statusOf(folder, failed), isSo).toMatchObject(isFailed);
    const { since = 0 } = (await statusOf(folder, failed)) ?? {};
    await statusOf(folder, { ...failed, command: 'restart-strategy' });
    // The strategy starts again, and fails again.
    const again = async (): Promise<boolean> => {
      const status = await statusOf(folder, failed);
      return status?.state === 'strategy-failed' && status.since > since;
    };
    await expect.poll(again, isSo).toBe(true);
    await expect
      .poll(() => statusOf(folder), { timeout: 90_000, interval: 50 })
      .toMatchObject({ name: 'sma-crossover-btc', state: 'running' });
    live.child.kill('SIGTERM');

    expect(await live.ended).toBe(2);
    const lines = said()
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/, and leaves .*$/, ''));
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

  it('ends at once on a second signal during a stop, and its journal replays', async () => {
    const { folder, env, exchange } = await liveBot({
      plugin: BIDDER,
      more: 'live: { onStop: cancel }\n',
    });
    for (const first of ['SIGINT', 'SIGTERM'] as const) {
      const live = await startLive(folder, env);
      await expect
        .poll(() => statusOf(folder), { timeout: 90_000, interval: 50 })
        .toMatchObject({ state: 'running', orders: [{ status: 'open' }] });

      const release = await holdAnswers(exchange);
      live.child.kill(first);
      await expect
        .poll(() => live.written.stdout, { timeout: 90_000, interval: 50 })
        .toContain('"kind":"cancel"');
      live.child.kill('SIGINT');

      expect(await live.exited).toBe(130);
      expect(live.written.stderr).toMatch(/^sma-crossover-btc is stopping \(cancel\)\n/);
      await release();
      // The guard process then watches the working orders, until the next start.
      await expect
        .poll(() => statusOf(folder), { timeout: 60_000, interval: 50 })
        .toMatchObject({ guardedBy: { process: 'guard' } });
    }
    const last = await startLive(folder, env);
    last.child.kill('SIGTERM');

    expect(await last.ended).toBe(0);
    const replay = evenkeel(['replay', JOURNAL, '--config', 'bot.yaml'], folder);
    expect([await replay.ended, replay.written.stdout]).toEqual([
      0,
      expect.stringContaining('identical'),
    ]);
  });
});

describe('evenkeel paper', () => {
  it('runs without a key, restarts after a kill, and writes a journal that replays', async () => {
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
    // The pause of the operator survives the kill.
    await expect
      .poll(() => paper.written.stdout, { timeout: 90_000, interval: 50 })
      .toContain('"to":"paused"');
    paper.child.kill('SIGTERM');

    expect(await paper.ended).toBe(0);
    const replay = evenkeel(
      ['replay', JOURNAL.replace('.journal', '.paper.journal'), '--config', 'bot.yaml'],
      folder,
    );
    expect([await replay.ended, replay.written.stdout]).toEqual([
      0,
      expect.stringContaining('identical'),
    ]);
    expect(existsSync(path.join(folder, JOURNAL))).toBe(false);
  });
});
