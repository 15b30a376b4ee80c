import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed } from '../../../src/domain/index.js';
import { SpotLedger } from '../../../src/simulator/accounts/spot-ledger.js';
import { failureOf } from '../../support/failure.js';
import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import {
  aVenue,
  balancesOf,
  feesOf,
  linesOf,
  play,
  report,
  type VenueSetup,
} from '../../support/spot-venue.js';

const REJECTED = '+0 ended order-1 rejected -2017';

describe('balance check of a new order', () => {
  const poor: VenueSetup = { balances: { USDT: '100', BTC: '1' } };
  const fees = feesOf('0.0005', '0.001', 'quote');

  it('rejects a MARKET or LIMIT order that exceeds the balance slightly', () => {
    const orders = [
      aMarketRequest({ side: 'buy', quantity: '100.000000000000000001' }),
      aMarketRequest({ side: 'sell', quantity: '1.001' }),
      aLimitRequest({ side: 'buy', limitPrice: '100.01' }),
      aLimitRequest({ side: 'sell', limitPrice: '200', quantity: '1.001' }),
    ];

    for (const submit of orders) expect(report(poor, [{ at: 0, submit }])).toEqual([REJECTED]);
  });

  it('accepts an order that uses the whole balance', () => {
    const orders = [
      aMarketRequest({ side: 'buy', quantity: '100' }),
      aMarketRequest({ side: 'sell', quantity: '1' }),
      aLimitRequest({ side: 'buy', limitPrice: '100' }),
      aLimitRequest({ side: 'sell', limitPrice: '200' }),
    ];

    for (const submit of orders)
      expect(report(poor, [{ at: 0, submit }])[0]).not.toContain('rejected');
  });

  it('adds the fee if fees are paid in quote', () => {
    // 99.9 × 1.001 = 99.9999; 99.91 × 1.001 = 100.00991
    const costly = { ...poor, fees };

    expect(report(costly, [{ at: 0, submit: aLimitRequest({ limitPrice: '99.9' }) }])[0]).toBe(
      '+0 accepted order-1',
    );
    expect(report(costly, [{ at: 0, submit: aLimitRequest({ limitPrice: '99.91' }) }])).toEqual([
      REJECTED,
    ]);
    expect(
      report(costly, [{ at: 0, submit: aMarketRequest({ side: 'buy', quantity: '99.91' }) }]),
    ).toEqual([REJECTED]);
  });

  it('excludes amounts that other orders lock', () => {
    const lines = report(poor, [
      { at: 0, submit: aLimitRequest({ id: 'a', limitPrice: '50' }) },
      { at: 0, submit: aLimitRequest({ id: 'b', limitPrice: '50' }) },
      { at: 0, submit: aLimitRequest({ id: 'c', limitPrice: '0.01' }) },
      { at: 1, cancel: 'a' },
      { at: 2, submit: aLimitRequest({ id: 'd', limitPrice: '50' }) },
    ]);

    expect(lines).toEqual([
      '+0 accepted a',
      '+0 accepted b',
      '+0 ended c rejected -2017',
      '+1 ended a canceled on-request',
      '+2 accepted d',
    ]);
  });
});

describe('amount locked by a working order', () => {
  it('is its value at the limit plus the fee, falls with each fill, and is 0 after its end', () => {
    const observed = aVenue({
      candles: [{ path: [100, 100, 98, 98], volume: 0.4 }],
      participation: '1',
      fees: feesOf('0.001', '0.001', 'quote'),
    });
    const { venue } = observed;
    const held = (): string => formatFixed(venue.accounts.spot.locked('USDT'));

    play(observed, [{ at: 0, submit: aLimitRequest({ limitPrice: '99' }) }], 0);
    // 99 × 1.001
    expect(held()).toBe('99.099');

    play(observed, [], 50_000);
    // 0.6 × 99 × 1.001
    expect(held()).toBe('59.4594');

    play(observed, [{ at: 50_000, cancel: 'order-1' }], 50_000);
    expect(held()).toBe('0');
    // 10000 − 0.4 × 99 × 1.001
    expect(balancesOf(observed)).toMatchObject({ USDT: '9960.3604', BTC: '10.4' });
  });

  it('is freed completely when the order fills at a better price than its limit', () => {
    const observed = aVenue({ balances: { USDT: '110', BTC: '0' } });

    play(observed, [{ at: 0, submit: aLimitRequest({ limitPrice: '110' }) }], 0);

    expect(linesOf(observed)).toEqual(['+0 fill order-1 1 @ 100 taker, done']);
    expect(balancesOf(observed)).toEqual({ USDT: '10', BTC: '1' });
    expect(observed.venue.accounts.spot.locked('USDT')).toBe(0n);
  });

  it('is counted for each of two orders with the same id', () => {
    const observed = aVenue({ balances: { USDT: '100', BTC: '0' } });
    const twin = aLimitRequest({ id: 'twin', limitPrice: '30' });

    play(
      observed,
      [
        { at: 0, submit: twin },
        { at: 0, submit: twin },
      ],
      0,
    );
    expect(formatFixed(observed.venue.accounts.spot.locked('USDT'))).toBe('60');

    play(observed, [{ at: 0, cancel: 'twin' }], 0);
    expect(formatFixed(observed.venue.accounts.spot.locked('USDT'))).toBe('30');
  });
});

describe('SpotLedger', () => {
  it('adds, takes, locks and frees amounts', () => {
    const ledger = new SpotLedger(new Map([['USDT', parseFixed('10')]]));

    ledger.of('USDT').lock(parseFixed('4'));
    ledger.of('USDT').take(parseFixed('1'));
    ledger.of('BTC').add(parseFixed('2'));
    ledger.of('USDT').lock(parseFixed('-3'));

    expect(formatFixed(ledger.free('USDT'))).toBe('8');
    expect(formatFixed(ledger.locked('USDT'))).toBe('1');
    expect([...ledger.totals()].map(([asset, total]) => `${asset} ${formatFixed(total)}`)).toEqual([
      'USDT 9',
      'BTC 2',
    ]);
    expect(ledger.free('ETH')).toBe(0n);
    expect(ledger.totals().has('ETH')).toBe(false);
  });

  it('throws when an amount would become negative', () => {
    const empty = (): SpotLedger => new SpotLedger(new Map([['USDT', 1n]]));
    const code = { code: 'E_BALANCE_NEGATIVE' };

    expect(
      failureOf(() => {
        empty().of('USDT').take(2n);
      }),
    ).toMatchObject(code);
    expect(
      failureOf(() => {
        empty().of('USDT').lock(2n);
      }),
    ).toMatchObject(code);
    expect(
      failureOf(() => {
        empty().of('USDT').lock(-1n);
      }),
    ).toMatchObject(code);
    expect(
      failureOf(() => {
        empty().of('BTC').add(-1n);
      }).message,
    ).toContain('BTC: expected free and locked >= 0');
  });
});
