import { describe, expect, it } from 'vitest';

import { warmInstant } from '../../../../src/assembly/parity/warm-instant.js';
import { prepareMarket } from '../../../../src/assembly/market/prepare-market.js';
import {
  createInstrumentId,
  HOUR_MS,
  type CandleSeries,
  type EpochMs,
} from '../../../../src/domain/index.js';
import { CandleStrategy } from '../../../../src/strategy/index.js';
import { aBacktestConfig } from '../../../support/backtest-config.js';
import { columnsFrom } from '../../../support/candle-columns.js';
import { createMemoryArchive } from '../../../support/memory-archive.js';

const START = Date.UTC(2025, 0, 1);
const BTC = createInstrumentId('spot', 'BTCUSDT');
/** Number of stored hourly candles. */
const STORED = 10;

function wanting(candles: number) {
  return class extends CandleStrategy({}) {
    override readonly warmup = candles;

    override onCandle(): void {
      // Raises no intents.
    }
  };
}

/** When a bot that needs `candles` candles is warm, with a stored series of ten. */
async function warm(
  candles: number,
  from?: EpochMs,
  to?: EpochMs,
  dataDelayMs = 0,
): Promise<EpochMs> {
  const config = aBacktestConfig({
    instrumentId: BTC,
    interval: '1h',
    simulation: { from, to, dataDelayMs },
  });
  const series: CandleSeries = {
    instrumentId: BTC,
    interval: '1h',
    columns: columnsFrom(START, STORED, HOUR_MS),
  };
  const market = await prepareMarket(config, createMemoryArchive([series]));
  return warmInstant(market, { config, strategyClass: wanting(candles), sourceHash: 'test' });
}

describe('warmInstant', () => {
  it.each([
    ['the first candle opens, where it needs none', 0, START],
    ['the last candle has closed that it needs', 3, START + 3 * HOUR_MS],
    ['all there are have closed', STORED, START + STORED * HOUR_MS],
  ])('returns the time when %s', async (_, candles, expected) => {
    expect(await warm(candles)).toBe(expected);
  });

  it('returns the start of the configuration if enough candles have closed by then', async () => {
    expect(await warm(3, START + 3 * HOUR_MS)).toBe(START + 3 * HOUR_MS);
    expect(await warm(3, START + 7 * HOUR_MS)).toBe(START + 7 * HOUR_MS);
  });

  it('rejects a start with too few candles before it, as a live bot would', async () => {
    await expect(warm(4, START + 4 * HOUR_MS - 1)).rejects.toMatchObject({
      code: 'E_CONFIG_VALUE',
      message: expect.stringContaining(
        'a start with 4 candles of spot:BTCUSDT 1h before it, received 2025-01-01T03:59:59.999Z, which has 3',
      ) as string,
    });
  });

  it('rejects an archive with too few candles', async () => {
    await expect(warm(STORED + 1)).rejects.toMatchObject({
      code: 'E_CONFIG_VALUE',
      message: expect.stringContaining('the whole archive, which has 10') as string,
    });
  });

  it('rejects a run that ends before the strategy is warm', async () => {
    await expect(warm(3, undefined, START + 3 * HOUR_MS - 1)).rejects.toMatchObject({
      code: 'E_CONFIG_VALUE',
      message: expect.stringContaining('simulation.to') as string,
    });
  });

  it('rejects a run that ends before the data delay of the last warm-up candle is over', async () => {
    const closed = START + 3 * HOUR_MS;
    expect(await warm(3, undefined, closed + 700, 700)).toBe(closed);
    await expect(warm(3, undefined, closed + 699, 700)).rejects.toMatchObject({
      code: 'E_CONFIG_VALUE',
      message: expect.stringContaining('simulation.to') as string,
    });
  });
});
