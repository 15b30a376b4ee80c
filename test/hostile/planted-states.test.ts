import { rename } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import type { BotStatus } from '../../src/live/index.js';
import { HOLDER_SOURCE } from '../support/cli/holder-plugin.js';
import {
  JOURNAL,
  killLiveProcesses,
  liveBot,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';
import { MeddlingProxy } from '../support/local-exchange/meddling-proxy.js';

/** Within this an owner who asks is told what is wrong, and why. */
const WITHIN = { timeout: 10_000, interval: 100 };

let proxy: MeddlingProxy | undefined;
afterEach(async () => {
  await killLiveProcesses();
  await proxy?.stop();
});

/** A bot that holds something with a stop, behind a proxy. */
async function aHolder() {
  const { folder, env } = await liveBot({
    plugin: HOLDER_SOURCE,
    through: async (url) => (proxy = await MeddlingProxy.start(url)).url,
  });
  await startLive(folder, env);
  await expect
    .poll(() => statusOf(folder), { timeout: 60_000, interval: 20 })
    .toMatchObject({ state: 'running', guards: [{}], guardedBy: { standby: 'ready' } });
  return { folder, between: present(proxy, 'proxy') };
}

/** Waits until it is no more `running`, and says why. */
async function untilTold(folder: string, reason: RegExp): Promise<BotStatus> {
  await expect
    .poll(async () => (await statusOf(folder))?.reasons.join('\n') ?? '', WITHIN)
    .toMatch(reason);
  const status = present(await statusOf(folder), 'status');
  expect(status.state).not.toBe('running');
  return status;
}

describe('what is wrong shows within ten seconds, with its reason', { timeout: 180_000 }, () => {
  it('a price that nobody answers any more', async () => {
    const { folder, between } = await aHolder();
    between.meddle = (target) => (target.startsWith('/sapi/v1/ticker') ? 'hang' : undefined);

    await untilTold(folder, /stops|ticker/);
  });

  it('a stream of prices that answers what cannot be read', async () => {
    const { folder, between } = await aHolder();
    between.meddle = (target) =>
      target.startsWith('/sapi/v1/ticker') ? { status: 502, body: '<html>' } : undefined;

    await untilTold(folder, /stops|ticker/);
  });

  it.each(['gone', 'another file'])('a journal that is %s', async (what) => {
    const { folder } = await aHolder();
    const file = path.join(folder, JOURNAL);
    await rename(file, `${file}.moved`);
    if (what === 'another file') await rename(`${file}.keys`, file).catch(() => undefined);

    await untilTold(folder, /the journal is (gone|another file)/);
  });
});
