import { describe, expect, it } from 'vitest';

import { MINUTE_MS, type LimitOrderRequest } from '../../../src/domain/index.js';
import { isRefusal } from '../../../src/local-exchange/refusal.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { FUTURES_ID } from '../../support/local-exchange/test-exchange.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { aLimitRequest } from '../../support/order-requests.js';

/** Far below the market, so that no order there fills. */
const PRICE = '10000.00';

/** Sends one entry that rests far below the market, once. */
class Rester extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle(): void {
    if (this.workingOrders().length === 0)
      this.enterLong({ quantity: '100' }, { limitPrice: PRICE });
  }
}

/** Places an order by hand that is equal to that of the strategy. */
function placeEqual(rig: LiveRig): void {
  const request: LimitOrderRequest = {
    ...aLimitRequest({ instrumentId: FUTURES_ID, limitPrice: PRICE, quantity: '100' }),
    unit: 'contracts',
    marginMode: 'isolated',
  };
  const placed = rig.account.place({ ...request, action: 'open' }, rig.now(), {});
  if (isRefusal(placed)) throw new Error(placed.message);
}

describe('a start with an order that two orders of the venue could be', () => {
  it('names both, enters nothing, and polls the account', async () => {
    const rig = new LiveRig('futures');
    await rig.start({ strategyClass: Rester });
    const { journal } = rig;
    rig.dieAt('before-send');
    for (let minutes = 0; rig.journal === journal && minutes < 10; minutes += 1)
      await rig.pass(MINUTE_MS);
    placeEqual(rig);
    placeEqual(rig);

    const bot = await rig.restart();
    const { state, reasons } = bot.status();
    const polls = rig.calls.get('openOrders') ?? 0;
    await rig.pass(5 * MINUTE_MS);

    expect(state).toBe('degraded');
    expect(reasons.join('\n')).toMatch(/orders \d+, \d+ of futures:E-BTC-USDT could each be /);
    expect(bot.status().streams).toMatchObject([{ state: 'live' }]);
    expect(rig.calls.get('openOrders')).toBeGreaterThan(polls + 5);
    await rig.stop();
  });
});
