import { describe, expect, it } from 'vitest';

import { MINUTE_MS } from '../../src/domain/index.js';
import { CandleStrategy } from '../../src/strategy/index.js';
import { LiveRig } from '../support/live/live-rig.js';

/** Holds a contract for good. */
class Holder extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle(): void {
    if (!this.position.quantity.gt(0)) this.enterLong({ quantity: '1000' });
  }
}

describe('a live bot that holds a contract', () => {
  it('shows how far the mark is from its liquidation, as the venue has it', async () => {
    const rig = new LiveRig('futures');
    const bot = await rig.start({ strategyClass: Holder });
    await rig.until(() => bot.status().positions.length > 0);
    await rig.pass(3 * MINUTE_MS);

    const [margin, ...others] = bot.status().margins;

    expect(others).toEqual([]);
    expect(margin).toMatchObject({ direction: 'long', frozen: 'no', pendingClose: '0' });
    const { markPrice, liquidationPrice, distance } = margin ?? {};
    // Five times leverage: a fifth of the entry price, less what maintenance takes.
    expect(Number(distance)).toBeGreaterThan(0.1);
    expect(Number(distance)).toBeLessThan(0.21);
    expect(1 - Number(liquidationPrice) / Number(markPrice)).toBeCloseTo(Number(distance), 8);
  });
});
