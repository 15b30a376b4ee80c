import { describe, expect, it } from 'vitest';

import { MINUTE_MS, SECOND_MS, type Candle } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { SPOT_ID } from '../../support/local-exchange/test-exchange.js';

const LEVELS = { stopLoss: { ratio: '0.2' }, takeProfit: { ratio: '0.2' } };

/** Rests one bid near the market, with a stop and a target far from it, for the position or for the entry alone. */
class Held extends CandleStrategy({}, { state: { isPlaced: false } }) {
  override readonly warmup = 3;
  readonly guards: object = { protection: LEVELS };

  override onCandle({ close }: Candle): void {
    if (this.state.isPlaced) return;
    this.state.isPlaced = true;
    const limitPrice = (close * 0.9995).toFixed(2);
    this.enterLong({ quantity: '0.01' }, { limitPrice, ...this.guards });
  }
}

class Bracketed extends Held {
  override readonly guards = { bracket: LEVELS };
}

describe('a take-profit that the venue does not accept', () => {
  it.each([
    ['of a position', 'while the bot runs', Held],
    ['of an entry', 'while the bot runs', Bracketed],
    ['of a position', 'also by its next process', Held],
    ['of an entry', 'also by its next process', Bracketed],
  ] as const)('%s is sent again, %s', async (_, when, strategyClass) => {
    const rig = new LiveRig('spot');
    const bot = await rig.start({ strategyClass });
    const resting = (): string[] =>
      rig.account.openOrders(SPOT_ID, rig.now()).map(({ side }) => side);
    await rig.until(() => resting().length === 1);
    rig.broken.add('submit');
    await rig.until(() => bot.engine.watchesLast);
    await rig.pass(2 * MINUTE_MS);
    const during = resting();
    if (when !== 'while the bot runs') await rig.stop();
    rig.broken.clear();
    if (when !== 'while the bot runs') await rig.restart();
    await rig.pass(35 * SECOND_MS);

    expect(during).toEqual([]);
    expect(resting()).toEqual(['sell']);
    expect(rig.bot?.status().guards).toHaveLength(1);
    await rig.stop();
    expect((await rig.replay(1, { strategyClass })).kind).toBe('identical');
  });
});
