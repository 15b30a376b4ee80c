import { describe, expect, it } from 'vitest';

import { MINUTE_MS } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Enters once, with a stop that rests at the venue. */
class Stopped extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle(): void {
    if (this.position.quantity.gt(0)) return;
    this.enterLong({ quantity: '10' }, { protection: { stopLoss: { ratio: '0.05' } } });
  }
}

describe('a bot with stops at the venue', () => {
  it('treats a trigger as unknown if the killed process received no answer', async () => {
    const rig = new LiveRig('futures');
    const set = ['live.venueStops=disaster', 'live.disasterDistance="0.2"', 'live.orphans=accept'];
    await rig.start({ strategyClass: Stopped, set });
    rig.onCall = (name) => {
      if (name !== 'submitConditional') return;
      rig.onCall = () => undefined;
      rig.kill();
    };
    const before = rig.journal;
    for (let minute = 0; rig.journal === before && minute < 20; minute += 1)
      await rig.pass(MINUTE_MS);
    expect(rig.journal).not.toBe(before);

    const bot = await rig.restart();
    await rig.pass(MINUTE_MS);

    const [stop] = bot.engine.venueStops?.book.list ?? [];
    expect(stop?.state).toBe('unknown');
  });
});
