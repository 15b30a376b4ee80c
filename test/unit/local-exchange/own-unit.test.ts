import { describe, expect, it } from 'vitest';

import type { FuturesInstrument } from '../../../src/domain/index.js';
import { inOwnUnit, type StoredUnit } from '../../../src/local-exchange/market/own-unit.js';
import { columnsOf } from '../../support/candle-columns.js';
import { aContract } from '../../support/futures-venue.js';

function contractsOf(
  contract: FuturesInstrument['contract'],
  [multiplier, unit, volume, close]: readonly [string, StoredUnit, number, number],
): number | undefined {
  const row = { time: 0, open: close, high: close, low: close, close, volume };
  return inOwnUnit(columnsOf([row]), unit, aContract(contract, { multiplier })).volume[0];
}

describe('the volume of a contract that uses the candles of its pair', () => {
  it.each([
    ['linear', ['0.1', 'base', 0.3, 7], 3],
    ['linear', ['0.1', 'base', 0.39, 7], 3],
    ['linear', ['0.001', 'quote', 1.15 * 3, 3], 1_150],
    ['linear', ['0.01', 'quote', 0.7, 0.7], 100],
    ['inverse', ['1', 'base', 1.15, 100], 115],
    ['inverse', ['10', 'quote', 300, 7], 30],
    ['inverse', ['100', 'quote', 299, 7], 2],
  ] as const)(
    'of a %s one counts whole contracts exactly: %j are %d',
    (contract, row, expected) => {
      expect(contractsOf(contract, row)).toBe(expected);
    },
  );

  it('is that of its own candles if these are stored', () => {
    const columns = columnsOf([{ time: 0, open: 1, high: 1, low: 1, close: 1, volume: 5 }]);
    const contract = aContract('linear', { multiplier: '0.1' });

    expect(inOwnUnit(columns, 'contracts', contract)).toBe(columns);
  });
});
