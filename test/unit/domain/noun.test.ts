import { describe, expect, it } from 'vitest';

import { amountText, nounOf, parseFixed } from '../../../src/domain/index.js';

describe('nounOf', () => {
  it('is singular for 1 and plural for other counts', () => {
    expect([0, 1, 2].map((count) => `${String(count)} ${nounOf(count, 'fill')}`)).toEqual([
      '0 fills',
      '1 fill',
      '2 fills',
    ]);
    expect(nounOf(1, 'intent was', 'intents were')).toBe('intent was');
    expect(nounOf(2, 'intent was', 'intents were')).toBe('intents were');
  });
});

describe('amountText', () => {
  it('writes "contract" for one contract, and an asset always the same', () => {
    expect(['0', '1', '2'].map((amount) => amountText(parseFixed(amount), 'contracts'))).toEqual([
      '0 contracts',
      '1 contract',
      '2 contracts',
    ]);
    expect(amountText(parseFixed('1'), 'BTC')).toBe('1 BTC');
  });
});
