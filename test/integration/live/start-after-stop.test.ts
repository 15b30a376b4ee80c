import { describe, expect, it } from 'vitest';

import { MINUTE_MS, SECOND_MS, type Candle, type EpochMs } from '../../../src/domain/index.js';
import { CandleStrategy, sma } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Close times of the candles that strategies received after their warm-up. */
const seen: EpochMs[] = [];

/** Buys once, with a far stop. */
class Holder extends CandleStrategy({}, { state: { hasBought: false } }) {
  readonly average = this.indicator(sma(3));

  override onCandle({ closeTime }: Candle): void {
    seen.push(closeTime);
    if (this.state.hasBought) return;
    this.state.hasBought = true;
    this.enterLong({ quantity: '0.01' }, { protection: { stopLoss: { ratio: '0.3' } } });
  }
}

/** A bot that was stopped in order while it held a position with a stop. */
async function aStopped(): Promise<LiveRig> {
  const rig = new LiveRig('spot');
  const bot = await rig.start({ strategyClass: Holder });
  await rig.until(() => bot.engine.guards.length > 0);
  await rig.pass(2 * MINUTE_MS);
  await rig.stop('keep');
  return rig;
}

describe('a bot that starts after a stop in order with a position that has a stop', () => {
  it('samples the stop even if the venue serves no candle', async () => {
    const rig = await aStopped();
    await rig.pass(5 * MINUTE_MS);
    rig.broken.add('candles');
    const before = rig.now();

    const bot = await rig.restart();
    await rig.pass(3 * SECOND_MS);

    const [{ at = 0 } = {}] = bot.status().sampled;
    expect(at).toBeGreaterThan(before);
  });

  it('gives its strategy each candle of the meantime once, in order', async () => {
    const rig = await aStopped();
    seen.length = 0;
    await rig.pass(5 * MINUTE_MS);
    await rig.restart();
    await rig.pass(2 * MINUTE_MS);

    expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0) + index * MINUTE_MS));
    expect(seen.length).toBeGreaterThanOrEqual(7);
    expect(seen.at(-1)).toBeGreaterThan(rig.now() - 2 * MINUTE_MS);
    await rig.stop();
    expect((await rig.replay(2, { strategyClass: Holder })).kind).toBe('identical');
  });

  it('reads its warm-up from the venue after a stop of hours', async () => {
    const rig = await aStopped();
    await rig.pass(300 * MINUTE_MS);
    const calls: string[] = [];
    rig.onCall = (name) => calls.push(name);

    const bot = await rig.restart();
    await rig.pass(MINUTE_MS);

    expect(calls.indexOf('candles')).toBeLessThan(calls.indexOf('ticker'));
    expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });
  });
});
