import { expect, it } from 'vitest';

import { MINUTE_MS } from '../../../src/domain/index.js';
import { StoredMarket } from '../../../src/local-exchange/market/load-market.js';
import { columnsOf } from '../../support/candle-columns.js';
import { aSpot } from '../../support/engine/engine.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const aCandle = { open: 100, high: 101, low: 99, close: 100, volume: 1 };

it('StoredMarket refuses instruments whose candles have no time in common, and says when each has candles', async () => {
  const listed = [
    { base: 'BTC', first: Date.UTC(2025, 0, 1) },
    { base: 'ETH', first: Date.UTC(2025, 5, 1) },
  ].map(({ base, first }) => ({
    instrument: aSpot(base),
    columns: columnsOf([0, 1].map((row) => ({ ...aCandle, time: first + row * MINUTE_MS }))),
  }));
  const archive = createMemoryArchive(
    listed.map(({ instrument, columns }) => ({
      instrumentId: instrument.id,
      interval: '1min' as const,
      columns,
    })),
  );

  await expect(
    StoredMarket.load(
      archive,
      listed.map(({ instrument }) => ({ instrument, rules: [], candlesOf: instrument.id })),
    ),
  ).rejects.toThrow(
    'expected candles of all instruments with a time in common, received spot:BTCUSDT from 2025-01-01T00:00:00Z to 2025-01-01T00:02:00Z, spot:ETHUSDT from 2025-06-01T00:00:00Z to 2025-06-01T00:02:00Z',
  );
});
