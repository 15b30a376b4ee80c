import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  Balance,
  createInstrumentId,
  decimal,
  Decimal,
  decimalFromNumber,
  formatFixed,
  parseFixed,
  parseInstrumentId,
  present,
  priceFromFixed,
  PRODUCT_KINDS,
  quantityFromFixed,
  splitInstrumentId,
} from '../../../src/domain/index.js';
import { stepped } from '../../support/arbitraries/amounts.js';
import { failureOf } from '../../support/failure.js';

describe('Price and Quantity', () => {
  const amount = stepped(18, { min: 1n, max: 10n ** 30n });

  it('show every digit of an exact amount', () => {
    fc.assert(
      fc.property(amount, (value) => {
        expect(priceFromFixed(value).toFixed()).toBe(formatFixed(value));
        expect(quantityFromFixed(value).toFixed()).toBe(formatFixed(value));
      }),
    );
  });
});

describe('decimal', () => {
  it('keeps every digit of a product, where the default of the library keeps 20', () => {
    expect(decimal('123456789.123456789').times('987654321.987654321').toFixed()).toBe(
      '121932631356500531.347203169112635269',
    );
  });

  it('never prints an exponent', () => {
    expect(String(decimal('0.00000001'))).toBe('0.00000001');
    expect(JSON.stringify(decimal('1e-30'))).toBe(`"0.${'0'.repeat(29)}1"`);
  });

  it('accepts a Decimal of another copy of the library by its text', () => {
    const Other = Decimal.clone({ precision: 5 });

    const taken = decimal(new Other('1.234567890123'));

    expect(taken).toBeInstanceOf(Decimal);
    expect(taken.toFixed()).toBe('1.234567890123');
  });

  it.each(['', 'abc', '1,5', 'NaN', 'Infinity', '0x1f', ' 1'])('refuses "%s"', (text) => {
    expect(failureOf(() => decimal(text))).toMatchObject({ code: 'E_DECIMAL' });
  });

  it('refuses Decimals that are not finite', () => {
    expect(failureOf(() => decimal(new Decimal('NaN')))).toMatchObject({ code: 'E_DECIMAL' });
    expect(failureOf(() => decimal(new Decimal('Infinity')))).toMatchObject({ code: 'E_DECIMAL' });
  });

  it('decimalFromNumber reads the shown digits of a float, and refuses NaN', () => {
    expect(decimalFromNumber(0.1 + 0.2).toFixed()).toBe('0.30000000000000004');
    expect(failureOf(() => decimalFromNumber(Number.NaN))).toMatchObject({ code: 'E_DECIMAL' });
  });
});

describe('instrument ids', () => {
  it('are parsed and split into the parts they were created from', () => {
    for (const kind of PRODUCT_KINDS) {
      const id = createInstrumentId(kind, 'E-BTC-USDT');

      expect(parseInstrumentId(id)).toBe(id);
      expect(splitInstrumentId(id)).toEqual({ kind, symbol: 'E-BTC-USDT' });
    }
  });

  it.each(['', 'BTCUSDT', 'spot:', 'stock:BTC', 'spot:BTC:USDT', 'spot:BTC USDT', 'spot:../x'])(
    'cannot be parsed from "%s"',
    (text) => {
      expect(failureOf(() => parseInstrumentId(text))).toMatchObject({ code: 'E_INSTRUMENT' });
    },
  );
});

describe('Balance', () => {
  it('shows the free, locked and total amount', () => {
    const balance = new Balance('USDT', { free: parseFixed('1.5'), locked: parseFixed('0.25') });

    expect([balance.free, balance.locked, balance.total].map((part) => part.toFixed())).toEqual([
      '1.5',
      '0.25',
      '1.75',
    ]);
  });
});

describe('present', () => {
  it('returns a value, also 0 or an empty text, and throws E_MISSING for undefined and null', () => {
    expect(present(0, 'number')).toBe(0);
    expect(present('', 'text')).toBe('');
    expect(failureOf(() => present(undefined, 'the thing'))).toMatchObject({ code: 'E_MISSING' });
    expect(failureOf(() => present(null, 'the thing')).message).toContain('the thing');
  });
});
