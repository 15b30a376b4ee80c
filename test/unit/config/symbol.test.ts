import { describe, expect, it } from 'vitest';
import { splitSymbol } from '../../../src/config/symbol.js';

describe('splitSymbol', () => {
  it.each([
    ['BTCUSDT', ['BTC/USDT']],
    ['ETHBTC', ['ETH/BTC']],
    ['USDCUSDT', ['USDC/USDT']],
    ['BTC-USDT', ['BTC/USDT']],
    ['BTC_EUR', ['BTC/EUR']],
    ['E-BTC-USDT', ['BTC/USDT']],
    ['E-USDT', ['E/USDT']],
    ['BTCTUSD', ['BTC/TUSD', 'BTCT/USD']],
    ['USDT', []],
    ['XYZ', []],
    ['A-B-C', []],
    ['-USDT', []],
  ])('reads %s as %j', (symbol, pairs) => {
    const found = splitSymbol(symbol).map(({ base, quote }) => `${base}/${quote}`);

    expect(found).toEqual(pairs);
  });
});
