import { describe, expect, it } from 'vitest';
import { replayBacktest } from '../../../src/assembly/index.js';
import { createInstrumentId, HOUR_MS } from '../../../src/domain/index.js';
import { buildResult, type Result } from '../../../src/report/index.js';

import { CandleStrategy } from '../../../src/strategy/index.js';
import { aBacktestConfig, constantLatency } from '../../support/backtest-config.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const ID = createInstrumentId('spot', 'BTCUSDT');

/** Buys for 1,000 at candle `at`, with a trailing stop if `stop` is set. The hours move from 90 to 110 around 100. */
async function run({
  at,
  hours,
  stop,
}: {
  readonly at: number;
  readonly hours: number;
  readonly stop?: string;
}): Promise<Result> {
  class Buys extends CandleStrategy({}) {
    #seen = 0;

    override onCandle(): void {
      this.#seen += 1;
      if (this.#seen !== at) return;
      const protection = stop === undefined ? {} : { trailingStop: { ratio: stop } };
      this.enterLong({ notional: '1000' }, { protection });
    }
  }
  const filled = (price: number): Float64Array => new Float64Array(hours).fill(price);
  const columns = {
    openTime: Float64Array.from({ length: hours }, (_, hour) => hour * HOUR_MS),
    open: filled(100),
    high: filled(110),
    low: filled(90),
    close: filled(100),
    volume: filled(100),
  };
  const record = await replayBacktest({
    config: aBacktestConfig({
      instrumentId: ID,
      interval: '1h',
      simulation: { latency: constantLatency(250) },
    }),
    archive: createMemoryArchive([{ instrumentId: ID, interval: '1h', columns }]),
    strategyClass: Buys,
    sourceHash: '',
  });
  return buildResult(record);
}

describe('the figures of undecided candles', () => {
  it.each([
    ['the last one, after which nothing follows', 3],
    ['one in the middle', 2],
  ])('include %s', async (_what, at) => {
    const { bounds } = await run({ at, hours: 4 });

    // The order for 1,000 arrives and fills inside the candle.
    expect(bounds).toMatchObject({
      undecidedCandles: 1,
      undecidedMoney: '1000',
      undecidedShare: 1,
    });
  });

  it('include what a stop would close, with a share of at most 1', async () => {
    const { bounds, fills } = await run({ at: 2, hours: 12, stop: '0.15' });

    expect(fills).toHaveLength(2);
    expect(Number(bounds.undecidedMoney)).toBeGreaterThan(1_500);
    expect(bounds.undecidedShare).toBeLessThanOrEqual(1);
  });
});
