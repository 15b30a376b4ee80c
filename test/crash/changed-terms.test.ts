import { afterEach, describe, expect, it } from 'vitest';
import {
  alterBot,
  evenkeel,
  killLiveProcesses,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';
import { contractBot } from '../support/cli/contract-bot.js';

const PATIENT = { timeout: 120_000, interval: 100 };

/** The second waits for more than a minute until the venue's terms are compared. `EVENKEEL_LONG=1` tries both. */
const CHANGES = [
  { before: 'marginMode: isolated', after: 'marginMode: cross', code: 'E_CHECKPOINT' },
  { before: 'leverage: 5', after: 'leverage: 4', code: 'E_TERMS_DIFFER' },
].slice(0, process.env['EVENKEEL_LONG'] === '1' ? 2 : 1);

/** Holds a contract with a stop. */
const HOLDER = `import { enterLong, Strategy } from 'evenkeel';
import { interval, map } from 'rxjs';
export class Holder extends Strategy({}) {
  warmup = 1;
  intents() {
    const terms = { protection: { stopLoss: { ratio: '0.1' } } };
    return interval(1000).pipe(map(() => enterLong({ notional: '1000' }, terms)));
  }
}
`;

afterEach(killLiveProcesses);

// Only Linux lists the children of a process.
describe.runIf(process.platform === 'linux')('the guard process of a killed bot', () => {
  it.each(CHANGES)(
    'guards on after a start whose file says $after',
    { timeout: 240_000 },
    async ({ before, after, code }) => {
      const { folder, env } = await contractBot({
        plugin: HOLDER,
      });
      const live = await startLive(folder, env);
      await expect.poll(() => statusOf(folder), PATIENT).toMatchObject({ guards: [{}] });
      await expect
        .poll(() => statusOf(folder), PATIENT)
        .toMatchObject({ guardedBy: { process: 'bot', standby: 'ready' } });
      live.child.kill('SIGKILL');
      const guarding = {
        state: 'degraded',
        guards: [{}],
        guardedBy: { process: 'guard', since: expect.any(Number) as number },
      };
      await expect.poll(() => statusOf(folder), PATIENT).toMatchObject(guarding);
      await alterBot(folder, { [before]: after });

      const again = evenkeel(['live', 'bot.yaml', '--yes', '--accept-findings'], folder, env);

      expect(await again.exited).not.toBe(0);
      expect(again.written.stderr).toContain(code);
      await expect.poll(() => statusOf(folder), PATIENT).toMatchObject(guarding);
    },
  );
});
