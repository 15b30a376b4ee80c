import { describe, expect, it } from 'vitest';

import { replayBacktest, type RunOptions } from '../../../src/assembly/index.js';
import {
  createInstrumentId,
  MINUTE_MS,
  type Candle,
  type CandleColumns,
} from '../../../src/domain/index.js';
import { buildResult, type Result } from '../../../src/report/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { MemoryJournal } from '../../support/engine/memory-journal.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const BTC = createInstrumentId('spot', 'BTCUSDT');
const ETH = createInstrumentId('spot', 'ETHUSDT');
const RULES = { pricePrecision: 2, quantityPrecision: 5 };

/** Minute, open, high, low and close. */
type Minute = readonly [number, number, number, number, number];

/** Two minutes are missing, so the strategy receives no candle between the fall in minute 5 and minute 7, which rises first. */
const FALLING: readonly Minute[] = [
  [0, 100, 100.2, 99.8, 100],
  [1, 100, 100.2, 99.8, 100],
  [2, 100, 100.2, 99.8, 100],
  [5, 100, 100.1, 94, 99.9],
  [6, 99.9, 100, 99.8, 99.9],
  [7, 99.9, 103, 98.5, 99.6],
  ...Array.from({ length: 6 }, (_, more): Minute => [8 + more, 99.6, 99.7, 97.5, 99.6]),
];
const CALM: readonly Minute[] = Array.from({ length: 14 }, (_, minute) => [minute, 9, 9, 9, 9]);

function columnsOf(minutes: readonly Minute[]): CandleColumns {
  const column = (index: number): Float64Array =>
    Float64Array.from(minutes, (minute) => minute[index] as number);
  return {
    openTime: column(0).map((minute) => minute * MINUTE_MS),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: new Float64Array(minutes.length).fill(100),
  };
}

/** Holds BTC with a trailing stop, and trades ETH before the stop may be tried again. */
class Buys extends CandleStrategy({}) {
  #seen = 0;

  override onCandle({ instrumentId, openTime }: Candle): void {
    if (instrumentId === BTC) {
      this.#seen += 1;
      if (this.#seen === 1)
        this.enterLong({ notional: '1000' }, { protection: { trailingStop: { distance: '5' } } });
    } else if (openTime === 4 * MINUTE_MS)
      this.enterLong({ notional: '100' }, { instrument: instrumentId });
  }
}

/** BTC cannot be sold from minute 5 on. Candles arrive 90 s late. */
async function run(journal?: RunOptions['journal']): Promise<Result> {
  const config = aBacktestConfig({
    instrumentId: BTC,
    interval: '1min',
    simulation: { dataDelayMs: 90_000, path: 'high-first' },
  });
  const [btc] = config.instruments;
  const eth = { ...btc, instrumentId: ETH, symbol: 'ETHUSDT', base: 'ETH' } as NonNullable<
    typeof btc
  >;
  const record = await replayBacktest({
    config: { ...config, instruments: [...config.instruments, eth] },
    archive: createMemoryArchive(
      [
        { instrumentId: BTC, interval: '1min', columns: columnsOf(FALLING) },
        { instrumentId: ETH, interval: '1min', columns: columnsOf(CALM) },
      ],
      {
        rules: new Map([
          [
            BTC,
            [
              { from: 0, rules: { tradable: true, ...RULES } },
              { from: 5 * MINUTE_MS, rules: { tradable: false, ...RULES } },
            ],
          ],
          [ETH, [{ from: 0, rules: { tradable: true, ...RULES } }]],
        ]),
      },
    ),
    strategyClass: Buys,
    sourceHash: '',
    ...(journal !== undefined && { journal }),
  });
  return buildResult(record);
}

describe('a trailing stop that could not sell and is armed again with the next candle', () => {
  it('ignores prices from before it was armed again, with and without a journal', async () => {
    const plain = await run();
    const kept = await run(new MemoryJournal());

    expect(kept.fills).toHaveLength(2);
    expect(kept.refusals).toHaveLength(1);
    expect(plain.refusals).toEqual(kept.refusals);
  });
});
