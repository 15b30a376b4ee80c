import { afterEach, describe, expect, it } from 'vitest';
import { HOLDER_SOURCE } from '../support/cli/holder-plugin.js';
import {
  evenkeel,
  guardOf,
  killLiveProcesses,
  liveBot,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';

const PATIENT = { timeout: 120_000, interval: 50 };
/** The position and its stop, as text for people. */
const LEFT = /long 0\.\d+ of spot:BTCUSDT \(stop \d+(\.\d+)?\)/;
const SINCE = String.raw`since 20\d\d-\d\d-\d\dT[\d:.]+Z`;

afterEach(killLiveProcesses);

// Only Linux lists the children of a process.
describe.runIf(process.platform === 'linux')('status of a bot that holds a position', () => {
  it(
    'shows the position, which process guards it since when, and how often it is sampled, also after kills',
    { timeout: 240_000 },
    async () => {
      const { folder, env } = await liveBot({ plugin: HOLDER_SOURCE });
      /** The output of `status`, on either stream. */
      const told = async (): Promise<string> => {
        const { ended, written } = evenkeel(['status', 'bot.yaml'], folder, env);
        await ended;
        return `${written.stdout}${written.stderr}`;
      };
      const live = await startLive(folder, env);
      await expect
        .poll(() => statusOf(folder), PATIENT)
        .toMatchObject({
          state: 'running',
          guards: [{}],
          // The first sample may come up to a second after the entry.
          sampled: [{ at: expect.any(Number) as number }],
          guardedBy: { standby: 'ready' },
        });
      const guard = await guardOf(live);

      const alive = await told();
      expect(alive).toMatch(/positions\s+spot:BTCUSDT long 0\.\d+/);
      expect(alive).toMatch(
        new RegExp(`guarded\\s+by the bot ${SINCE}; its guard process is ready`),
      );
      expect(alive).toMatch(/sampled\s+spot:BTCUSDT last price every 1\.0 s.*ago/);

      // A command of the operator is written to disk at once, together with all events before it. Without it, fills may be lost in a crash and polled again.
      expect(await evenkeel(['resume', 'bot.yaml'], folder, env).ended).toBe(0);
      live.child.kill('SIGKILL');
      await live.exited;
      await expect
        .poll(() => statusOf(folder), PATIENT)
        .toMatchObject({ state: 'degraded', guardedBy: { process: 'guard' }, sampled: [{}] });
      expect(await told()).toMatch(
        new RegExp(`guarded\\s+by the guard process ${SINCE}, until the bot is started again`),
      );

      process.kill(guard, 'SIGKILL');
      await expect.poll(() => statusOf(folder), PATIENT).toBeUndefined();
      const dead = await told();
      expect(dead).toMatch(LEFT);
      expect(dead).toMatch(/no process watches this now.*E_BOT_NOT_RUNNING/);

      const again = await startLive(folder, env);
      again.child.kill('SIGTERM');
      expect(await again.ended).toBe(0);
      expect(again.written.stderr).toMatch(
        new RegExp(`has stopped, and leaves ${LEFT.source}: evenkeel does not watch this`),
      );
      expect(await told()).toMatch(LEFT);
    },
  );
});
