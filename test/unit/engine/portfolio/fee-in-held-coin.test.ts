import { describe, expect, it } from 'vitest';

import { formatFixed } from '../../../../src/domain/index.js';
import { enterLong } from '../../../../src/strategy/index.js';
import { aSpot } from '../../../support/engine/engine.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { SPOT } from '../../../support/risk/builders.js';

const ONE = { quantity: '1' };

describe('a fee in another coin that is held', () => {
  const coin = aSpot('BNB', 'USDT');
  const instruments = [SPOT, coin].map((instrument) => ({
    instrument,
    intervals: ['1min' as const],
  }));

  /** A bench that holds 1 BNB, bought at 100. */
  function aCoinHolder(terms: Parameters<typeof enterLong>[1] = {}): OrderManagerBench {
    const bench = new OrderManagerBench({ instruments });
    bench.candle(100, { instrumentId: coin.id });
    bench.want(enterLong(ONE, { instrument: 'BNBUSDT', ...terms }));
    bench.fill('test-1-0-0', '1', { price: '100' });
    return bench;
  }

  it('makes its take-profit smaller', () => {
    const bench = aCoinHolder({ protection: { takeProfit: { price: '120' } } });
    const [profit = ''] = bench.working;
    const placed = profit.split(' ')[0] ?? '';
    bench.accept(placed);
    const [entry = ''] = bench.want(enterLong(ONE, { instrument: 'BTCUSDT' }));

    const sent = bench.fill(entry.split(':')[0] ?? '', '1', { fee: '0.1', feeAsset: 'BNB' });

    expect(sent).toEqual([`cancel ${placed}`]);
    expect(bench.end(placed)).toEqual([
      expect.stringMatching(/: limit sell close 0.9 base at 120 GTC$/),
    ]);
  });

  it('ends the position if it takes the rest', () => {
    const bench = aCoinHolder({ protection: { stopLoss: { price: '90' } } });
    const [entry = ''] = bench.want(enterLong(ONE, { instrument: 'BTCUSDT' }));

    bench.fill(entry.split(':')[0] ?? '', '1', { fee: '0.9995', feeAsset: 'BNB' });

    const { long } = bench.engine.portfolio.instrument(coin.id);
    expect(formatFixed(long.holding.quantity)).toBe('0.0005');
    expect(long.isExposed).toBe(false);
    expect(bench.engine.guards).toEqual([]);
  });
});
