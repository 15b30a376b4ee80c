import { afterEach, describe, expect, it } from 'vitest';
import { HOLDER_SOURCE } from '../support/cli/holder-plugin.js';
import {
  evenkeel,
  guardOf,
  JOURNAL,
  killLiveProcesses,
  liveBot,
  startLive,
  statusOf,
  type Running,
} from '../support/cli/live-processes.js';

const LIVE = ['live', 'bot.yaml', '--yes', '--accept-findings'];
const PATIENT = { timeout: 120_000, interval: 50 };
/** Times in ms from the start of the bot until the guard process continues. Meanwhile the bot looks for a guard and takes its socket, contracts and journal. */
const HEAD_STARTS = [700, 900, 1_000, 1_100, 1_300, 1_600, 1_900];

afterEach(killLiveProcesses);

/** Waits until the bot guards its position and its guard process is ready. */
async function untilRunning(folder: string): Promise<void> {
  await expect
    .poll(() => statusOf(folder), PATIENT)
    .toMatchObject({
      state: 'running',
      guards: [{}],
      guardedBy: { process: 'bot', standby: 'ready' },
    });
}

/** Kills the bot and starts it again. Its guard process is stopped until `headStartMs` have passed. */
async function startBeside(
  late: Running,
  {
    folder,
    env,
    headStartMs,
  }: { readonly folder: string; readonly env: NodeJS.ProcessEnv; readonly headStartMs: number },
): Promise<Running> {
  const guard = await guardOf(late);
  process.kill(guard, 'SIGSTOP');
  late.child.kill('SIGKILL');
  await late.exited;
  const again = evenkeel(LIVE, folder, env);
  await new Promise((resolve) => setTimeout(resolve, headStartMs));
  process.kill(guard, 'SIGCONT');
  return again;
}

// Only Linux lists the children of a process.
describe.runIf(process.platform === 'linux')(
  'a guard process that starts while its bot restarts',
  () => {
    it('leaves the bot running, and takes nothing over from it', { timeout: 300_000 }, async () => {
      const { folder, env } = await liveBot({ plugin: HOLDER_SOURCE });
      let live = await startLive(folder, env);
      for (const headStartMs of HEAD_STARTS) {
        await untilRunning(folder);
        live = await startBeside(live, { folder, env, headStartMs });
        const started = live;
        await Promise.race([
          untilRunning(folder),
          started.exited.then((end) => {
            throw new Error(`the bot ended with ${String(end)}: ${started.written.stderr}`);
          }),
        ]);
      }
      live.child.kill('SIGTERM');
      expect(await live.ended).toBe(0);

      const replay = evenkeel(['replay', JOURNAL, '--config', 'bot.yaml'], folder, env);
      expect(await replay.ended).toBe(0);
    });
  },
);
