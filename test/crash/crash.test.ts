import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOUNDARIES, type Boundary } from '../../src/assembly/index.js';
import { createRandom } from '../../src/runtime/index.js';
import { CrashRig } from './crash-rig.js';

const SEED = Number(process.env['CRASH_SEED'] ?? '1');
const KILLS = Number(process.env['CRASH_KILLS'] ?? '30');

/** What the wire does to the bot while it is killed: seldom, of every kind. */
const FAULTS = [
  { fault: 'reset-after', probability: 0.03 },
  { fault: 'reset-before', probability: 0.03 },
  { fault: 'server-error', probability: 0.03 },
  { fault: 'timeout-after', probability: 0.03 },
  { fault: 'answer-lost', probability: 0.03 },
] as const;

describe('a bot that is killed again and again', () => {
  let rig: CrashRig;
  beforeAll(async () => {
    rig = await CrashRig.open();
  });
  afterAll(() => rig.close());

  it(
    `loses no order and doubles none (${String(KILLS)} kills, seed ${String(SEED)})`,
    { timeout: 60_000 + KILLS * 30_000 },
    async () => {
      const random = createRandom(SEED);
      for (const rule of FAULTS) rig.fault(rule);
      for (let kills = 0; kills < KILLS; kills += 1) {
        const boundary = BOUNDARIES[kills % (BOUNDARIES.length + 1)];
        await rig.kill(
          boundary === undefined
            ? 1_500 + Math.floor(random() * 4_000)
            : { boundary, count: countOf(boundary, random) },
        );
      }
      rig.clearFaults();
      const figures = await rig.finish();
      console.log(JSON.stringify(figures));
      expect(figures.lost).toEqual([]);
      expect(figures.doubled).toEqual([]);
      expect(figures.balanceDifferences).toEqual([]);
      expect(figures.orders).toBeGreaterThan(0);
      // How many kills meet a working order depends on how fast the machine starts a process; the figure is printed.
      expect(figures.withOrders).toBeGreaterThan(0);
    },
  );
});

/** At which of its occurrences a boundary ends the bot. A start has one comparison, and replays what there is. */
function countOf(boundary: Boundary, random: () => number): number {
  if (boundary === 'reconciliation') return 1;
  return 1 + Math.floor(random() * (boundary === 'replay' ? 20 : 4));
}
