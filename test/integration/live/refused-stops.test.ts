import { describe, expect, it } from 'vitest';

import { MINUTE_MS, SECOND_MS } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { SPOT_ID } from '../../support/local-exchange/test-exchange.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Holds from its first candle on, with a stop so near that it fires at the next fall. {@link Bracketed} sets the stop for its entry alone. */
class Held extends CandleStrategy({}) {
  override readonly warmup = 3;
  #hasEntered = false;

  override onCandle(): void {
    if (this.#hasEntered) return;
    this.#hasEntered = true;
    this.enterLong({ quantity: '0.01' }, { protection: { stopLoss: { ratio: '0.0001' } } });
  }
}

class Bracketed extends Held {
  #hasBracket = false;

  override onCandle(): void {
    if (this.#hasBracket) return;
    this.#hasBracket = true;
    this.enterLong({ quantity: '0.01' }, { bracket: { stopLoss: { ratio: '0.0001' } } });
  }
}

/** Passes one second at a time until `isSo`. */
async function until(rig: LiveRig, isSo: () => boolean): Promise<void> {
  for (let passed = 0; !isSo(); passed += 1) {
    if (passed === 900) throw new Error('expected it within a quarter of an hour');
    await rig.pass(SECOND_MS);
  }
}

describe('a stop whose order the venue refuses', () => {
  it.each([
    ['of a position', Held],
    ['of an entry', Bracketed],
  ])(
    'fires again after 2 s, 4 s and so on, not with the next candle, %s',
    async (_, strategyClass) => {
      const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
      const bot = await rig.start({ strategyClass });
      await until(rig, () => bot.engine.watchesLast);
      const bought = rig.calls.get('submit') ?? 0;
      const id = rig.exchange.addFault({
        fault: 'untradable',
        probability: 1,
        instrument: SPOT_ID,
      });
      const tries = (): number => (rig.calls.get('submit') ?? 0) - bought;
      await until(rig, () => tries() >= 1);
      const first = rig.now();

      await until(rig, () => tries() >= 3);
      const third = rig.now();
      expect(bot.status().guards).toHaveLength(1);
      rig.exchange.removeFault(id);
      await until(rig, () => bot.engine.portfolio.instrument(SPOT_ID).long.holding.quantity === 0n);
      const sold = rig.now();
      const trades = rig.account.trades(SPOT_ID, rig.now());

      expect(third - first).toBeGreaterThanOrEqual(6 * SECOND_MS);
      expect(third - first).toBeLessThan(12 * SECOND_MS);
      expect(sold - first).toBeLessThan(MINUTE_MS);
      expect(trades.filter(({ side }) => side === 'sell')).toHaveLength(1);
      await rig.stop();
      expect((await rig.replay(1, { strategyClass })).kind).toBe('identical');
    },
  );

  it('is tried a few times a minute in the end', async () => {
    const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
    const bot = await rig.start({ strategyClass: Held });
    await until(rig, () => bot.engine.watchesLast);
    rig.exchange.addFault({ fault: 'untradable', probability: 1, instrument: SPOT_ID });
    const bought = rig.calls.get('submit') ?? 0;
    await until(rig, () => (rig.calls.get('submit') ?? 0) > bought);
    await rig.pass(10 * MINUTE_MS);

    const tries = (rig.calls.get('submit') ?? 0) - bought;
    // Each candle may fire the stop, too.
    expect(tries).toBeLessThanOrEqual(45);
    expect(bot.status().state).toBe('degraded');
  });
});
