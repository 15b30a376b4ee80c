import { describe, expect, it } from 'vitest';
import { map, timer, type Observable } from 'rxjs';

import { MINUTE_MS } from '../../../src/domain/index.js';
import { enterLong, Strategy, type OrderIntent } from '../../../src/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Enters at a fixed price every 50 seconds of its time. */
class Hasty extends Strategy({}) {
  override readonly warmup = 1;

  override intents(): Observable<OrderIntent> {
    return timer(50_000, 50_000).pipe(
      map(() => enterLong({ quantity: '0.01' }, { limitPrice: '10000' })),
    );
  }
}

describe('an entry that is due before bot and venue are compared', () => {
  it.each(['live', 'paper'] as const)(
    'belongs to the warm-up if the bot had not begun, %s',
    { timeout: 60_000 },
    async (mode) => {
      const rig = new LiveRig('spot', {}, mode);
      await rig.sleep(2 * MINUTE_MS + 50_000);
      const bot = await rig.start({ strategyClass: Hasty });
      await rig.pass(2 * MINUTE_MS);

      await rig.stop();
      const [epoch] = await rig.epochs();
      // Time of the strategy begins with the candle of its warm-up, which opened 110 s before the bot began.
      const times = [...bot.engine.orders].map(({ state }) => state.createdTime);
      expect(times).toEqual([(epoch?.header.started ?? 0) + 150_000]);
      expect(bot.engine.refusals[0]?.refusal).not.toMatchObject({ check: 'degraded' });
      const outcome = await rig.replay(epoch?.id ?? 0, { strategyClass: Hasty });
      expect(outcome).toMatchObject({ kind: 'identical' });
    },
  );

  it('is refused if the bot was away', { timeout: 60_000 }, async () => {
    const rig = new LiveRig('spot', {}, 'live');
    await rig.sleep(2 * MINUTE_MS + 50_000);
    await rig.start({ strategyClass: Hasty });
    await rig.pass(10_000);
    rig.kill();
    await rig.sleep(50_000);
    const bot = await rig.restart();
    await rig.pass(2 * MINUTE_MS);

    const [first] = bot.engine.refusals;
    expect(first?.refusal).toMatchObject({
      check: 'degraded',
      text: expect.stringContaining('being compared') as string,
    });
    expect([...bot.engine.orders]).toHaveLength(1);
    await rig.stop();
  });
});
