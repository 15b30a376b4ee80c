import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed } from '../../../src/domain/index.js';
import { createFixedSlippage, createSquareRootSlippage } from '../../../src/simulator/index.js';

const ratio = (
  model: ReturnType<typeof createFixedSlippage>,
  quantity: string,
  volume: string,
): string => formatFixed(model.ratio(parseFixed(quantity), { volume: () => parseFixed(volume) }));

describe('fixed slippage', () => {
  it('is the same for every order', () => {
    const model = createFixedSlippage(parseFixed('0.0001'));

    expect([ratio(model, '1', '100'), ratio(model, '99', '0')]).toEqual(['0.0001', '0.0001']);
  });
});

describe('square-root slippage', () => {
  const model = createSquareRootSlippage(parseFixed('0.1'));

  it.each([
    ['0', '100', '0'],
    ['1', '100', '0.01'],
    ['4', '100', '0.02'],
    ['100', '100', '0.1'],
    ['400', '100', '0.2'],
    // 0.1 × √2, rounded only at the 18th decimal
    ['2', '1', '0.141421356237309505'],
  ])('of %s in a volume of %s is %s', (quantity, volume, expected) => {
    expect(ratio(model, quantity, volume)).toBe(expected);
  });

  it('is the coefficient itself without traded volume', () => {
    expect(ratio(model, '5', '0')).toBe('0.1');
  });

  it('is rounded once', () => {
    // 10 × √0.02 = 1.41421356237309504880…: with a root rounded to 18 decimals first it would end in 50
    expect(ratio(createSquareRootSlippage(parseFixed('10')), '2', '100')).toBe(
      '1.414213562373095049',
    );
  });
});
