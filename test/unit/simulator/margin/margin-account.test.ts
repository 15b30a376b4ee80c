import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  FIXED_ONE,
  HOUR_MS,
  parseFixed,
  type FeeRates,
  type LimitOrderRequest,
  type MarginInstrument,
  type OrderRequest,
} from '../../../../src/domain/index.js';
import {
  callQuantityOf,
  createConstantFees,
  MarginAccount,
  type HeldOrder,
} from '../../../../src/simulator/index.js';
import type { AccountUpdate } from '../../../../src/venue/index.js';
import {
  aMarginLedger,
  fixedMap,
  lineOf,
  MIDNIGHT,
  pricesOf,
} from '../../../support/margin/builders.js';
import { aLimitRequest, aMarketRequest } from '../../../support/order-requests.js';
import { feesOf } from '../../../support/spot-venue.js';

const INSTRUMENT: MarginInstrument = {
  kind: 'margin',
  id: createInstrumentId('margin', 'BTCUSDT'),
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  leverage: 3n * FIXED_ONE,
};

/** 1,000 USDT at leverage 3, BTC at 100. */
function anAccount(fees: FeeRates = feesOf('0', '0', 'quote')): {
  readonly account: MarginAccount;
  readonly updates: readonly AccountUpdate[];
} {
  const updates: AccountUpdate[] = [];
  const account = new MarginAccount({
    ledger: aMarginLedger(),
    fees: createConstantFees(fees),
    priceOf: pricesOf({ BTC: '100' }),
    onUpdate: (update) => updates.push(update),
  });
  return { account, updates };
}

function working(request: LimitOrderRequest): HeldOrder {
  return { request, instrument: INSTRUMENT, remaining: request.quantity, held: 0n };
}

function executed(
  request: OrderRequest,
  quantity: string,
  price = '100',
): Parameters<MarginAccount['post']>[0] {
  return {
    request,
    instrument: INSTRUMENT,
    price: parseFixed(price),
    quantity: parseFixed(quantity),
    liquidity: 'taker',
    time: MIDNIGHT,
  };
}

describe('MarginAccount', () => {
  it.each([
    ['buy', '30', undefined],
    ['buy', '30.001', '-2017'],
    ['sell', '20', undefined],
    ['sell', '20.001', '-2017'],
  ] as const)('answers a LIMIT %s of %s BTC at 100 with %s', (side, quantity, code) => {
    const { account } = anAccount();

    const refusal = account.refuseLimit(working(aLimitRequest({ side, quantity })), MIDNIGHT);

    expect(refusal?.code).toBe(code);
  });

  it.each([
    ['buy', '3000', '30', undefined],
    ['buy', '3000.01', '30', '-2017'],
    ['buy', '0.01', '0', '-1136'],
    ['sell', '20', '20', undefined],
    ['sell', '20.001', '20.001', '-2017'],
  ] as const)('answers a MARKET %s of %s, %s BTC, with %s', (side, asked, quantity, code) => {
    const { account } = anAccount();
    const request = aMarketRequest({ side, quantity: asked });

    const refusal = account.refuseMarket({
      request,
      instrument: INSTRUMENT,
      price: parseFixed('100'),
      quantity: parseFixed(quantity),
      liquidity: 'taker',
      time: MIDNIGHT,
    });

    expect(refusal?.code).toBe(code);
  });

  it('reserves the loan of an order, so that a second order cannot use it', () => {
    const { account } = anAccount();
    const order = working(aLimitRequest({ quantity: '30' }));
    const second = working(aLimitRequest({ quantity: '0.001' }));

    account.hold(order, MIDNIGHT);
    const whileHeld = account.refuseLimit(second, MIDNIGHT);
    account.release(order);

    expect(whileHeld?.code).toBe('-2017');
    expect(account.refuseLimit(second, MIDNIGHT)).toBeUndefined();
    expect(order.held).toBe(0n);
  });

  it('posts a fill with its fee from the received asset, and reports the first interest', () => {
    const { account, updates } = anAccount(feesOf('0.001', '0.001', 'received'));

    const charge = account.post(executed(aLimitRequest({ quantity: '25' }), '25'));

    expect(charge).toEqual({ fee: parseFixed('0.025'), feeAsset: 'BTC' });
    expect(lineOf(account.ledger, 'BTC')).toBe('free 24.975 locked 0 owes 0 + 0');
    expect(account.totals()).toEqual(fixedMap({ USDT: '-1500.015', BTC: '24.975' }));
    expect(updates).toEqual([
      {
        kind: 'interest',
        asset: 'USDT',
        amount: parseFixed('0.015'),
        eventTime: MIDNIGHT,
        of: 'loan',
      },
    ]);
  });

  it('borrows the fee too if a buy pays it in quote', () => {
    const { account } = anAccount(feesOf('0.001', '0.001', 'quote'));

    account.post(executed(aLimitRequest({ quantity: '10' }), '10'));

    // 1000 + 1 − 1000 free.
    expect(account.ledger.debt('USDT').principal).toBe(FIXED_ONE);
  });

  it('reports the interest of each hour', () => {
    const { account, updates } = anAccount();
    account.post(executed(aMarketRequest({ quantity: '20' }), '20'));

    account.chargeHour(MIDNIGHT + HOUR_MS);

    expect(updates).toEqual(
      [
        { of: 'loan', eventTime: MIDNIGHT },
        { of: 'hour', eventTime: MIDNIGHT + HOUR_MS },
      ].map((each) => ({
        kind: 'interest',
        asset: 'BTC',
        amount: parseFixed('0.0002'),
        ...each,
      })),
    );
  });

  it('reports the part of a forced purchase that the venue paid', () => {
    const { account } = anAccount();
    account.post(executed(aMarketRequest({ quantity: '20' }), '20'));

    // The debt is 20.0002 BTC. They cost 3200.032 USDT, and the account has 3000.
    const { insurance } = account.postForced(executed(aLimitRequest(), '20.0002', '160'));

    expect(insurance).toEqual([{ asset: 'USDT', amount: parseFixed('200.032') }]);
    expect(account.totals()).toEqual(fixedMap({ USDT: '0', BTC: '0' }));
  });
});

describe('callQuantityOf', () => {
  const step = parseFixed('0.001');

  it('rounds a sale down to the step', () => {
    const quantity = parseFixed('1.2349');

    expect(
      callQuantityOf({ kind: 'sell', asset: 'BTC', quantity }, step, feesOf('0', '0', 'quote')),
    ).toBe(parseFixed('1.234'));
  });

  it('rounds a buy-back up to at least the debt, also after a fee in base', () => {
    const buyBack = { kind: 'buy-back', asset: 'BTC', quantity: FIXED_ONE } as const;

    expect(callQuantityOf(buyBack, step, feesOf('0', '0.01', 'quote'))).toBe(FIXED_ONE);
    // 1 ÷ 0.99 = 1.0101…
    expect(callQuantityOf(buyBack, step, feesOf('0', '0.01', 'received'))).toBe(
      parseFixed('1.011'),
    );
  });
});
