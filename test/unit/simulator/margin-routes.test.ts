import { describe, expect, it } from 'vitest';

import { formatFixed, MINUTE_MS, type Side } from '../../../src/domain/index.js';
import { describeAny } from '../../support/futures-venue.js';
import type { Amounts } from '../../support/margin/builders.js';
import { aRoutePair, aRouteVenue } from '../../support/margin/route-venue.js';
import { aLimitRequest } from '../../support/order-requests.js';
import { play, type VenueCandle } from '../../support/spot-venue.js';

const ETH_BTC = aRoutePair('ETH', 'BTC');
const BTC_USDT = aRoutePair('BTC', 'USDT');

const still = (price: number): VenueCandle => ({ path: [price, price, price, price] });

/** Two minutes at one price. */
const calm = (price: number): readonly VenueCandle[] => [still(price), still(price)];

/** ETH costs 0.05 BTC for a minute and then `later`; BTC costs 100 USDT. The pair that leads to USDT is the last one. */
function aVenue(balances: Amounts, later: number): ReturnType<typeof aRouteVenue> {
  const candles = new Map([
    [ETH_BTC, [still(0.05), still(later)]],
    [BTC_USDT, [still(100), still(100)]],
  ]);
  return aRouteVenue(balances, candles);
}

/** Trades 60 ETH at 0.05. Returns the updates of the margin call a minute later. */
function callOf(side: Side, balances: Amounts, later: number): readonly string[] {
  const { venue, updates } = aVenue(balances, later);
  const submit = aLimitRequest({
    instrumentId: ETH_BTC.id,
    side,
    quantity: '60',
    limitPrice: '0.05',
  });
  play({ venue }, [{ at: 0, submit }], 2 * MINUTE_MS);
  const ledger = venue.accounts.margin?.ledger;

  for (const asset of ['ETH', 'BTC', 'USDT']) {
    expect(ledger?.residual().get(asset) ?? 0n).toBe(0n);
    expect(ledger?.debt(asset)).toEqual({ principal: 0n, interest: 0n });
  }
  expect(ledger?.totals().get('USDT')).toBe(0n);
  return updates.map(describeAny).slice(1);
}

describe('a margin account with a pair that is not quoted in its currency', () => {
  it('is valued in the quote asset that all its assets can be converted to', () => {
    expect(aVenue({ USDT: '1' }, 0.05).venue.accounts.margin?.ledger.currency).toBe('USDT');
  });

  it('buys a debt back over both pairs in a margin call', () => {
    // The sale brings 3 BTC, beside 1 BTC in the account. At 0.07 the purchase needs 4.2 BTC, and the venue pays 20 USDT of their price.
    expect(callOf('sell', { BTC: '1' }, 0.07)).toEqual([
      '+60000 forced-fill margin-call sell 4 @ 100 fee 0',
      '+60000 forced-fill margin-call buy 4.2 @ 100 fee 0 insured 20',
      '+60000 forced-fill margin-call buy 60 @ 0.07 fee 0',
    ]);
  });

  it('sells its assets in a margin call, repays, and buys back the rest of the debt', () => {
    // The purchase costs 3 BTC. At 0.03 the sale brings 1.8 BTC, and the missing 1.2 BTC cost 20 USDT more than the account has.
    expect(callOf('buy', { USDT: '100' }, 0.03)).toEqual([
      '+60000 forced-fill margin-call sell 60 @ 0.03 fee 0',
      '+60000 forced-fill margin-call buy 1.2 @ 100 fee 0 insured 20',
    ]);
  });
});

describe('the level of a margin account', () => {
  it('counts a pair from its first candle on, within candles too', () => {
    // 60 ETH were sold for 3 BTC before BTC had a price. Then ETH costs 0.3 BTC within a candle, so that the debt is 1800 USDT and the assets are 1300 USDT.
    const { venue, updates } = aRouteVenue(
      { USDT: '1000' },
      new Map([
        [ETH_BTC, [still(0.05), still(0.05), { path: [0.05, 0.3, 0.05, 0.05] }, still(0.05)]],
        [BTC_USDT, [{ ...still(100), minute: 1 }, still(100), still(100)]],
      ]),
    );
    const sale = {
      instrumentId: ETH_BTC.id,
      side: 'sell',
      quantity: '60',
      limitPrice: '0.05',
    } as const;
    play({ venue }, [{ at: 0, submit: aLimitRequest(sale) }], 4 * MINUTE_MS);

    // 1300 = 1.3 × 60 × 100 × 0.1666…, at 7/15 of the way to 0.3 in the second third.
    expect(updates.map(describeAny)[1]).toMatch(/^\+149334 margin-warning 1\.29999/);
  });

  it('is also that at the end of a finer candle, where the next one opens above', () => {
    const [bitcoin, ether] = [BTC_USDT, aRoutePair('ETH', 'USDT')];
    const { venue, updates } = aRouteVenue(
      { USDT: '100' },
      new Map([
        [bitcoin, [...calm(100), { path: [100, 100, 80, 80] }, ...calm(95)]],
        [ether, [...calm(100), { path: [90, 101, 80, 84] }, ...calm(95)]],
      ]),
      '5min',
    );
    const script = [bitcoin, ether].map(({ id: instrumentId }) => {
      const purchase = { instrumentId, side: 'buy', quantity: '2' } as const;
      return { at: 0, submit: aLimitRequest(purchase) };
    });
    play({ venue }, script, 5 * MINUTE_MS);

    // 300 USDT are owed. Both prices together are 190, 180 and 181 at the corners, 164 at the end, and 165 at 16/17 of the last third.
    expect(updates.map(describeAny).slice(-3)).toEqual([
      '+120000 margin-warning 1.266666666666666667',
      '+178824 forced-fill margin-call sell 2 @ 85 fee 0',
      '+178824 forced-fill margin-call sell 2 @ 80 fee 0',
    ]);
  });
});

describe('a candle of a pair through which another asset is owed', () => {
  /** Sells 60 ETH for 3 BTC. Then BTC rises from 100 to 700 and falls to 90 in one candle, while a bid rests. */
  function doubtOf(balances: Amounts, limitPrice: string) {
    const { venue } = aRouteVenue(
      balances,
      new Map([
        [ETH_BTC, [still(0.05), still(0.05), still(0.05)]],
        [BTC_USDT, [still(100), { path: [100, 700, 90, 100] }, still(100)]],
      ]),
    );
    const pair = { instrumentId: ETH_BTC.id, side: 'sell' } as const;
    const sale = aLimitRequest({ ...pair, quantity: '60', limitPrice: '0.05' });
    const bid = aLimitRequest({
      ...{ instrumentId: BTC_USDT.id, side: 'buy' },
      ...{ quantity: '1', limitPrice },
    });

    play(
      { venue },
      [
        { at: 0, submit: sale },
        { at: 1_000, submit: bid },
      ],
      3 * MINUTE_MS,
    );

    return venue.undecided();
  }

  it('is undecided if the level falls at its high and an order rests below its open', () => {
    // The level is (3 BTC + 200 USDT) / 3 BTC: it falls as BTC rises, although more BTC is owned than owed.
    const spans = doubtOf({ USDT: '200' }, '95').spans.get(BTC_USDT.id);

    expect(spans?.opens.map((open) => open % (60 * MINUTE_MS))).toContain(MINUTE_MS);
  });

  it('puts each position at stake once, also the one that is valued through it', () => {
    const money = doubtOf({ USDT: '200', BTC: '0.5' }, '95').money.get('USDT');

    // In the minute before, the bid that arrives, at 100. Then the bid at 95; 4.5 BTC at the low, after its fill; 60 ETH, which are 3 BTC, at the high.
    expect(formatFixed(money ?? 0n)).toBe('2700');
  });
});
