import { describe, expect, it } from 'vitest';

import { flowsOfFill, parseFixed, type Side } from '../../../src/domain/index.js';
import { fixedMap, type Amounts } from '../../support/margin/builders.js';

describe('flowsOfFill', () => {
  it.each<readonly [Side, string, string, Amounts]>([
    ['buy', '0.002', 'BTC', { BTC: '1.998', USDT: '-200' }],
    ['buy', '0.2', 'USDT', { BTC: '2', USDT: '-200.2' }],
    ['sell', '0.2', 'USDT', { BTC: '-2', USDT: '199.8' }],
    ['sell', '0.01', 'CET', { BTC: '-2', USDT: '200', CET: '-0.01' }],
  ])('nets a %s of 2 BTC at 100 with a fee of %s %s', (side, fee, feeAsset, expected) => {
    const flows = flowsOfFill(
      { base: 'BTC', quote: 'USDT' },
      { side, price: parseFixed('100'), quantity: parseFixed('2'), fee: parseFixed(fee), feeAsset },
    );

    expect(flows).toEqual(fixedMap(expected));
  });
});
