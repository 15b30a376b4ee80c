import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  fixedFromNumber,
  MINUTE_MS,
  parseFixed,
  type InstrumentRules,
} from '../../../src/domain/index.js';
import { CandleMarket } from '../../../src/local-exchange/market/candle-market.js';
import { ListingRules } from '../../../src/local-exchange/market/listing-rules.js';
import { StoredMarket } from '../../../src/local-exchange/market/load-market.js';
import { createFixedSlippage } from '../../../src/simulator/index.js';
import { columnsOf } from '../../support/candle-columns.js';
import { aContract } from '../../support/futures-venue.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const START = Date.UTC(2025, 0, 1);
const PAIR = createInstrumentId('spot', 'BTCUSDT');
const RULES: InstrumentRules = { tradable: true, pricePrecision: 1, quantityPrecision: 0 };

describe('a contract that uses the candles of its pair', () => {
  it('publishes prices only on its own tick', async () => {
    const instrument = aContract('linear', { multiplier: '0.001' });
    const columns = columnsOf(
      Array.from({ length: 300 }, (_, row) => ({
        time: START + row * MINUTE_MS,
        open: 67_000.07 + row,
        high: 67_003.33 + row,
        low: 66_999.99 + row,
        close: 67_001.01 + row,
        volume: 10,
      })),
    );
    const market = await StoredMarket.load(
      createMemoryArchive([{ instrumentId: PAIR, interval: '1min', columns }]),
      [{ instrument, rules: [{ from: 0, rules: RULES }], candlesOf: PAIR }],
    );
    const rules = new ListingRules();
    rules.list(instrument.id, [{ from: 0, rules: RULES }]);
    const published = new CandleMarket({
      sources: market.sources(0),
      rules,
      halfSpread: 0n,
      slippage: createFixedSlippage(0n),
      seed: 1,
    });

    const time = START + 280 * MINUTE_MS + 7_001;
    const ticker = published.ticker(instrument.id, time);
    const candles = published.candles(instrument.id, '5min', time, {
      limit: 30,
      startTime: undefined,
      endTime: undefined,
    });
    const prices = [
      ...(candles ?? []).flatMap(({ open, high, low, close }) => [open, high, low, close]),
    ].map((price) => fixedFromNumber(price));
    const all = [...prices, ticker?.open, ticker?.high, ticker?.low, ticker?.last];

    expect(prices).toHaveLength(120);
    expect(all.filter((price) => (price ?? 1n) % parseFixed('0.1') !== 0n)).toEqual([]);
  });
});
