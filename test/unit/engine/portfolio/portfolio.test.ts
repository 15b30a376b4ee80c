import { describe, expect, it } from 'vitest';

import {
  DomainError,
  formatFixed,
  parseFixed,
  type Asset,
  type Fixed,
} from '../../../../src/domain/index.js';
import type { Portfolio } from '../../../../src/engine/index.js';
import { failureOf } from '../../../support/failure.js';
import { SPOT } from '../../../support/risk/builders.js';
import { aSpot } from '../../../support/engine/engine.js';
import { aFillRecord, aPortfolio } from '../../../support/engine/portfolio.js';

const STEP = parseFixed('0.001');
const ETHBTC = aSpot('ETH', 'BTC');
const ETHUSDT = aSpot('ETH', 'USDT');

/** Balances as decimal text. */
function totals(portfolio: Portfolio): Readonly<Record<Asset, string>> {
  return Object.fromEntries(
    [...(portfolio.balances().spot ?? [])].map(([asset, amount]) => [asset, formatFixed(amount)]),
  );
}

function heldOf(portfolio: Portfolio): { readonly quantity: string; readonly entryValue: string } {
  const { quantity, entryValue } = portfolio.instrument(SPOT.id).long.holding;
  return { quantity: formatFixed(quantity), entryValue: formatFixed(entryValue) };
}

describe('applyFill', () => {
  it('pays a purchase and its fee in quote', () => {
    const portfolio = aPortfolio({});

    portfolio.applyFill(aFillRecord({ price: '200', quantity: '2', fee: '0.4' }), STEP);

    // 1,000 − 2 × 200 − 0.4
    expect(totals(portfolio)).toEqual({ USDT: '599.6', BTC: '2' });
    expect(heldOf(portfolio)).toEqual({ quantity: '2', entryValue: '400' });
    expect(portfolio.residual()).toBe(0n);
  });

  it('deducts a fee in base from the bought quantity', () => {
    const portfolio = aPortfolio({});

    portfolio.applyFill(
      aFillRecord({ price: '200', quantity: '2', fee: '0.002', feeAsset: 'BTC' }),
      STEP,
    );

    // 2 − 0.002, for which 400 was paid
    expect(totals(portfolio)).toEqual({ USDT: '600', BTC: '1.998' });
    expect(heldOf(portfolio)).toEqual({ quantity: '1.998', entryValue: '400' });
    expect(formatFixed(portfolio.cash('spot', 'BTC').fees)).toBe('0.002');
    expect(portfolio.residual()).toBe(0n);
  });

  it('includes a fee in an asset without a balance in no total', () => {
    const portfolio = aPortfolio({});

    portfolio.applyFill(aFillRecord({ price: '200', fee: '0.01', feeAsset: 'BNB' }), STEP);

    expect(totals(portfolio)).toEqual({ USDT: '800', BTC: '1' });
    expect(portfolio.worthOfFee('spot', 'BNB')).toBeUndefined();
    expect(portfolio.residual()).toBe(0n);
  });

  it('pays a fee in a third asset from the balance of that asset', () => {
    const portfolio = aPortfolio({
      instruments: [SPOT, ETHUSDT],
      balances: { USDT: '1000', ETH: '3' },
    });

    portfolio.applyFill(
      aFillRecord({ price: '200', quantity: '2', fee: '0.1', feeAsset: 'ETH' }),
      STEP,
    );
    portfolio.applyFill(
      aFillRecord({ side: 'sell', price: '200', quantity: '1', fee: '-0.02', feeAsset: 'ETH' }),
      STEP,
    );

    // 1,000 − 2 × 200 + 1 × 200; 3 − 0.1 + 0.02, where the 0.02 are a rebate of the venue
    expect(totals(portfolio)).toEqual({ USDT: '800', BTC: '1', ETH: '2.92' });
    expect(heldOf(portfolio)).toEqual({ quantity: '1', entryValue: '200' });
    expect(formatFixed(portfolio.cash('spot', 'ETH').fees)).toBe('0.08');
  });

  it('removes a share of the entry value with a part, and the rest with the last part', () => {
    const portfolio = aPortfolio({});
    portfolio.applyFill(aFillRecord({ price: '100', quantity: '3' }), STEP);

    portfolio.applyFill(aFillRecord({ side: 'sell', price: '130', quantity: '1' }), STEP);
    const part = heldOf(portfolio);
    portfolio.applyFill(aFillRecord({ side: 'sell', price: '70', quantity: '2' }), STEP);

    // 300 × 2/3
    expect(part).toEqual({ quantity: '2', entryValue: '200' });
    expect(heldOf(portfolio)).toEqual({ quantity: '0', entryValue: '0' });
    // 1,000 − 300 + 130 + 140
    expect(totals(portfolio)).toEqual({ USDT: '970', BTC: '0' });
    expect(portfolio.residual()).toBe(0n);
  });

  it('is flat once less than a step is left, which stays as dust without a cost', () => {
    const portfolio = aPortfolio({});
    portfolio.applyFill(aFillRecord({ quantity: '1', fee: '0.0015', feeAsset: 'BTC' }), STEP);
    const wasExposed = portfolio.isExposed;

    portfolio.applyFill(aFillRecord({ side: 'sell', quantity: '0.998' }), STEP);

    expect([wasExposed, portfolio.isExposed]).toEqual([true, false]);
    // 1 − 0.0015 − 0.998
    expect(heldOf(portfolio)).toEqual({ quantity: '0.0005', entryValue: '0' });
    expect(portfolio.residual()).toBe(0n);
  });

  it('values a purchase before any candle at the price that was paid', () => {
    const portfolio = aPortfolio({});

    portfolio.applyFill(aFillRecord({ price: '250', quantity: '2' }), STEP);

    expect(formatFixed(portfolio.equity())).toBe('1000');
  });

  it('separates instruments of one base, and joins their balances', () => {
    const portfolio = aPortfolio({
      instruments: [SPOT, ETHUSDT, ETHBTC],
      balances: { USDT: '1000', BTC: '1' },
    });

    portfolio.applyFill(aFillRecord({ instrument: ETHUSDT, price: '10', quantity: '4' }), STEP);
    portfolio.applyFill(
      aFillRecord({ instrument: ETHBTC, price: '0.1', quantity: '5', fee: '0.001' }),
      STEP,
    );

    // BTC: 1 − 5 × 0.1 − 0.001; ETH: 4 + 5
    expect(totals(portfolio)).toEqual({ USDT: '960', BTC: '0.499', ETH: '9' });
    const held = [ETHUSDT, ETHBTC].map(({ id }) => portfolio.instrument(id).long.holding.quantity);
    expect(held.map(formatFixed)).toEqual(['4', '5']);
    expect(portfolio.residual()).toBe(0n);
  });
});

describe('equity', () => {
  it('is cash and holdings at last prices, also of assets that are quotes elsewhere', () => {
    const portfolio = aPortfolio({
      instruments: [SPOT, ETHBTC, ETHUSDT],
      balances: { USDT: '1000', BTC: '2', ETH: '3' },
    });

    portfolio.instrument(SPOT.id).lastNumber = 100.25;
    portfolio.instrument(ETHUSDT.id).lastNumber = 10.5;

    // 1,000 + 2 × 100.25 + 3 × 10.5
    expect(formatFixed(portfolio.equity())).toBe('1232');
    expect(portfolio.numbers.equity()).toBe(1_232);
    expect(formatFixed(portfolio.valueOf('ETH', parseFixed('2')))).toBe('21');
    expect(formatFixed(portfolio.valueOf('USDT', parseFixed('2')))).toBe('2');
  });

  it('ignores assets without a price', () => {
    const portfolio = aPortfolio({ balances: { USDT: '1000', BTC: '2' } });

    expect(formatFixed(portfolio.equity())).toBe('1000');
    expect(portfolio.quantityFor(SPOT.id, parseFixed('100'))).toBe(0n);
  });

  it.each([
    {
      name: 'a quote that nothing prices',
      options: { instruments: [SPOT, ETHBTC] },
      asset: 'ETH',
    },
    {
      name: 'a balance of something else',
      options: { balances: { USDT: '1', DOGE: '5' } },
      asset: 'DOGE',
    },
    {
      name: 'a currency that is only a base',
      options: { equityCurrency: 'BTC' },
      asset: 'USDT',
    },
  ])('is refused with $name', ({ options, asset }) => {
    const failure = failureOf(() => aPortfolio(options));

    expect(failure).toBeInstanceOf(DomainError);
    expect(failure).toMatchObject({ code: 'E_EQUITY_CURRENCY' });
    expect(failure.message).toMatch(new RegExp(`^no instrument among .* values ${asset} in `));
    expect(failure.message).toContain('among spot:BTCUSDT');
  });
});

describe('initial holdings', () => {
  it('are a position whose entry value is its value at the start', () => {
    const portfolio = aPortfolio({ balances: { BTC: '2' } });
    portfolio.instrument(SPOT.id).lastNumber = 100;

    portfolio.openInitialHoldings(() => 0n);
    portfolio.applyFill(aFillRecord({ side: 'sell', price: '150', quantity: '0.5' }), STEP);

    // 200 × 1.5 / 2
    expect(heldOf(portfolio)).toEqual({ quantity: '1.5', entryValue: '150' });
    expect(portfolio.isExposed).toBe(true);
    expect(portfolio.residual()).toBe(0n);
  });

  it.each([
    ['0.0009', false],
    ['0.001', true],
  ])('of %s are exposure: %s, where a step is 0.001', (held, isExposed) => {
    const portfolio = aPortfolio({ balances: { BTC: held } });
    portfolio.instrument(SPOT.id).lastNumber = 100;

    portfolio.openInitialHoldings(() => parseFixed('0.001'));

    expect(portfolio.isExposed).toBe(isExposed);
  });
});

describe('locked', () => {
  it('moves money from free to locked and back', () => {
    const portfolio = aPortfolio({});
    const read = (): readonly Fixed[] => {
      const { free, locked } = portfolio.balance('USDT').exact;
      return [portfolio.free('USDT'), free, locked].map((amount) => amount / 10n ** 18n);
    };

    portfolio.cash('spot', 'USDT').locked += parseFixed('300');
    const locked = read();
    portfolio.cash('spot', 'USDT').locked -= parseFixed('300');

    expect(locked).toEqual([700n, 700n, 300n]);
    expect(read()).toEqual([1_000n, 1_000n, 0n]);
  });
});

describe('residual', () => {
  it('shows the difference to the balances of the venue', () => {
    const portfolio = aPortfolio({});

    const venue = { spot: new Map([['USDT', parseFixed('999.99')]]) };

    expect(formatFixed(portfolio.residual(venue))).toBe('0.01');
  });
});
