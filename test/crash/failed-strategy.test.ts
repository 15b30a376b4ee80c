import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import type { BotStatus } from '../../src/live/index.js';
import { HOLDER_SOURCE } from '../support/cli/holder-plugin.js';
import {
  evenkeel,
  JOURNAL,
  killLiveProcesses,
  liveBot,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';

const LIVE = ['live', 'bot.yaml', '--yes', '--accept-findings'];
const PATIENT = { timeout: 120_000, interval: 50 };

afterEach(killLiveProcesses);

// Only Linux lists the children of a process.
describe.runIf(process.platform === 'linux')(
  'a strategy that fails while its bot holds a position',
  () => {
    it(
      'is left out by the bot, its guard process and the next start, which all keep sampling its stop',
      { timeout: 240_000 },
      async () => {
        const { folder, env } = await liveBot({ plugin: HOLDER_SOURCE });
        const live = await startLive(folder, env);
        const status = async (): Promise<BotStatus> => present(await statusOf(folder), 'status');
        await expect
          .poll(() => statusOf(folder), PATIENT)
          .toMatchObject({ state: 'running', guards: [{}], guardedBy: { standby: 'ready' } });
        const { guards } = await status();
        const isSampled = async (since: number): Promise<boolean> =>
          ((await statusOf(folder))?.sampled[0]?.at ?? 0) > since;

        expect(await evenkeel(['halt', 'bot.yaml', '--reason', 'fail'], folder).ended).toBe(0);
        await expect
          .poll(() => statusOf(folder), PATIENT)
          .toMatchObject({ state: 'strategy-failed' });
        expect((await status()).reasons.join('\n')).toMatch(
          /the strategy has failed.*told to fail/,
        );
        const failedAt = Date.now();
        await expect.poll(() => isSampled(failedAt), { timeout: 5_000, interval: 50 }).toBe(true);

        live.child.kill('SIGKILL');
        await live.exited;
        await expect
          .poll(() => statusOf(folder), PATIENT)
          .toMatchObject({ guardedBy: { process: 'guard' }, guards, sampled: [{}] });

        const again = evenkeel(LIVE, folder, env);
        await expect
          .poll(() => statusOf(folder), PATIENT)
          .toMatchObject({ state: 'strategy-failed', guardedBy: { process: 'bot' }, guards });
        const startedAt = Date.now();
        await expect.poll(() => isSampled(startedAt), { timeout: 5_000, interval: 50 }).toBe(true);

        expect(await evenkeel(['resume', 'bot.yaml'], folder).ended).toBe(0);
        expect((await status()).state).toBe('strategy-failed');
        expect(await evenkeel(['restart-strategy', 'bot.yaml'], folder).ended).toBe(0);
        await expect
          .poll(() => statusOf(folder), PATIENT)
          .toMatchObject({ state: 'running', guards });
        again.child.kill('SIGTERM');
        expect(await again.ended).toBe(0);
        const replay = evenkeel(['replay', JOURNAL, '--config', 'bot.yaml'], folder, env);
        expect(await replay.ended).toBe(0);
      },
    );
  },
);
