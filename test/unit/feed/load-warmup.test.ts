import { describe, expect, it } from 'vitest';

import { MINUTE_MS, type Candle, type CandleColumns } from '../../../src/domain/index.js';
import { loadWarmup } from '../../../src/feed/index.js';
import { BTC, candleAt, FakeMarket } from '../../support/feed/fake-market.js';
import { VirtualTime } from '../../support/virtual-time.js';

/** Ten seconds into a minute: the venue serves 299 closed candles. */
const NOW = Date.UTC(2025, 0, 1, 12, 0, 10);
const OPEN = Date.UTC(2025, 0, 1, 12);

/** Stored candles that opened from and to so many minutes ago; the end is left out. */
function stored(
  from: number,
  to: number,
  alter: (candle: Candle) => Candle = (c) => c,
): CandleColumns {
  const candles = Array.from({ length: from - to }, (_, index) =>
    alter(candleAt(OPEN - (from - index) * MINUTE_MS)),
  );
  const column = (name: keyof CandleColumns): Float64Array =>
    Float64Array.from(candles, (candle) => candle[name]);
  return {
    openTime: column('openTime'),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}

function load(candles: number, columns?: CandleColumns): Promise<readonly Candle[]> {
  return loadWarmup({
    source: new FakeMarket(new VirtualTime(NOW)),
    archive: columns && { read: () => Promise.resolve(columns) },
    instrumentId: BTC,
    interval: '1min',
    candles,
    signal: new AbortController().signal,
  });
}

describe('warm-up', () => {
  it.each([0, 1, 30, 299])('of %i candles comes from the venue alone', async (candles) => {
    const loaded = await load(candles);

    expect(loaded).toHaveLength(candles);
    if (candles > 0) expect(loaded.at(-1)).toStrictEqual(candleAt(OPEN - MINUTE_MS));
  });

  it('of more than there are takes what there is, where that is enough', async () => {
    const loaded = await loadWarmup({
      source: new FakeMarket(new VirtualTime(NOW)),
      archive: undefined,
      instrumentId: BTC,
      interval: '1min',
      candles: 2_000,
      least: 200,
      signal: new AbortController().signal,
    });

    expect(loaded).toHaveLength(299);
    expect(loaded.at(-1)).toStrictEqual(candleAt(OPEN - MINUTE_MS));
  });

  it('of more is joined with stored candles, without a seam', async () => {
    const loaded = await load(1_000, stored(1_500, 200));

    expect(loaded.map(({ openTime }) => openTime)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => OPEN - (1_000 - index) * MINUTE_MS),
    );
    expect(loaded).toEqual(loaded.map(({ openTime }) => candleAt(openTime)));
  });

  it.each([
    ['there is no archive', undefined, 'E_WARMUP_SHORT'],
    ['the archive holds too few', stored(400, 200), 'E_WARMUP_SHORT'],
    ['the archive ends before the venue begins', stored(1_500, 300), 'E_WARMUP_JOIN'],
    [
      'a common candle differs',
      stored(1_500, 200, (candle) =>
        candle.openTime === OPEN - 250 * MINUTE_MS ? { ...candle, volume: 3 } : candle,
      ),
      'E_WARMUP_JOIN',
    ],
  ])('is refused when %s', async (_what, columns, code) => {
    await expect(load(1_000, columns)).rejects.toMatchObject({
      code,
      message: expect.stringContaining('evenkeel data') as string,
    });
  });
});
