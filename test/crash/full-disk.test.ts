import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import { contractBot } from '../support/cli/contract-bot.js';
import { evenkeel, JOURNAL, killLiveProcesses, statusOf } from '../support/cli/live-processes.js';
import { venueContracts } from '../support/cli/venue-contracts.js';

const LIVE = ['live', 'bot.yaml', '--yes', '--accept-findings'];
const PATIENT = { timeout: 90_000, interval: 50 };
/** No file grows beyond this many blocks of 512 bytes, the journal's log neither: to who writes that is a disk that is full. */
const FULL = ['sh', '-c', 'ulimit -f 500 && exec "$@"', 'sh'];
/** From the first status of the start to when the bot runs, having compared itself with the venue. */
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

// A shell that bounds files is asked for.
describe.runIf(process.platform === 'linux')('a live bot whose disk is full', () => {
  it(
    'ends, and holds what the venue shows when it is started with space again',
    { timeout: 240_000 },
    async () => {
      const { folder, env, exchange } = await contractBot({ plugin: RESTLESS });
      const first = evenkeel(LIVE, folder, env, FULL);
      // Its guard process writes there, too.
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
