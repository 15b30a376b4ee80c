import fc from 'fast-check';
import { interval, map, merge, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { SECOND_MS, type OrderIntent } from '../../src/domain/index.js';
import type { StopPolicy } from '../../src/live/index.js';
import { enterLong, exit, Strategy } from '../../src/strategy/index.js';
import { LiveRig } from '../support/live/live-rig.js';

/** One intent per second: mostly market buys, sometimes exits, and resting bids. */
class Restless extends Strategy({}) {
  override readonly warmup = 3;

  override intents(): Observable<OrderIntent> {
    const isFutures = this.instruments[0]?.instrumentId.startsWith('futures') === true;
    const size = { quantity: isFutures ? '10' : '0.01' };
    return merge(
      interval(SECOND_MS).pipe(
        map((count) => (count % 7 === 6 ? exit() : enterLong(size, { add: true }))),
      ),
      interval(3 * SECOND_MS).pipe(
        map((count) =>
          enterLong(size, {
            add: true,
            limitPrice: isFutures ? '1000.0' : '1000',
            label: String(count),
          }),
        ),
      ),
    );
  }
}

describe('a bot that receives a stop', () => {
  it('sends no opening order afterwards, whatever the stop policy and the delay of answers', async () => {
    const aStop = fc.record({
      product: fc.constantFrom('spot' as const, 'futures' as const),
      mode: fc.constantFrom('live' as const, 'paper' as const),
      policy: fc.constantFrom<StopPolicy>('keep', 'cancel', 'flatten'),
      afterMs: fc.integer({ min: 180_000, max: 220_000 }),
      slowMs: fc.constantFrom(0, 700, 4_000),
    });
    const law = fc.asyncProperty(aStop, async ({ product, mode, policy, afterMs, slowMs }) => {
      const rig = new LiveRig(product, {}, mode);
      const bot = await rig.start({ strategyClass: Restless });
      await rig.pass(afterMs);
      expect(bot.engine.fills.length).toBeGreaterThan(0);
      rig.slowMs = slowMs;
      await rig.pass(2_500);
      const before = rig.opened;

      await rig.stop(policy);

      expect(rig.opened).toBe(before);
      if (policy === 'flatten') expect(bot.engine.portfolio.isExposed).toBe(false);
    });

    await fc.assert(law, { numRuns: 12 });
  });
});
