import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  candleQuantity,
  FIXED_ONE,
  formatFixed,
  parseFixed,
  parseInstrumentId,
  type CandleVolume,
  type FuturesInstrument,
  type SpotInstrument,
} from '../../../src/domain/index.js';

const SPOT: SpotInstrument = {
  kind: 'spot',
  id: parseInstrumentId('spot:BTCUSDT'),
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
};
const contractOf = (contract: 'linear' | 'inverse', multiplier: string): FuturesInstrument => ({
  kind: 'futures',
  id: parseInstrumentId('futures:E-BTC-USDT'),
  symbol: 'E-BTC-USDT',
  base: 'BTC',
  quote: 'USDT',
  contract,
  multiplier: parseFixed(multiplier),
  marginAsset: contract === 'linear' ? 'USDT' : 'BTC',
  leverage: FIXED_ONE,
  marginMode: 'cross',
});
const LINEAR = contractOf('linear', '0.001');
const INVERSE = contractOf('inverse', '100');

const volumeOf = (volume: string, unit: CandleVolume['unit'], price: string): CandleVolume => ({
  volume: parseFixed(volume),
  unit,
  price: parseFixed(price),
});

describe('candleQuantity', () => {
  it.each([
    ['spot base', SPOT, 'base', '12.5', '12.5'],
    ['spot quote', SPOT, 'quote', '500000', '10'], // 500,000 USDT at 50,000
    ['linear base', LINEAR, 'base', '12.345', '12345'], // 12.345 BTC of 0.001 BTC
    ['linear quote', LINEAR, 'quote', '500000', '10000'], // 10 BTC
    ['linear contracts', LINEAR, 'contracts', '12345', '12345'],
    ['inverse base', INVERSE, 'base', '10', '5000'], // 500,000 USD of 100 USD
    ['inverse quote', INVERSE, 'quote', '500000', '5000'],
    ['inverse contracts', INVERSE, 'contracts', '5000', '5000'],
  ] as const)(
    'converts a candle volume to the unit of orders: %s',
    (_what, instrument, unit, volume, expected) => {
      const quantity = candleQuantity(instrument, volumeOf(volume, unit, '50000'));

      expect(formatFixed(quantity)).toBe(expected);
    },
  );

  it('law: the volumes of one candle in base, quote and contracts give the same number of contracts', () => {
    const contracts = fc.bigInt({ min: 0n, max: 10n ** 9n }).map((count) => count * FIXED_ONE);
    const price = fc.bigInt({ min: 1n, max: 10n ** 7n }).map((cents) => (cents * FIXED_ONE) / 100n);
    fc.assert(
      fc.property(contracts, price, (quantity, at) => {
        const base = (quantity * LINEAR.multiplier) / FIXED_ONE;
        const quote = (base * at) / FIXED_ONE;
        const read = (volume: bigint, unit: CandleVolume['unit']): bigint =>
          candleQuantity(LINEAR, { volume, unit, price: at });

        expect(read(base, 'base')).toBe(quantity);
        expect(read(quote, 'quote')).toBe(quantity);
        expect(read(quantity, 'contracts')).toBe(quantity);
      }),
    );
  });
});
