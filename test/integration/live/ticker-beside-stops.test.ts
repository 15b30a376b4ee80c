import { map, merge, type Observable } from 'rxjs';
import { expect, it } from 'vitest';

import { MINUTE_MS, SECOND_MS } from '../../../src/domain/index.js';
import { enterLong, Strategy, type Market, type OrderIntent } from '../../../src/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Holds a position with a stop, and reads prices and depth beside its candles. */
class Watching extends Strategy({}) {
  override readonly warmup = 2;

  override intents(market: Market): Observable<OrderIntent> {
    const enter = (): OrderIntent =>
      enterLong({ quantity: '100' }, { protection: { stopLoss: { ratio: '0.1' } } });
    return merge(market.candles$(), market.ticker$(), market.depth$()).pipe(map(enter));
  }
}

it('a contract with a sampled stop has its ticker in time, within the limits', async () => {
  const rig = new LiveRig('futures');
  rig.isLimited = true;
  const bot = await rig.start({ strategyClass: Watching });
  await rig.pass(MINUTE_MS);
  const states = new Set<string>();
  for (let passed = 0; passed < 5 * MINUTE_MS; passed += SECOND_MS) {
    await rig.pass(SECOND_MS);
    const { state, reasons } = bot.status();
    states.add([state, ...reasons].join(': '));
  }

  expect(bot.status().guards).toHaveLength(1);
  expect([...states]).toEqual(['running']);
});
