import { describe, expect, it } from 'vitest';
import { map, timer, type Observable } from 'rxjs';

import { MINUTE_MS } from '../../src/domain/index.js';
import { enterLong, Strategy, type OrderIntent } from '../../src/index.js';
import { LiveRig } from '../support/live/live-rig.js';

/** Enters at a fixed price one second after its first time, which is before the bot starts. */
class Hasty extends Strategy({}) {
  override intents(): Observable<OrderIntent> {
    return timer(1_000, 30_000).pipe(
      map(() => enterLong({ quantity: '0.01' }, { limitPrice: '10000' })),
    );
  }
}

describe('an entry that is due before bot and venue are compared', () => {
  it.each(['live', 'paper'] as const)('is refused, %s', { timeout: 60_000 }, async (mode) => {
    const rig = new LiveRig('spot', {}, mode);
    await rig.sleep(50_000);
    const bot = await rig.start({ strategyClass: Hasty });
    await rig.pass(2 * MINUTE_MS);

    const [first] = bot.engine.refusals;
    expect(first?.refusal).toMatchObject({
      check: 'degraded',
      text: expect.stringContaining('being compared') as string,
    });
    expect([...bot.engine.orders]).toHaveLength(1);
    await rig.stop();
    const [epoch] = await rig.epochs();
    const outcome = await rig.replay(epoch?.id ?? 0, { strategyClass: Hasty });
    expect(outcome).toMatchObject({ kind: 'identical' });
  });
});
