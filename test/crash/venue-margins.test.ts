import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import { readJournal } from '../../src/journal/index.js';
import { contractBot } from '../support/cli/contract-bot.js';
import { JOURNAL, killLiveProcesses, startLive, statusOf } from '../support/cli/live-processes.js';

const PATIENT = { timeout: 120_000, interval: 100 };

/** Holds a contract with a stop, and keeps the liquidation distance from the venue. */
const WATCHER = `import { enterLong, Strategy } from 'evenkeel';
import { interval, map } from 'rxjs';
export class Watcher extends Strategy({}, { state: { seen: "" } }) {
  warmup = 1;
  intents() {
    return interval(1000).pipe(map(() => {
      const margin = this.position.venueMargin;
      if (margin !== undefined) this.state.seen = String(margin.liquidationDistance);
      return enterLong({ notional: '1000' }, { protection: { stopLoss: { ratio: '0.1' } } });
    }));
  }
}
`;

afterEach(killLiveProcesses);

describe('the distance of a contract to its liquidation', () => {
  it(
    'is in status, in the log below risk.liquidationWarning, in this.position and in the journal',
    { timeout: 240_000 },
    async () => {
      const { folder, env } = await contractBot({
        plugin: WATCHER,
        more: 'live: { unverified: accept }\nrisk: { liquidationWarning: "0.5" }\n',
      });
      const live = await startLive(folder, env);
      await expect
        .poll(() => statusOf(folder), PATIENT)
        .toMatchObject({ positions: [{}], margins: [{ direction: 'long', frozen: 'no' }] });

      const [margin] = present(await statusOf(folder), 'status').margins;
      // Leverage 5: a fifth of the entry price, less the maintenance margin.
      const distance = Number(margin?.distance);
      expect(distance).toBeGreaterThan(0.1);
      expect(distance).toBeLessThan(0.21);
      await expect
        .poll(() => live.written.stdout, PATIENT)
        .toMatch(/"kind":"warning".*the mark [\d.]+ is \d+\.\d % from the liquidation at [\d.]+/);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      live.child.kill('SIGTERM');
      expect(await live.ended).toBe(0);

      const reader = await readJournal(path.join(folder, JOURNAL));
      const epoch = present(reader.epochs().at(-1), 'epoch');
      const kinds = new Set([...reader.entries(epoch)].map(({ event }) => event.kind));
      reader.close();
      expect(kinds).toContain('margins');
      const { seen } = JSON.parse(epoch.ending?.state?.json ?? '') as { readonly seen: string };
      expect(Number(seen)).toBeGreaterThan(0.1);
      expect(Number(seen)).toBeLessThan(0.21);
    },
  );
});
