import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import { HOLDER_SOURCE } from '../support/cli/holder-plugin.js';
import { killLiveProcesses, liveBot, startLive, statusOf } from '../support/cli/live-processes.js';
import { MeddlingProxy, type Meddling } from '../support/local-exchange/meddling-proxy.js';

const BAN_S = 15;

let proxy: MeddlingProxy | undefined;
afterEach(async () => {
  await killLiveProcesses();
  await proxy?.stop();
});

// Only on Linux can the test find the guard process, which it must end.
describe.runIf(process.platform === 'linux')(
  'a guard process whose venue is in trouble',
  { timeout: 300_000 },
  () => {
    it('waits until a ban of its bot has ended, then samples', async () => {
      const { folder, env } = await liveBot({
        plugin: HOLDER_SOURCE,
        through: async (url) => (proxy = await MeddlingProxy.start(url)).url,
      });
      const between = present(proxy, 'proxy');
      const live = await startLive(folder, env);
      await expect
        .poll(() => statusOf(folder), { timeout: 30_000, interval: 50 })
        .toMatchObject({ guards: [{}], guardedBy: { standby: 'ready' } });
      const banned = Date.now();
      const isBanned = (): boolean => Date.now() - banned < BAN_S * 1_000;
      const ban: Meddling = { status: 418, body: '', headers: { 'retry-after': String(BAN_S) } };
      between.meddle = () => (isBanned() ? ban : undefined);
      await expect
        .poll(() => between.calls.filter(({ at }) => at >= banned).length)
        .toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const before = between.calls.length;
      live.child.kill('SIGKILL');

      await expect
        .poll(() => statusOf(folder), { timeout: 10_000, interval: 50 })
        .toMatchObject({
          guardedBy: { process: 'guard' },
          reasons: [expect.stringMatching(/nothing is sent until 20/)],
        });
      const duringBan = (): number =>
        between.calls.filter(({ at }) => at < banned + BAN_S * 1_000).length;
      const sampled = (): boolean =>
        between.calls.slice(before).some(({ path }) => path.includes('/ticker'));
      await expect.poll(sampled, { timeout: 30_000, interval: 50 }).toBe(true);
      const first = between.calls.slice(before).find(({ path }) => path.includes('/ticker'));

      expect(duringBan()).toBe(before);
      expect(present(first, 'sample').at - banned).toBeLessThan(BAN_S * 1_000 + 5_000);
    });
  },
);
