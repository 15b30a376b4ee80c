import { describe, expect, it } from 'vitest';
import { MINUTE_MS, parseFixed, type Candle } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { OTHER_SPOT_ID, SPOT_ID } from '../../support/local-exchange/test-exchange.js';

/** Holds ETH behind a stop, and rests a bid for BTC far below the market. */
class Guarded extends CandleStrategy({}, { state: { isIn: false } }) {
  override readonly warmup = 3;

  override onCandle({ close }: Candle): void {
    if (this.state.isIn) return;
    this.state.isIn = true;
    this.enterLong({ quantity: '0.1' }, { limitPrice: (close / 2).toFixed(1) });
    const protection = { stopLoss: { ratio: '0.0005' } };
    this.enterLong({ quantity: '0.1' }, { instrument: 'ETHUSDT', protection });
  }
}

describe('a bot that starts while the venue shows an impossible record of one of its orders', () => {
  it('samples the stops of its other pairs', async () => {
    const rig = new LiveRig('pairs');
    rig.broken.add('ticker');
    await rig.start({ strategyClass: Guarded });
    await rig.until(() => rig.account.openOrders(SPOT_ID, rig.now()).length === 1);
    await rig.pass(MINUTE_MS);
    expect(rig.account.trades(OTHER_SPOT_ID, rig.now()).map(({ side }) => side)).toEqual(['buy']);
    rig.kill();
    rig.broken.clear();
    const open = rig.account.openOrders.bind(rig.account);
    rig.account.openOrders = (id, now) =>
      open(id, now).map((order) => ({ ...order, filledQuantity: parseFixed('0.2') }));

    // The start waits as long as the record is shown. The order of the stop ends the test.
    const sent: string[] = [];
    rig.onCall = (name) => {
      if (name !== 'submit') return;
      sent.push(name);
      rig.kill();
    };

    await expect(rig.restart()).rejects.toThrow('expected it to end');

    expect(sent).toEqual(['submit']);
  });
});
