import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { HOUR_MS, MINUTE_MS, type Candle, type EpochMs } from '../../../src/domain/index.js';
import { alignSlices, type CandleSlice } from '../../../src/feed/index.js';
import { BTC, candleAt, ETH } from '../../support/feed/fake-market.js';
import { VirtualTime } from '../../support/virtual-time.js';

const HOUR = Date.UTC(2025, 0, 1, 1);
const STREAMS = [
  { instrumentId: BTC, interval: '1min' },
  { instrumentId: ETH, interval: '1min' },
  { instrumentId: BTC, interval: '1h' },
] as const;

function aligning(): {
  readonly time: VirtualTime;
  readonly candles: Subject<Candle>;
  readonly slices: CandleSlice[];
} {
  const time = new VirtualTime(HOUR);
  const candles = new Subject<Candle>();
  const slices: CandleSlice[] = [];
  candles
    .pipe(alignSlices(STREAMS, { time, alignMs: 500 }))
    .subscribe((slice) => slices.push(slice));
  return { time, candles, slices };
}

/** The candle of a stream that closes at a time. */
function closing(stream: (typeof STREAMS)[number], closeTime: EpochMs): Candle {
  return candleAt(closeTime - (stream.interval === '1h' ? HOUR_MS : MINUTE_MS), stream);
}

const [BTC_MINUTE, ETH_MINUTE, BTC_HOUR] = STREAMS;

describe('alignSlices', () => {
  it('releases candles together once the last arrives, longest interval first, then in config order', () => {
    const { candles, slices } = aligning();
    const [btc, eth, hour] = STREAMS.map((stream) => closing(stream, HOUR)) as [
      Candle,
      Candle,
      Candle,
    ];

    candles.next(eth);
    candles.next(btc);
    const before = slices.length;
    candles.next(hour);

    expect(before).toBe(0);
    expect(slices).toEqual([{ closeTime: HOUR, candles: [hour, btc, eth], late: [] }]);
  });

  it('does not wait for a candle that is not due', () => {
    const { candles, slices } = aligning();
    const close = HOUR + MINUTE_MS;

    candles.next(closing(BTC_MINUTE, close));
    candles.next(closing(ETH_MINUTE, close));

    expect(slices.map(({ closeTime, late }) => [closeTime, late])).toEqual([[close, []]]);
  });

  it('releases a slice without a late candle after alignMs, then the late candle alone', async () => {
    const { time, candles, slices } = aligning();
    const close = HOUR + MINUTE_MS;
    candles.next(closing(BTC_MINUTE, close));

    await time.advance(499);
    const before = slices.length;
    await time.advance(1);
    candles.next(closing(ETH_MINUTE, close));

    expect(before).toBe(0);
    expect(slices).toEqual([
      { closeTime: close, candles: [closing(BTC_MINUTE, close)], late: [ETH_MINUTE] },
      { closeTime: close, candles: [closing(ETH_MINUTE, close)], late: [] },
    ]);
  });

  it('never releases candles before those of an earlier close', () => {
    const { candles, slices } = aligning();
    const [first, second] = [HOUR + MINUTE_MS, HOUR + 2 * MINUTE_MS];

    candles.next(closing(BTC_MINUTE, first));
    candles.next(closing(BTC_MINUTE, second));
    candles.next(closing(ETH_MINUTE, second));

    expect(slices.map(({ closeTime, late }) => [closeTime, late])).toEqual([
      [first, [ETH_MINUTE]],
      [second, []],
    ]);
  });

  it('releases waiting candles when the source completes, and leaves no timer', () => {
    const { time, candles, slices } = aligning();

    candles.next(closing(BTC_HOUR, HOUR));
    candles.complete();

    expect(slices).toMatchObject([{ late: [BTC_MINUTE, ETH_MINUTE] }]);
    expect(time.pending).toBe(0);
  });
});
