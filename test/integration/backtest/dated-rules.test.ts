import { describe, expect, it } from 'vitest';

import { replayBacktest, type RunOptions } from '../../../src/assembly/index.js';
import { createInstrumentId, HOUR_MS, parseFixed, type Candle } from '../../../src/domain/index.js';
import { buildResult, type Result } from '../../../src/report/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { MemoryJournal } from '../../support/engine/memory-journal.js';
import { hourly } from '../../support/hourly-run.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const ID = createInstrumentId('spot', 'BTCUSDT');
const RULES = { tradable: true, pricePrecision: 2, quantityPrecision: 5 };

/** Buys 1 at the first close, and wants a profit while an order must be worth 500. */
class Holder extends CandleStrategy({}) {
  override onCandle({ closeTime }: Candle): void {
    if (closeTime === HOUR_MS) this.enterLong({ quantity: '1' });
    if (closeTime === 3 * HOUR_MS) this.protect({ takeProfit: { price: '110' } });
  }
}

/** The price is above 110 in each candle from the fourth hour on. Rules change in hours 2, 5 and 7. */
async function run(journal?: RunOptions['journal']): Promise<Result> {
  const high = [100, 111, 100, 100] as const;
  const columns = hourly({
    0: 100,
    1: 100,
    2: 100,
    3: high,
    4: high,
    5: high,
    6: high,
    7: high,
    8: high,
  });
  const from = (hours: number, minimum?: string) => ({
    from: hours * HOUR_MS,
    rules: { ...RULES, ...(minimum !== undefined && { minOrderMoney: parseFixed(minimum) }) },
  });
  const config = aBacktestConfig({ instrumentId: ID, interval: '1h' });
  const record = await replayBacktest({
    config: { ...config, simulation: { ...config.simulation, rules: new Map() } },
    archive: createMemoryArchive([{ instrumentId: ID, interval: '1h', columns }], {
      rules: new Map([[ID, [from(0), from(2.5, '500'), from(5.5, '400'), from(6.5, '5')]]]),
    }),
    strategyClass: Holder,
    sourceHash: '',
    keepCloses: false,
    ...(journal !== undefined && { journal }),
  });
  return buildResult(record);
}

describe('rules that change during a run', () => {
  it.each([
    ['without a journal', undefined],
    ['with a journal', new MemoryJournal()],
  ])('let a take-profit rest from the next candle on, %s', async (_, journal) => {
    const { fills, refusals } = await run(journal);

    expect(fills.map(({ side, price, time }) => [side, price, time / HOUR_MS])).toEqual([
      ['buy', '100', 1],
      ['sell', '110', expect.closeTo(7.3, 0.1)],
    ]);
    expect(refusals.map(({ check, limit, count }) => [check, limit, count])).toEqual([
      ['min-order-money', '500', 1],
      ['min-order-money', '400', 1],
    ]);
  });
});

describe('an instrument that becomes untradable during a run', () => {
  /** Buys 1 at the first close. No order is accepted from 2.5 hours on. Candles are at 100, the fifth reaches 111. */
  async function runTo(takeProfit: string): Promise<Result> {
    class Buyer extends CandleStrategy({}) {
      override onCandle({ closeTime }: Candle): void {
        if (closeTime === HOUR_MS)
          this.enterLong({ quantity: '1' }, { protection: { takeProfit: { price: takeProfit } } });
      }
    }
    const flat = { 0: 100, 1: 100, 2: 100, 3: 100, 5: 100 };
    const config = aBacktestConfig({ instrumentId: ID, interval: '1h' });
    const record = await replayBacktest({
      config: {
        ...config,
        simulation: { ...config.simulation, rules: new Map(), closeAtEnd: true },
      },
      archive: createMemoryArchive(
        [
          {
            instrumentId: ID,
            interval: '1h',
            columns: hourly({ ...flat, 4: [100, 111, 100, 100] }),
          },
        ],
        {
          rules: new Map([
            [
              ID,
              [
                { from: 0, rules: RULES },
                { from: 2.5 * HOUR_MS, rules: { ...RULES, tradable: false } },
              ],
            ],
          ]),
        },
      ),
      strategyClass: Buyer,
      sourceHash: '',
      keepCloses: false,
    });
    return buildResult(record);
  }

  it('still fills an order that rests since before', async () => {
    const { fills, warnings } = await runTo('110');

    expect(fills.map(({ side, price }) => [side, price])).toEqual([
      ['buy', '100'],
      ['sell', '110'],
    ]);
    expect(warnings.join()).not.toContain('closeAtEnd');
  });

  it('keeps its position at the end, although `closeAtEnd`, and says so', async () => {
    const { fills, warnings } = await runTo('120');

    expect(fills.map(({ side }) => side)).toEqual(['buy']);
    expect(warnings).toContain(
      'closeAtEnd: spot:BTCUSDT: long 1 is still held, because the instrument is not tradable then',
    );
  });
});
