import { describe, expect, it } from 'vitest';

import { floorToInterval, MINUTE_MS, type InstrumentId } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { OTHER_SPOT_ID, SPOT_ID } from '../../support/local-exchange/test-exchange.js';

/** Adds to every instrument with each candle of any instrument, each time with a stop. */
class Eager extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle(): void {
    const protection = { stopLoss: { ratio: '0.1' } };
    for (const { instrumentId: instrument } of this.instruments)
      this.enterLong({ notional: '100' }, { instrument, protection, add: true });
  }
}

describe('candles that cannot be fetched', () => {
  it('block entries in their instrument until the operator resumes, and nothing else', async () => {
    const rig = new LiveRig('pairs', { spot: { USDT: '100000' } });
    const bot = await rig.start({ strategyClass: Eager });
    const bought = (id: InstrumentId): number => rig.account.trades(id, rig.now()).length;
    await rig.until(() => bot.engine.guards.length > 1);

    rig.missing.set(OTHER_SPOT_ID, floorToInterval(rig.now(), '1min'));
    await rig.pass(3 * MINUTE_MS);
    const before = { sibling: bought(SPOT_ID), hit: bought(OTHER_SPOT_ID) };
    await rig.pass(3 * MINUTE_MS);

    expect(bot.status().state).toBe('degraded');
    expect(bot.status().reasons.join()).toMatch(/^spot:ETHUSDT 1min: no candles from/);
    expect(bought(SPOT_ID)).toBeGreaterThan(before.sibling);
    expect(bought(OTHER_SPOT_ID)).toBe(before.hit);
    // Both positions are still guarded.
    expect(bot.status().sampled).toHaveLength(2);

    bot.resume();
    await rig.pass(2 * MINUTE_MS);

    expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });
    expect(bought(OTHER_SPOT_ID)).toBeGreaterThan(before.hit);
    await rig.stop();
    expect((await rig.replay(1, { strategyClass: Eager })).kind).toBe('identical');
  });
});
