import { describe, expect, it } from 'vitest';

import { StopSampler } from '../../../../src/assembly/replay/stop-sampler.js';
import { FIXED_ONE, parseFixed, type InstrumentId } from '../../../../src/domain/index.js';
import type { StopWatch } from '../../../../src/engine/index.js';
import { aLimitRequest } from '../../../support/order-requests.js';
import {
  aVenue,
  BTC_USDT,
  ETH_USDT,
  play,
  START,
  type VenueCandle,
} from '../../../support/spot-venue.js';

const GRIDS = new Map([
  [BTC_USDT.id, 1_000],
  [ETH_USDT.id, 2_000],
]);

/** Falls from 100 to 94 in 20 s, rises to 103 in 20 s, and ends at 101. */
const CANDLE: VenueCandle = { path: [100, 103, 94, 101] };

function aWatch(
  overrides: {
    readonly level?: string;
    readonly best?: string;
    readonly instrumentId?: InstrumentId;
  } = {},
): StopWatch {
  return {
    instrumentId: overrides.instrumentId ?? BTC_USDT.id,
    direction: 'long',
    level: parseFixed(overrides.level ?? '97'),
    quantity: FIXED_ONE,
    trail: overrides.best === undefined ? undefined : { kind: 'distance', amount: parseFixed('3') },
    guardNumber: 1,
    best: parseFixed(overrides.best ?? '0'),
  };
}

function samplerAt(ms: number): {
  readonly sampler: StopSampler;
  readonly venue: ReturnType<typeof aVenue>['venue'];
} {
  const observed = aVenue({ candles: [CANDLE], ethCandles: [CANDLE], order: 'low-first' });
  play(observed, [], ms);
  const sampler = new StopSampler(observed.venue, GRIDS);
  sampler.take(START, []);
  return { sampler, venue: observed.venue };
}

describe('StopSampler', () => {
  it('asks for the first sample at or beyond the level', () => {
    // Falling 0.3 per second: at 97 after exactly 10 s, below 97.01 from 9.97 s on.
    expect(samplerAt(0).sampler.nextTime([aWatch()])).toBe(START + 10_000);
    expect(samplerAt(0).sampler.nextTime([aWatch({ level: '97.01' })])).toBe(START + 10_000);
    expect(samplerAt(0).sampler.nextTime([aWatch({ level: '96.99' })])).toBe(START + 11_000);
  });

  it('asks for no sample of an instrument before its first candle opens', () => {
    const { venue } = aVenue({ candles: [CANDLE] });
    const sampler = new StopSampler(venue, GRIDS);
    sampler.take(START - 5_000, []);

    expect(sampler.nextTime([aWatch()])).toBe(Number.POSITIVE_INFINITY);
    expect(sampler.take(START - 4_000, [aWatch()])).toEqual([]);
  });

  it('uses the rounded last price, which may lie beyond a candle off the tick', () => {
    const { venue } = aVenue({ candles: [{ path: [100, 100, 99.994, 99.994] }] });
    venue.openAt(START);
    const sampler = new StopSampler(venue, GRIDS);
    sampler.take(START, []);

    // Falling 0.006 in 20 s: below 99.995, which shows as 99.99, after 16.66… s
    expect(sampler.nextTime([aWatch({ level: '99.99' })])).toBe(START + 37_000);
  });

  it('asks for no sample without a watched stop, or if the candle does not reach the level', () => {
    expect(samplerAt(0).sampler.nextTime([])).toBe(Number.POSITIVE_INFINITY);
    expect(samplerAt(0).sampler.nextTime([aWatch({ level: '93' })])).toBe(Number.POSITIVE_INFINITY);
  });

  it('samples once for several stops of one instrument, and each instrument that is due', () => {
    const { sampler } = samplerAt(0);
    const eth = aWatch({ instrumentId: ETH_USDT.id });

    expect(sampler.take(START + 10_000, [aWatch(), aWatch(), eth])).toEqual([
      BTC_USDT.id,
      ETH_USDT.id,
    ]);
    expect(sampler.take(START + 10_000, [aWatch(), eth])).toEqual([]);
  });

  it('samples instruments of the same instant in the order of the configuration', () => {
    const { sampler } = samplerAt(0);
    const eth = aWatch({ instrumentId: ETH_USDT.id });

    // A live bot samples last for the stop at 90, too, although the stop is not due here. The order must not depend on such a stop.
    expect(sampler.take(START + 10_000, [aWatch({ level: '90' }), eth, aWatch()])).toEqual([
      BTC_USDT.id,
      ETH_USDT.id,
    ]);
  });

  it('samples each instrument on its own grid', () => {
    const { sampler } = samplerAt(0);
    const btc = aWatch({ level: '96.9' });
    const eth = aWatch({ level: '96.9', instrumentId: ETH_USDT.id });

    // Falling 0.3 per second: beyond 96.9 from 10.33 s on.
    expect(sampler.nextTime([btc])).toBe(START + 11_000);
    expect(sampler.nextTime([eth])).toBe(START + 12_000);
    expect(sampler.take(START + 11_000, [btc, eth])).toEqual([BTC_USDT.id]);
    expect(sampler.take(START + 12_000, [eth])).toEqual([ETH_USDT.id]);
  });

  it('samples a stop armed at a sample time, and ignores earlier samples', () => {
    // At 25 s last is 94 + 9 × 5/20 = 96.25: beyond 97 for 15 s already, and no longer beyond 96.
    const { sampler } = samplerAt(25_000);
    expect(sampler.take(START + 25_000, [aWatch()])).toEqual([BTC_USDT.id]);

    const other = samplerAt(25_000).sampler;
    expect(other.take(START + 25_000, [aWatch({ level: '96' })])).toEqual([]);
    expect(other.nextTime([aWatch({ level: '96' })])).toBe(Number.POSITIVE_INFINITY);
  });

  it('asks for only the best sample of a rise for a trailing stop', () => {
    const { sampler } = samplerAt(20_000);
    sampler.take(START + 20_000, []);

    expect(sampler.nextTime([aWatch({ level: '90', best: '100' })])).toBe(START + 40_000);
  });

  it('takes a sample before what happens in the middle of a rise, so that it finds the trailing stop where it was moved', () => {
    const { sampler } = samplerAt(20_000);
    sampler.take(START + 20_000, []);
    const watch = aWatch({ level: '90', best: '98' });

    // At 33 s last is 94 + 9 × 13/20 = 99.85.
    expect(sampler.nextInstant(START + 33_500, [watch])).toBe(START + 33_000);
    expect(sampler.take(START + 33_000, [watch])).toEqual([BTC_USDT.id]);
    const moved = aWatch({ level: '90', best: '99.85' });
    expect(sampler.nextInstant(START + 33_500, [moved])).toBe(START + 33_500);
    expect(sampler.nextInstant(START + 33_500, [aWatch({ level: '90' })])).toBe(START + 33_500);
  });

  it('records a watched stop, which makes a candle with a resting order undecided', () => {
    const { sampler, venue } = samplerAt(0);
    venue.submit(aLimitRequest({ side: 'sell', limitPrice: '102' }), START);

    sampler.nextTime([aWatch()]);

    expect(venue.undecided().count).toBe(1);
  });
});
