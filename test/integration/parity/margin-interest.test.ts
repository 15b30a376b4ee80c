import { setImmediate as nextTurn } from 'node:timers/promises';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { runParity, type BacktestConfig } from '../../../src/assembly/index.js';
import { systemTime } from '../../../src/engine/system-time.js';
import {
  createInstrumentId,
  MINUTE_MS,
  parseFixed,
  type CandleColumns,
} from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { aBacktestConfig, constantLatency } from '../../support/backtest-config.js';
import { columnsOf } from '../../support/candle-columns.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { drawnMarginRuns, parityOf } from '../../support/parity/drawn-runs.js';
import { parityEnds } from '../../support/runs.js';

const PAIR = createInstrumentId('margin', 'BTCUSDT');
const START = Date.UTC(2026, 0, 1);

function stillMinutes(count: number): CandleColumns {
  return columnsOf(
    Array.from({ length: count }, (_, row) => ({
      ...{ time: START + row * MINUTE_MS, open: 100, high: 100, low: 100, close: 100 },
      volume: 1_000,
    })),
  );
}

const BASIS = aBacktestConfig({ instrumentId: PAIR, interval: '1min' });
const CONFIG: BacktestConfig = {
  ...BASIS,
  equityCurrency: 'USDT',
  instruments: [
    {
      ...({ kind: 'margin', instrumentId: PAIR, symbol: 'BTCUSDT', base: 'BTC' } as const),
      ...({ quote: 'USDT', intervals: ['1min'], leverage: parseFixed('3') } as const),
    },
  ],
  simulation: {
    ...BASIS.simulation,
    from: START + MINUTE_MS,
    to: START + 8 * MINUTE_MS,
    balances: { margin: new Map([['USDT', parseFixed('1000')]]) },
    rules: new Map([[PAIR, { tradable: true, pricePrecision: 2, quantityPrecision: 3 }]]),
    margin: { hourlyRate: parseFixed('0.001') },
    latency: constantLatency(250),
  },
};

/** Buys twice with its second candle: together 1,600 are paid, of which 1,000 are owned. */
class BuysTwice extends CandleStrategy({}) {
  #candles = 0;

  override onCandle(): void {
    this.#candles += 1;
    if (this.#candles !== 2) return;
    this.enterLong({ quantity: '8' });
    this.enterLong({ quantity: '8' }, { limitPrice: '104', add: true });
  }
}

describe('parity on margin', () => {
  it('computes the loan of a fill without what is held back for an order that is still on its way', async () => {
    const { report, disagreements } = await runParity({
      config: CONFIG,
      strategyClass: BuysTwice,
      sourceHash: 'margin-interest',
      archive: createMemoryArchive([
        { instrumentId: PAIR, interval: '1min', columns: stillMinutes(9) },
      ]),
      breathe: () => nextTurn(),
      timers: systemTime,
    });

    expect(report.counts.fills).toBe(2);
    expect([report.difference, disagreements]).toEqual([undefined, []]);
  });

  it('is the same in drawn runs, interest included', async () => {
    const found = { fills: 0 };
    await fc.assert(
      fc.asyncProperty(drawnMarginRuns, async (drawn) => {
        const outcome = await parityOf(drawn);
        fc.pre(outcome !== undefined);

        const { report, disagreements } = outcome;
        expect(report.difference).toBeUndefined();
        expect(disagreements).toEqual([]);
        found.fills += report.counts.fills;
      }),
      { numRuns: parityEnds(), endOnFailure: true },
    );

    console.info(`parity on margin: ${JSON.stringify(found)}`);
    expect(found.fills).toBeGreaterThan(0);
  });
});
