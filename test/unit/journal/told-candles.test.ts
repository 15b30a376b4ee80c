import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';

import { createInstrumentId, MINUTE_MS, type Candle } from '../../../src/domain/index.js';
import { joinTold } from '../../../src/journal/index.js';

function minute(at: number, close = at): Candle {
  const openTime = at * MINUTE_MS;
  return {
    instrumentId: createInstrumentId('spot', 'BTCUSDT'),
    interval: '1min',
    openTime,
    closeTime: openTime + MINUTE_MS,
    ...{ open: close, high: close, low: close, close, volume: 1 },
  };
}

/** Takes candles by epoch, oldest first. Returns them newest first, the order in which a journal is read. */
function newestFirst(
  epochs: readonly (readonly Candle[])[],
): readonly { readonly candle: Candle; readonly epochId: number }[] {
  return epochs
    .flatMap((candles, epochId) => candles.map((candle) => ({ candle, epochId })))
    .reverse();
}

function span(from: number, to: number): readonly Candle[] {
  return Array.from({ length: to - from }, (_, index) => minute(from + index));
}

function joined(
  epochs: readonly (readonly Candle[])[],
  isEnough: (candle: Candle) => boolean = () => false,
): readonly number[] {
  return joinTold(newestFirst(epochs), isEnough).map(({ openTime }) => openTime / MINUTE_MS);
}

const minutes = (from: number, to: number): readonly number[] =>
  span(from, to).map(({ openTime }) => openTime / MINUTE_MS);

describe('joinTold', () => {
  it('returns each candle once if warm-ups repeat it', () => {
    expect(joined([span(0, 50), span(30, 90), span(60, 120)])).toEqual(minutes(0, 120));
  });

  it('joins two epochs if one begins when the other ends', () => {
    expect(joined([span(0, 50), span(50, 60)])).toEqual(minutes(0, 60));
  });

  it('leaves out the candles before a hole between two epochs', () => {
    expect(joined([span(0, 50), span(51, 60), span(55, 70)])).toEqual(minutes(51, 70));
  });

  it('joins all candles of one epoch, also across holes', () => {
    expect(joined([[...span(0, 10), ...span(20, 30)], span(25, 40)])).toEqual([
      ...minutes(0, 10),
      ...minutes(20, 40),
    ]);
  });

  it('does not join two epochs whose common candles differ', () => {
    const other = span(0, 50).map(({ openTime }) => minute(openTime / MINUTE_MS, 7_777));

    expect(joined([other, span(30, 90)])).toEqual(minutes(30, 90));
  });

  it('returns no more candles than wanted', () => {
    expect(
      joined([span(0, 50), span(40, 90)], ({ openTime }) => openTime <= 20 * MINUTE_MS),
    ).toEqual(minutes(20, 90));
  });

  law.prop([fc.array(fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 40 })), { maxLength: 12 })])(
    'returns the candles of the market without a hole, for any epochs',
    (drawn) => {
      let begun = 0;
      const epochs = drawn.map(([step, length]) => {
        begun += step;
        return span(begun, begun + length);
      });
      const found = joined(epochs);

      expect(found).toEqual(minutes(found[0] ?? 0, (found.at(-1) ?? -1) + 1));
      const last = epochs.at(-1) ?? [];
      // An epoch may end earlier than the epoch before it. All candles of the last epoch are always found.
      for (const { openTime } of last) expect(found).toContain(openTime / MINUTE_MS);
    },
  );
});
