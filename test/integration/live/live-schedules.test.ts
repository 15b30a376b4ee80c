import { CandleStrategy } from 'evenkeel';
import { describe, expect, it } from 'vitest';

import { MINUTE_MS } from '../../../src/domain/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Buys and sells at times of the clock. Notes the times of its buys. */
class Timed extends CandleStrategy({}) {
  static wanted: number[] = [];
  override readonly warmup = 3;
  readonly schedules = [
    this.every('2min', () => {
      Timed.wanted.push(this.now);
      this.enterLong({ notional: '1000' });
    }),
    this.every('@hourly :03', () => this.exit()),
  ];

  override onCandle(): void {
    // The schedules do everything.
  }
}

describe('a schedule of a bot', () => {
  it.each(['paper', 'live'] as const)(
    'keeps its times in %s, also after a kill, and replays',
    { timeout: 60_000 },
    async (mode) => {
      Timed.wanted = [];
      const rig = new LiveRig('spot', {}, mode);
      await rig.start({ strategyClass: Timed });
      await rig.pass(5 * MINUTE_MS);
      const before = [...Timed.wanted];
      rig.kill();
      const bot = await rig.restart();
      const again = Timed.wanted.slice(before.length);
      Timed.wanted = [];
      await rig.pass(5 * MINUTE_MS);
      const orders = [...bot.engine.orders].map(({ request }) => request.side);
      await rig.stop();

      expect(before.length).toBeGreaterThan(1);
      // The journal is replayed, and the schedule runs at the same times again.
      expect(again).toEqual(before);
      expect(Timed.wanted.length).toBeGreaterThan(1);
      const all = [...before, ...Timed.wanted];
      expect(all.map((time) => time % (2 * MINUTE_MS))).toEqual(all.map(() => 0));
      expect(all).toEqual(all.map((_, index) => (all[0] ?? 0) + index * 2 * MINUTE_MS));
      expect(orders).toContain('buy');
      const [epoch] = await rig.epochs();
      const outcome = await rig.replay(epoch?.id ?? 0, { strategyClass: Timed });
      expect(outcome).toMatchObject({ kind: 'identical' });
    },
  );

  it.each(['paper', 'live'] as const)(
    'makes up only for the last missed time, in %s',
    { timeout: 60_000 },
    async (mode) => {
      Timed.wanted = [];
      const rig = new LiveRig('spot', {}, mode);
      await rig.start({ strategyClass: Timed });
      await rig.pass(5 * MINUTE_MS);
      const before = [...Timed.wanted];
      rig.kill();
      await rig.sleep(9 * MINUTE_MS);
      const killed = rig.now();
      await rig.restart();
      await rig.pass(3 * MINUTE_MS);
      await rig.stop();

      const [last, ...others] = Timed.wanted.slice(2 * before.length);
      expect(last).toBe(killed - (killed % (2 * MINUTE_MS)));
      expect(others).toEqual([(last ?? 0) + 2 * MINUTE_MS]);
      const [epoch] = await rig.epochs();
      const outcome = await rig.replay(epoch?.id ?? 0, { strategyClass: Timed });
      expect(outcome).toMatchObject({ kind: 'identical' });
    },
  );
});
