import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  parseFixed,
  type Fixed,
  type LimitOrderRequest,
} from '../../../src/domain/index.js';
import { isRefusal } from '../../../src/local-exchange/refusal.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { FUTURES_ID } from '../../support/local-exchange/test-exchange.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { aLimitRequest } from '../../support/order-requests.js';

const ALLOCATION = parseFixed('100000');

/** Leaves what it holds: first a part, then the rest. */
class Leaver extends CandleStrategy({}) {
  override readonly warmup = 3;
  #isPartSold = false;

  override onCandle(): void {
    if (!this.position.quantity.gt(0)) return;
    this.exit(this.#isPartSold ? {} : { size: { quantity: '100' } });
    this.#isPartSold = true;
  }
}

/** Trades by hand, through the book. */
function tradeByHand(rig: LiveRig, action: 'open' | 'close', quantity: string): void {
  const terms = { id: `by-hand-${action}`, instrumentId: FUTURES_ID, quantity } as const;
  const order: LimitOrderRequest = {
    ...(action === 'open'
      ? aLimitRequest({ ...terms, side: 'buy', limitPrice: '200000' })
      : aLimitRequest({ ...terms, side: 'sell', limitPrice: '10000' })),
    unit: 'contracts',
    marginMode: 'isolated',
  };
  const placed = rig.account.place(order, rig.now(), {});
  if (isRefusal(placed)) throw new Error(placed.message);
}

const freeThere = (rig: LiveRig): Fixed => {
  const [account] = rig.account.futures(rig.now()).accounts;
  return account?.available ?? 0n;
};

describe('a claimed isolated position', () => {
  it('has the money that is in it, also if a part was closed before', async () => {
    const rig = new LiveRig('futures');
    tradeByHand(rig, 'open', '400');
    tradeByHand(rig, 'close', '150');
    const before = freeThere(rig);

    const bot = await rig.start({
      strategyClass: Leaver,
      set: ['live.externalOrders=claim'],
    });
    await rig.until(() => bot.engine.fills.length === 2);

    const money = bot.engine.portfolio.balances().futures?.get('USDT') ?? 0n;
    expect(bot.status()).toMatchObject({ state: 'running', positions: [] });
    expect(formatFixed(money - ALLOCATION)).toBe(formatFixed(freeThere(rig) - before));
  });
});
