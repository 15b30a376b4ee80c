import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import { readJournal } from '../../src/journal/index.js';
import type { BotStatus } from '../../src/live/index.js';
import { GUARD_PROCESS } from '../../src/cli/live/guard/spawn-guard.js';
import { HOLDER_SOURCE } from '../support/cli/holder-plugin.js';
import {
  alterBot,
  evenkeel,
  guardOf,
  JOURNAL,
  killLiveProcesses,
  liveBot,
  plantFault,
  start,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';
import type { ExchangeProcess } from '../support/local-exchange/exchange-process.js';

/** Maximum time from the end of a bot to the takeover by its guard process. */
const WITHIN_MS = 5_000;

afterEach(killLiveProcesses);

/** A bot that holds a position with a stop, and its guard process, which is ready. */
async function aHolder() {
  const { folder, env, exchange } = await liveBot({ plugin: HOLDER_SOURCE });
  const live = await startLive(folder, env);
  const guard = await guardOf(live);
  await expect
    .poll(() => statusOf(folder), { timeout: 60_000, interval: 50 })
    .toMatchObject({ guards: [{}], guardedBy: { process: 'bot', standby: 'ready' } });
  return { folder, env, exchange, live, guard };
}

/** Waits until the guard process answers in place of the bot and has taken over. */
async function untilGuarded(folder: string): Promise<BotStatus> {
  await expect
    .poll(() => statusOf(folder), { timeout: WITHIN_MS, interval: 50 })
    .toMatchObject({ state: 'degraded', guardedBy: { process: 'guard' } });
  return present(await statusOf(folder), 'status');
}

/** Counts of the calls that the exchange has answered, and of those that it refused because of its limits. */
async function countersOf({ url, controlToken }: ExchangeProcess) {
  const headers = { authorization: `Bearer ${controlToken}` };
  const state = (await (await fetch(`${url}/control/state`, { headers })).json()) as {
    readonly counters: { readonly requests: number; readonly limited: number };
  };
  return state.counters;
}

async function epochsOf(folder: string) {
  const reader = await readJournal(path.join(folder, JOURNAL));
  const epochs = reader.epochs();
  reader.close();
  return epochs;
}

// Only Linux lists the children of a process.
describe.runIf(process.platform === 'linux')('the guard process', () => {
  it('guards the position of a killed bot, then hands it and the kept state of the strategy back', async () => {
    const { folder, env, exchange, live } = await aHolder();
    const before = present(await statusOf(folder), 'status');
    live.child.kill('SIGKILL');

    const guarded = await untilGuarded(folder);
    const { requests: asked } = await countersOf(exchange);
    const samples = async (): Promise<number> => (await countersOf(exchange)).requests - asked;
    await expect.poll(samples, { timeout: 10_000, interval: 200 }).toBeGreaterThan(3);
    const again = await startLive(folder, env);
    const after = present(await statusOf(folder), 'status');
    again.child.kill('SIGTERM');
    await again.ended;
    const replays: unknown[] = [];
    for (const epoch of await epochsOf(folder)) {
      const replay = evenkeel(
        ['replay', JOURNAL, '--config', 'bot.yaml', '--epoch', String(epoch.id)],
        folder,
        env,
      );
      replays.push(await replay.ended);
    }

    expect(guarded).toMatchObject({ state: 'degraded', guards: before.guards });
    expect(after).toMatchObject({ state: 'running', guards: before.guards });
    expect(after.positions).toEqual(before.positions);
    expect(replays).toEqual([0, 0, 0]);
    const kept = (await epochsOf(folder)).map(({ ending }) => ending?.state?.json);
    expect(kept[1]).toBe(kept[0]);
    expect(kept[0]).toMatch(/"seen":[1-9]/);
  });

  it('outlives its bot, however often all processes are told to end', async () => {
    const { folder, live, guard } = await aHolder();
    for (let signal = 0; signal < 3; signal += 1) {
      process.kill(guard, 'SIGTERM');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    live.child.kill('SIGKILL');

    await untilGuarded(folder);
  });

  it('kills a bot that was suspended by SIGSTOP, and guards in its place', async () => {
    const { folder, live } = await aHolder();
    live.child.kill('SIGSTOP');

    // A call to a stopped process gets no answer, so the guard process ends it.
    expect(await live.exited).toBe('SIGKILL');
    await untilGuarded(folder);
  });

  it('closes all positions on flatten, and ends when nothing is held', async () => {
    const { folder, live, guard } = await aHolder();
    live.child.kill('SIGKILL');
    await untilGuarded(folder);

    const code = await evenkeel(['flatten', 'bot.yaml'], folder).ended;

    expect(code).toBe(0);
    await expect.poll(() => isThere(guard), { timeout: 60_000, interval: 100 }).toBe(false);
    const [, last] = await epochsOf(folder);
    expect(last).toMatchObject({ closed: 'stopped', ending: { sides: [] } });
  });

  it('finishes a flatten that its bot did not finish, for a position without a stop', async () => {
    const plugin = HOLDER_SOURCE.replace('{ protection, label', '{ label');
    const { folder, env, exchange } = await liveBot({ plugin });
    const live = await startLive(folder, env);
    const guard = await guardOf(live);
    await expect
      .poll(() => statusOf(folder), { timeout: 60_000, interval: 50 })
      .toMatchObject({ positions: [{}], guards: [], guardedBy: { standby: 'ready' } });
    const fault = { fault: 'untradable', instrument: 'spot:BTCUSDT' };
    const allow = await plantFault(exchange, fault);

    expect(await evenkeel(['flatten', 'bot.yaml'], folder).ended).toBe(0);
    await expect
      .poll(() => statusOf(folder), { timeout: 60_000, interval: 50 })
      .toMatchObject({ isFlattening: true, orders: [], positions: [{}] });
    live.child.kill('SIGKILL');
    await expect
      .poll(() => statusOf(folder), { timeout: 60_000, interval: 50 })
      .toMatchObject({ isFlattening: true, guardedBy: { process: 'guard' } });
    await allow();

    await expect.poll(() => isThere(guard), { timeout: 60_000, interval: 100 }).toBe(false);
    const [, last] = await epochsOf(folder);
    expect(last?.closed).toBe('stopped');
    expect(last?.ending?.positions.filter(({ isHeld }) => isHeld)).toEqual([]);
  });

  it('guards every bot of a killed process within their shared limits', async () => {
    const { folder, env, exchange } = await liveBot({
      plugin: HOLDER_SOURCE,
      more: 'live: { externalOrders: ignore }\n',
    });
    await alterBot(folder, { 'name: sma-crossover-btc': 'name: other' }, 'other.yaml');
    const live = await start(
      ['live', 'bot.yaml', 'other.yaml', '--yes', '--accept-findings'],
      folder,
      env,
    );
    const journals = [JOURNAL, 'other.journal'];
    for (const journal of journals)
      await expect
        .poll(() => statusOf(folder, { journal }), { timeout: 60_000, interval: 50 })
        .toMatchObject({ state: 'running', guards: [{}], guardedBy: { standby: 'ready' } });
    live.child.kill('SIGKILL');

    const guarded = journals.map((journal) =>
      expect
        .poll(() => statusOf(folder, { journal }), { timeout: 10_000, interval: 50 })
        .toMatchObject({ guards: [{}], guardedBy: { process: 'guard' }, sampled: [{}] }),
    );
    await Promise.all(guarded);

    const { requests, limited } = await countersOf(exchange);
    expect(requests).toBeGreaterThan(0);
    expect(limited).toBe(0);
  });

  it('ends when its bot is stopped in order, without a takeover', async () => {
    const { folder, live, guard } = await aHolder();
    live.child.kill('SIGTERM');

    expect(await live.ended).toBe(0);
    await expect.poll(() => isThere(guard), { timeout: 5_000, interval: 100 }).toBe(false);
    expect(await epochsOf(folder)).toHaveLength(1);
  });

  it('takes nothing over if the bot is stopped in order before the guard process is loaded', async () => {
    const { folder, env, live } = await aHolder();
    live.child.kill('SIGTERM');
    expect(await live.ended).toBe(0);
    // Messages to the guard process wait in its channel until it is loaded, here for twelve seconds.
    const slow = path.join(folder, 'slow.mjs');
    const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12000)';
    await writeFile(slow, `if (process.argv.includes('${GUARD_PROCESS}')) ${wait};\n`);

    const again = await startLive(folder, { ...env, NODE_OPTIONS: `--import ${slow}` });
    again.child.kill('SIGTERM');

    expect(await again.ended).toBe(0);
    expect(again.written.stderr).not.toContain('guard of');
    expect(await epochsOf(folder)).toHaveLength(2);
  });

  it('is restarted after it ends', async () => {
    const { folder, guard } = await aHolder();
    process.kill(guard, 'SIGKILL');

    const standby = async (): Promise<unknown> => (await statusOf(folder))?.guardedBy.standby;
    await expect.poll(standby, { timeout: 5_000, interval: 20 }).toBe('gone');
    await expect.poll(standby, { timeout: 10_000, interval: 50 }).toBe('ready');
  });
});

function isThere(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}
