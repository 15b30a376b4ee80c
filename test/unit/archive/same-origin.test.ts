import { describe, expect, it } from 'vitest';
import { openArchive, type Archive, type MergeOptions } from '../../../src/archive/index.js';
import {
  createInstrumentId,
  HOUR_MS,
  type CandleColumns,
  type CandleSeries,
} from '../../../src/domain/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const START = Date.UTC(2025, 0, 1);
const instrumentId = createInstrumentId('futures', 'BTCUSDT');
const RANDOM = 'synth seed=1 origin=2025-01-01T00:00:00Z';

function hour(at: number): CandleSeries {
  const price = Float64Array.of(100);
  const columns: CandleColumns = {
    ...{ openTime: Float64Array.of(START + at * HOUR_MS), volume: Float64Array.of(0) },
    ...{ open: price, high: price, low: price, close: price },
  };
  return { instrumentId, interval: '1h', columns };
}

const funding = (at: number) => ({
  time: Float64Array.of(START + at * 8 * HOUR_MS),
  rate: Float64Array.of(0.0001),
});

const KINDS: readonly (readonly [
  string,
  (to: Archive, at: number, how: MergeOptions) => Promise<unknown>,
])[] = [
  ['candles', (to, at, how) => to.merge(hour(at), how)],
  ['mark prices', (to, at, how) => to.mergeMarks(hour(at), how)],
  ['funding rates', (to, at, how) => to.mergeFunding(instrumentId, funding(at), how)],
];

describe.each(KINDS)('an archive with %s', (_kind, add) => {
  it.each([
    [RANDOM, 'btc.csv', 'has random rows'],
    ['btc.csv', RANDOM, 'has rows of a market'],
  ])('keeps %s and %s apart, though their times differ', async (first, second, message) => {
    const archive = openArchive(await temporaryFolder());
    await add(archive, 1, { source: first, volumeUnit: 'base' });

    for (const replace of [false, true])
      await expect(
        add(archive, 2, { source: second, volumeUnit: 'base', replace }),
      ).rejects.toMatchObject({
        code: 'E_DATA_ORIGIN',
        message: expect.stringContaining(message) as string,
      });
    await add(archive, 2, { source: first, volumeUnit: 'base' });
  });
});
