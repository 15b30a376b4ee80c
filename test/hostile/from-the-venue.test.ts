import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { contractBot } from '../support/cli/contract-bot.js';
import {
  evenkeel,
  guardOf,
  JOURNAL,
  killLiveProcesses,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';

/** Holds a contract, and sets its stop again with each price. */
const STEADY = `import { enterLong, protect, Strategy } from 'evenkeel';
import { map } from 'rxjs';
export class Steady extends Strategy({}) {
  warmup = 1;
  intents(market) {
    const protection = { stopLoss: { ratio: '0.15' } };
    return market.ticker$().pipe(map(() =>
      this.position.quantity.isZero() ? enterLong({ notional: '1000' }, { protection }) : protect(protection)));
  }
}
`;
const START = ['live', 'bot.yaml', '--yes', '--accept-findings'];
const PATIENT = { timeout: 120_000, interval: 50 };
const PAGE = 4_096;

afterEach(killLiveProcesses);

// Only Linux lists the children of a process.
describe.runIf(process.platform === 'linux')('a bot whose journal is damaged', () => {
  it(
    'refuses to start with it and says what to do, and resumes from the venue, guarded, with a new journal',
    { timeout: 240_000 },
    async () => {
      const { folder, env } = await contractBot({ plugin: STEADY });
      const live = await startLive(folder, env);
      await expect
        .poll(() => statusOf(folder), PATIENT)
        .toMatchObject({ state: 'running', guards: [{}], guardedBy: { standby: 'ready' } });
      const held = (await statusOf(folder))?.positions;
      const guard = await guardOf(live);
      process.kill(guard, 'SIGSTOP');
      live.child.kill('SIGKILL');
      await live.exited;
      process.kill(guard, 'SIGKILL');
      const file = path.join(folder, JOURNAL);
      await damage(file);

      const verified = evenkeel(['journal', 'verify', JOURNAL], folder, env);
      const refused = evenkeel(START, folder, env);
      expect(await verified.ended).toBe(3);
      expect(await refused.exited).not.toBe(0);
      expect(refused.written.stderr).toMatch(
        /start with a new journal: with live\.externalOrders: claim the bot then takes its orders and positions from the venue.*\(E_JOURNAL_\w+\)/s,
      );

      for (const end of ['', '-wal', '-shm'])
        await rename(`${file}${end}`, `${file}.kept${end}`).catch(() => undefined);
      evenkeel([...START, '--set', 'live.externalOrders=claim'], folder, env);
      await expect
        .poll(() => statusOf(folder), PATIENT)
        .toMatchObject({ state: 'running', positions: held, guards: [{}], sampled: [{}] });
    },
  );
});

/** Overwrites a part of every page after the first, in the journal and its write-ahead log. */
async function damage(file: string): Promise<void> {
  for (const each of [file, `${file}-wal`]) {
    const handle = await open(each, 'r+');
    const { size } = await handle.stat();
    for (let at = PAGE; at < size; at += PAGE)
      await handle.write(Buffer.alloc(64, 0x55), 0, 64, at);
    await handle.close();
  }
}
