import { describe, expect, it } from 'vitest';

import {
  CandleRows,
  createInstrumentId,
  MINUTE_MS,
  parseFixed,
  RuleBook,
  type Asset,
  type MarginInstrument,
  type Side,
} from '../../../src/domain/index.js';
import { SimulatedVenue } from '../../../src/simulator/index.js';
import type { VenueUpdate } from '../../../src/venue/index.js';
import { describeAny } from '../../support/futures-venue.js';
import { fixedMap, type Amounts } from '../../support/margin/builders.js';
import { aLimitRequest } from '../../support/order-requests.js';
import { play, termsOf, venueColumns, type VenueCandle } from '../../support/spot-venue.js';

const ETH_BTC = aPair('ETH', 'BTC');
const BTC_USDT = aPair('BTC', 'USDT');

function aPair(base: Asset, quote: Asset): MarginInstrument {
  const symbol = `${base}${quote}`;
  const id = createInstrumentId('margin', symbol);
  return { kind: 'margin', id, symbol, base, quote, leverage: parseFixed('5') };
}

const still = (price: number): VenueCandle => ({ path: [price, price, price, price] });

/** ETH costs 0.05 BTC for a minute and then `later`; BTC costs 100 USDT. The pair that leads to USDT is the last one. */
function aVenue(
  balances: Amounts,
  later: number,
): { venue: SimulatedVenue; updates: VenueUpdate[] } {
  const updates: VenueUpdate[] = [];
  const rules = new RuleBook();
  const candles = new Map([
    [ETH_BTC, [still(0.05), still(later)]],
    [BTC_USDT, [still(100), still(100)]],
  ]);
  const record = { tradable: true, pricePrecision: 2, quantityPrecision: 3 };
  for (const { id } of candles.keys()) rules.set(id, [{ from: 0, rules: record }]);
  const venue = new SimulatedVenue({
    markets: [...candles].map(([instrument, rows]) => ({
      instrument,
      interval: '1min',
      rows: CandleRows.of(venueColumns(rows)),
      volumeUnit: 'base',
      pricePrecision: 2,
    })),
    rules,
    balances: { margin: fixedMap(balances) },
    ...termsOf({}),
    onUpdate: (update) => updates.push(update),
  });
  return { venue, updates };
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
