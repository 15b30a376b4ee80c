import { expect, it } from 'vitest';

import { findBounds, prepareMarket } from '../../../src/assembly/backtest/index.js';
import { createInstrumentId, MINUTE_MS, parseFixed } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { columnsOf } from '../../support/candle-columns.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const ID = createInstrumentId('spot', 'BTCUSDT');
const START = Date.UTC(2025, 0, 6, 8, 0);

/** Buys once by an order that follows last, at most once in five minutes. */
class Chaser extends CandleStrategy({}) {
  #candles = 0;

  override onCandle(): void {
    this.#candles += 1;
    if (this.#candles > 1) return;
    this.enterLong({ quantity: '1' }, { work: { chase: { every: '5min', maxBps: '200' } } });
  }
}

/** Open, high, low, close. In the seventh candle the order moves after 40 s (low first) or 80 s (high first), to the same price. */
const CANDLES = [
  ...Array.from({ length: 6 }, () => [100, 100, 100, 100]),
  [100, 100.4, 100, 100.4],
  ...Array.from({ length: 4 }, () => [100.4, 100.4, 100.4, 100.4]),
  [100.4, 100.6, 100.4, 100.6],
  // The order that moved after 40 s may move as this one opens. The other moves within it, to its low or to its high.
  [100.6, 101, 100.6, 101],
  [101, 101, 100.8, 101],
  [101, 101.5, 101, 101.5],
];

it('tells branches apart whose working order may move at different times', async () => {
  const base = aBacktestConfig({ instrumentId: ID, interval: '1min', parameters: {} });
  const config = {
    ...base,
    simulation: { ...base.simulation, stopPollMs: 40_000, spreadBps: parseFixed('2') },
  };
  const columns = columnsOf(
    CANDLES.map(([open = 0, high = 0, low = 0, close = 0], index) => ({
      ...{ time: START + index * MINUTE_MS, open, high, low, close, volume: 100 },
    })),
  );
  const archive = createMemoryArchive([{ instrumentId: ID, interval: '1min', columns }]);
  const market = await prepareMarket(config, archive);
  const options = { config, strategyClass: Chaser, sourceHash: '' };

  const { low, high, exact } = await findBounds(market, options);

  // One branch buys at 101 and ends at 101.5; no other branch buys.
  expect({ low: low.finalEquity, high: high.finalEquity, exact }).toEqual({
    ...{ low: '10000', high: '10000.5', exact: true },
  });
});
