import { CandleStrategy } from 'evenkeel';
import { expect, it, vi } from 'vitest';

import { replayBacktest } from '../../../src/assembly/index.js';
import { FIXED_ONE, HOUR_MS } from '../../../src/domain/index.js';
import { Refused } from '../../../src/risk/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { columnsOf } from '../../support/candle-columns.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { BTC } from '../../support/replay.js';

const CANDLES = 100;

class AlwaysRefused extends CandleStrategy({}) {
  override onCandle(): void {
    this.enterLong({ quantity: '0.001' });
  }
}

it('an intent that is refused with each candle is described once', async () => {
  const described = vi.spyOn(Refused.prototype, 'refusal', 'get');
  const config = aBacktestConfig({ instrumentId: BTC, interval: '1h' });
  const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 3 };
  const minOrderMoney = 10n * FIXED_ONE;
  const flat = { open: 100, high: 101, low: 99, close: 100 };
  const candles = Array.from({ length: CANDLES }, (_, hour) => ({ time: hour * HOUR_MS, ...flat }));

  const { refusals } = await replayBacktest({
    config: {
      ...config,
      simulation: { ...config.simulation, rules: new Map([[BTC, { ...rules, minOrderMoney }]]) },
    },
    archive: createMemoryArchive([
      { instrumentId: BTC, interval: '1h', columns: columnsOf(candles) },
    ]),
    strategyClass: AlwaysRefused,
    sourceHash: 'refused',
  });

  expect(refusals).toMatchObject([{ count: CANDLES, refusal: { check: 'min-order-money' } }]);
  expect(described).toHaveBeenCalledTimes(1);
});
