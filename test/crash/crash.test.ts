import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOUNDARIES } from '../../src/assembly/index.js';
import { createRandom } from '../../src/engine/index.js';
import { CrashRig, type KillPoint } from './crash-rig.js';

const SEED = Number(process.env['CRASH_SEED'] ?? '1');
const KILLS = Number(process.env['CRASH_KILLS'] ?? '30');

/** Longest life of a bot that is killed at a random instant, in its own time. */
const MAX_LIFE_MS = 120_000;
/** Longest time between two lives. */
const MAX_DOWN_MS = 60_000;

/** Errors of the exchange's clock, one life after the other: beyond the window of timestamps, in both directions. */
const SKEWS_MS = [0, 8_000, -8_000, 8_000];

/** Rare faults of the connection, of every kind, between the kills. */
const FAULTS = [
  { fault: 'reset-after', probability: 0.03 },
  { fault: 'reset-before', probability: 0.03 },
  { fault: 'server-error', probability: 0.03 },
  { fault: 'timeout-after', probability: 0.03 },
  { fault: 'answer-lost', probability: 0.03 },
] as const;

describe('a bot on spot and futures that is killed repeatedly', () => {
  let rig: CrashRig;
  beforeAll(async () => {
    rig = await CrashRig.open();
  });
  afterAll(() => rig.close());

  it(
    `neither loses nor duplicates an order (${String(KILLS)} kills, seed ${String(SEED)})`,
    { timeout: 60_000 + KILLS * 30_000 },
    async () => {
      const random = createRandom(SEED);
      for (const rule of FAULTS) rig.fault(rule);
      await rig.warmUp();
      for (let kills = 0; kills < KILLS; kills += 1) {
        rig.skew(SKEWS_MS[kills % SKEWS_MS.length] ?? 0);
        await rig.kill(pointOf(kills, random), Math.floor(random() * MAX_DOWN_MS));
      }
      rig.clearFaults();
      const figures = await rig.finish();
      console.log(JSON.stringify(figures));
      const { lost, doubled, balances, positions, reasons } = figures;
      expect({ lost, doubled, balances, positions, reasons }).toEqual({
        lost: [],
        doubled: [],
        balances: [],
        positions: [],
        reasons: [],
      });
      // The state counts each fill once, whenever the process was killed.
      expect(figures.kept).toBe(JSON.stringify({ fills: figures.fills }));
      // Orders rest while the bot is away, so this does not depend on how fast it comes back.
      expect(figures.withOrders).toBeGreaterThanOrEqual(KILLS / 2);
    },
  );
});

/** Each boundary in turn, and a random instant between two rounds. */
function pointOf(kills: number, random: () => number): KillPoint {
  const boundary = BOUNDARIES[kills % (BOUNDARIES.length + 1)];
  if (boundary === undefined) return Math.floor(random() * MAX_LIFE_MS);
  // A start has one reconciliation, and replays all events of its epoch.
  if (boundary === 'reconciliation') return { boundary, count: 1 };
  return { boundary, count: 1 + Math.floor(random() * (boundary === 'replay' ? 20 : 4)) };
}
