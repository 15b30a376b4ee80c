import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/assembly/index.js';
import { createInstrumentId, parseFixed, type Candle } from '../../src/domain/index.js';
import { buildResult } from '../../src/report/index.js';
import { CandleStrategy } from '../../src/strategy/index.js';
import { aBacktestConfig } from '../support/backtest-config.js';
import { createMemoryArchive } from '../support/memory-archive.js';

const ID = createInstrumentId('spot', 'BTCUSDT');
const HOUR = 3_600_000;

class SellsAtOnce extends CandleStrategy({}) {
  override onCandle(candle: Candle): void {
    if (candle.openTime === 0) this.exit();
  }
}

describe('starting balances', () => {
  it('counts base held from the start as a position and its sale as a trade', async () => {
    const prices = Float64Array.of(100, 120, 120);
    const columns = {
      openTime: Float64Array.of(0, HOUR, 2 * HOUR),
      open: prices,
      high: prices,
      low: prices,
      close: prices,
      volume: prices,
    };
    const balances = new Map([
      ['BTC', parseFixed('2')],
      ['USDT', parseFixed('50')],
    ]);

    const record = await runBacktest({
      config: aBacktestConfig({
        instrumentId: ID,
        interval: '1h',
        simulation: { balances: { spot: balances } },
      }),
      archive: createMemoryArchive([{ instrumentId: ID, interval: '1h', columns }]),
      strategyClass: SellsAtOnce,
      sourceHash: '',
    });
    const result = buildResult(record);

    // 50 + 2 × 100, then 50 + 2 × 120
    expect(result.equity).toEqual({ initial: '250', final: '290', currency: 'USDT' });
    expect(result.statistics).toMatchObject({ trades: 1, winRate: 1, expectancy: '40' });
    expect(result.accounting.residual).toBe('0');
  });
});
