import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import { contractBot } from '../support/cli/contract-bot.js';
import { evenkeel, JOURNAL, killLiveProcesses, statusOf } from '../support/cli/live-processes.js';
import { venueContracts } from '../support/cli/venue-contracts.js';

const LIVE = ['live', 'bot.yaml', '--yes', '--accept-findings'];
const PATIENT = { timeout: 120_000, interval: 50 };
/** Limits the size of each file, also of the journal's log, to this many blocks of 512 bytes. For a writer this looks like a full disk. */
const FULL = ['sh', '-c', 'ulimit -f 500 && exec "$@"', 'sh'];
/** Maximum time from the first status of the start until the bot runs after its comparison with the venue. */
const WITHIN_MS = 40_000;

/** Opens and closes 17 contracts in turn, three times a second. */
const RESTLESS = `import { enterLong, exit, Strategy } from 'evenkeel';
import { interval, map } from 'rxjs';
export class Restless extends Strategy({}) {
  warmup = 1;
  intents() {
    return interval(300).pipe(map((count) => (count % 2 === 0 ? enterLong({ quantity: '17' }) : exit())));
  }
}
`;

afterEach(killLiveProcesses);

// Needs a shell that can limit the size of files.
describe.runIf(process.platform === 'linux')('a live bot whose disk is full', () => {
  it(
    'ends, and holds the positions of the venue after a restart with free space',
    { timeout: 240_000 },
    async () => {
      const { folder, env, exchange } = await contractBot({ plugin: RESTLESS });
      const first = evenkeel(LIVE, folder, env, FULL);
      // The file limit holds for its guard process, too.
      expect(await first.ended).toBe(1);
      expect(first.written.stderr).toMatch(/E_JOURNAL_(FULL|WRITE)/);
      expect(first.written.stdout).toContain('"kind":"fill"');

      const again = evenkeel(LIVE, folder, env);
      await expect.poll(() => statusOf(folder), PATIENT).toBeDefined();
      const began = performance.now();
      await expect
        .poll(() => statusOf(folder), PATIENT)
        .toMatchObject({ state: 'running', reasons: [] });
      expect(performance.now() - began).toBeLessThan(WITHIN_MS);
      expect(await evenkeel(['pause', 'bot.yaml'], folder).ended).toBe(0);
      await expect.poll(() => statusOf(folder), PATIENT).toMatchObject({ orders: [] });

      const { positions } = present(await statusOf(folder), 'status');
      const { held } = await venueContracts(exchange);
      expect(positions.map(({ quantity }) => Number(quantity))).toEqual(Object.values(held));
      again.child.kill('SIGTERM');
      expect(await again.ended).toBe(0);
      const replay = evenkeel(['replay', JOURNAL, '--config', 'bot.yaml'], folder, env);
      expect(await replay.ended).toBe(0);
    },
  );
});
