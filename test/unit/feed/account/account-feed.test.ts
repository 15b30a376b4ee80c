import { describe, expect, it } from 'vitest';

import {
  AuthError,
  createInstrumentId,
  parseFixed,
  parseVenueOrderId,
} from '../../../../src/domain/index.js';
import { AccountFeed, type AccountNotice, type StreamState } from '../../../../src/feed/index.js';
import type { VenueTrade } from '../../../../src/venue/index.js';
import { FakeAccount } from '../../../support/feed/fake-account.js';
import { BTC, ETH } from '../../../support/feed/fake-market.js';
import { VirtualTime } from '../../../support/virtual-time.js';

const START = Date.UTC(2025, 0, 1);

/** The n-th trade of BTC; ids have one digit more from the tenth on. */
function aTrade(id: number): VenueTrade {
  const order = parseVenueOrderId('1');
  return {
    instrumentId: BTC,
    venueTradeId: String(id),
    venueOrderId: order,
    buyOrderId: order,
    sellOrderId: order,
    side: 'buy',
    liquidity: 'taker',
    price: parseFixed('1'),
    quantity: parseFixed('1'),
    notional: undefined,
    fee: 0n,
    feeAsset: 'BTC',
    time: START,
    buyUserId: undefined,
    sellUserId: undefined,
  };
}

function watching(lastTrades?: ReadonlyMap<typeof BTC, string>): {
  readonly time: VirtualTime;
  readonly account: FakeAccount;
  readonly feed: AccountFeed;
  readonly notices: AccountNotice[];
  readonly states: StreamState[];
  readonly stop: () => void;
} {
  const time = new VirtualTime(START);
  const account = new FakeAccount(time);
  const feed = new AccountFeed({
    source: account,
    time,
    instruments: [BTC, ETH],
    products: ['spot'],
    ...(lastTrades && { lastTrades }),
  });
  const notices: AccountNotice[] = [];
  const states: StreamState[] = [];
  feed.status$.subscribe(({ state }) => states.push(state));
  const subscription = feed.notices$.subscribe((notice) => notices.push(notice));
  return { time, account, feed, notices, states, stop: () => subscription.unsubscribe() };
}

const tradesOf = (notices: readonly AccountNotice[]): readonly string[] =>
  notices.flatMap((notice) =>
    notice.kind === 'trades' ? notice.trades.map(({ venueTradeId }) => venueTradeId) : [],
  );
const callsFor = ({ calls }: FakeAccount, what: string): readonly number[] =>
  calls.filter((call) => call.what.startsWith(what)).map(({ at }) => at - START);

describe('an account', () => {
  it('is read once at the start and then seldom while nothing should change', async () => {
    const { time, account, states } = watching();

    await time.advance(150_000);

    expect(callsFor(account, 'orders spot:BTCUSDT')).toEqual([0, 60_000, 120_000]);
    expect(callsFor(account, 'account')).toEqual([0, 60_000, 120_000]);
    expect(states).toEqual(['stale', 'live']);
  });

  it('is read on the grid while orders work, for their instrument only', async () => {
    const { time, account, feed } = watching();
    await time.advance(3_500);

    feed.setWorking(BTC, true);
    await time.advance(5_000);
    feed.setWorking(BTC, false);
    await time.advance(10_000);

    // At once, on the even seconds, and once more when nothing works any longer.
    expect(callsFor(account, 'orders spot:BTCUSDT')).toEqual([
      0, 3_500, 4_000, 6_000, 8_000, 8_500,
    ]);
    expect(callsFor(account, 'orders spot:ETHUSDT')).toEqual([0]);
  });

  it('tells of each trade once, and reads on from the last', async () => {
    const { time, account, feed, notices } = watching();
    account.executions = [aTrade(8), aTrade(9)];
    await time.advance(100);
    account.executions = [aTrade(8), aTrade(9), aTrade(11), aTrade(10), aTrade(10)];

    feed.expectChange(BTC);
    await time.advance(100);

    expect(tradesOf(notices)).toEqual(['8', '9', '10', '11']);
    expect(account.calls.at(-2)?.what).toBe('trades spot:BTCUSDT from 9');
    // A trade changes balances and positions: they are read again.
    expect(callsFor(account, 'account')).toEqual([0, 100]);
  });

  it('goes on after a restart from the last trade that is known', async () => {
    const { time, account, notices } = watching(new Map([[BTC, '9']]));
    account.executions = [aTrade(8), aTrade(9), aTrade(10)];

    await time.advance(100);

    expect(tradesOf(notices)).toEqual(['10']);
  });

  it('reads again what a failure has cut short', async () => {
    const { time, account, notices, states } = watching();
    account.executions = [aTrade(1), aTrade(2), aTrade(3)];
    account.failsAfter = 2;
    await time.advance(5_000);
    const before = tradesOf(notices);
    account.failsAfter = Number.POSITIVE_INFINITY;

    await time.advance(10_000);

    expect(before).toEqual([]);
    expect(tradesOf(notices)).toEqual(['1', '2', '3']);
    // One poll that fails is not hidden by those that work.
    expect(states).toEqual(['stale', 'down', 'live']);
  });

  it('asks again at once when it is told while it is asking', async () => {
    const { time, account, feed } = watching();
    feed.expectChange(BTC);
    feed.expectChange(BTC);
    await time.advance(1_000);

    expect(callsFor(account, 'orders spot:BTCUSDT').length).toBeLessThanOrEqual(2);
  });

  it('ends with an error when the key is refused, and its calls when nobody watches', async () => {
    const { time, account, stop } = watching();
    await time.advance(100);
    stop();
    expect(time.pending).toBe(0);

    const refused = new FakeAccount(time);
    refused.openOrders = () => Promise.reject(new AuthError('E_AUTH', 'no'));
    const feed = new AccountFeed({
      source: refused,
      time,
      instruments: [createInstrumentId('spot', 'BTCUSDT')],
      products: ['spot'],
    });
    const errors: unknown[] = [];
    feed.notices$.subscribe({ error: (error: unknown) => errors.push(error) });
    await time.advance(100_000);

    expect(errors).toMatchObject([{ code: 'E_AUTH' }]);
    expect(time.pending).toBe(0);
    expect(callsFor(account, 'account')).toEqual([0]);
  });
});
