import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOUNDARIES } from '../../src/assembly/index.js';
import { createRandom } from '../../src/engine/index.js';
import { CrashRig, type KillPoint } from './crash-rig.js';

const SEED = Number(process.env['CRASH_SEED'] ?? '1');
const KILLS = Number(process.env['CRASH_KILLS'] ?? '30');

/** Longest life, in its own time, of a bot that is killed at an instant of chance. */
const MAX_LIFE_MS = 120_000;
/** Longest time between two lives. */
const MAX_DOWN_MS = 60_000;

/** How wrong the exchange's clock is in one life after the other: beyond the window of timestamps, both ways. */
const SKEWS_MS = [0, 8_000, -8_000, 8_000];

/** What the wire does to the bot while it is killed: seldom, of every kind. */
const FAULTS = [
  { fault: 'reset-after', probability: 0.03 },
  { fault: 'reset-before', probability: 0.03 },
  { fault: 'server-error', probability: 0.03 },
  { fault: 'timeout-after', probability: 0.03 },
  { fault: 'answer-lost', probability: 0.03 },
] as const;

describe('a bot on spot and futures that is killed again and again', () => {
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
      // Each fill is kept once, whenever the process was killed.
      expect(figures.kept).toBe(JSON.stringify({ fills: figures.fills }));
      // Orders rest while the bot is away, so this does not depend on how fast it comes back.
      expect(figures.withOrders).toBeGreaterThanOrEqual(KILLS / 2);
    },
  );
});

/** Each boundary in turn, and between two rounds an instant of chance. */
function pointOf(kills: number, random: () => number): KillPoint {
  const boundary = BOUNDARIES[kills % (BOUNDARIES.length + 1)];
  if (boundary === undefined) return Math.floor(random() * MAX_LIFE_MS);
  // A start has one comparison, and replays what there is.
  if (boundary === 'reconciliation') return { boundary, count: 1 };
  return { boundary, count: 1 + Math.floor(random() * (boundary === 'replay' ? 20 : 4)) };
}
