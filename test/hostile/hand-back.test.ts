import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { askBot } from '../../src/bots/control/control-client.js';
import { HAND_BACK } from '../../src/bots/control/control-protocol.js';
import type { BotState } from '../../src/live/index.js';
import { HOLDER_SOURCE } from '../support/cli/holder-plugin.js';
import {
  delayAnswers,
  evenkeel,
  guardOf,
  JOURNAL,
  killLiveProcesses,
  liveBot,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';

const PATIENT = { timeout: 120_000, interval: 10 };
/** Delay of each answer while a guard process begins. Each step then takes long enough for a request in the middle of it. */
const ANSWER_MS = 300;
/** When the guard is asked: its state, and the ms since this state was first seen. */
const ASKED: readonly (readonly [BotState, number])[] = [
  ['starting', 0],
  ['starting', 1_000],
  ['starting', 2_500],
  ['warming', 0],
  ['warming', 200],
  ['warming', 500],
  ['degraded', 0],
  ['degraded', 1_000],
];
/** The guard waits for orders on their way, and closes its epoch. */
const WITHIN_MS = 15_000;

afterEach(killLiveProcesses);

// Only Linux lists the children of a process.
describe.runIf(process.platform === 'linux')('a guard process', () => {
  it(
    'hands back on the first request, at any stage of its own start',
    { timeout: 300_000 },
    async () => {
      const { folder, env, exchange } = await liveBot({ plugin: HOLDER_SOURCE });
      const socket = path.join(folder, `${JOURNAL}.sock`);
      for (const [state, delayMs] of ASKED) {
        const live = await startLive(folder, env);
        await expect
          .poll(() => statusOf(folder), PATIENT)
          .toMatchObject({ state: 'running', guards: [{}], guardedBy: { standby: 'ready' } });
        const guard = await guardOf(live);
        const inTime = await delayAnswers(exchange, ANSWER_MS);
        live.child.kill('SIGKILL');
        await live.exited;
        await expect
          .poll(() => statusOf(folder), PATIENT)
          .toMatchObject({ state, guardedBy: { process: 'guard' } });
        await new Promise((resolve) => setTimeout(resolve, delayMs));

        const answer = await askBot({ command: HAND_BACK }, { path: socket });

        const message = `asked ${String(delayMs)} ms after it was ${state}`;
        expect(answer, message).toMatchObject({ ok: true });
        await expect
          .poll(() => isRunning(guard), { timeout: WITHIN_MS, interval: 20, message })
          .toBe(false);
        expect(await statusOf(folder), message).toBeUndefined();
        await inTime();
      }

      const replay = evenkeel(['replay', JOURNAL, '--config', 'bot.yaml'], folder, env);
      expect(await replay.ended).toBe(0);
    },
  );
});

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
