import { describe, expect, it } from 'vitest';
import {
  AuthError,
  formatFixed,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  TransportError,
  type Fixed,
  type FundingRateKnown,
} from '../../../src/domain/index.js';
import { FundingRateWatch, lastRateReading } from '../../../src/live/market/funding-rate-watch.js';
import { Activity, createSessionTime } from '../../../src/live/index.js';
import { LINEAR, SPOT } from '../../support/risk/builders.js';
import { VirtualTime } from '../../support/virtual-time.js';

const START = Date.UTC(2026, 0, 1, 0, 20);
const SHOWN_NOW = parseFixed('0.0007');

/** A venue that shows the rate of the running hour: 0.01 of a percent for each hour of the day that has begun. */
function aWatch(known: FundingRateKnown = 'current') {
  const time = new VirtualTime(START);
  const asked: number[] = [];
  const failures: unknown[] = [];
  const told: string[] = [];
  const state = { error: undefined as Error | undefined, slowMs: 0 };
  const watch = new FundingRateWatch({
    feed: {
      readMark: async (instrumentId) => {
        asked.push((time.now() - START) / MINUTE_MS + 20);
        if (state.slowMs > 0)
          await new Promise<void>((resolve) => void time.after(state.slowMs, resolve));
        if (state.error !== undefined) throw state.error;
        const hour = new Date(time.now()).getUTCHours();
        const fundingRate = parseFixed(`0.000${String(hour + 1)}`);
        return {
          ...({
            instrumentId,
            markPrice: 1n,
            indexPrice: 1n,
            fundingRate,
            time: time.now(),
          } as const),
          nextFundingRate: undefined,
        };
      },
    },
    instruments: [SPOT, LINEAR],
    known,
    time: createSessionTime(time),
    activity: new Activity(),
    signal: new AbortController().signal,
    onRate: ({ fundingRate = 0n }) => told.push(formatFixed(fundingRate)),
    onFailure: (error) => failures.push(error),
  });
  const paid = (shown?: Fixed): string => {
    const rate = watch.paid(LINEAR.id, shown);
    return rate === undefined ? 'unknown' : formatFixed(rate);
  };
  return { time, asked, told, failures, state, watch, paid };
}

describe('FundingRateWatch', () => {
  it('returns the rate shown before the hour as paid, not the rate shown after it', async () => {
    const { time, asked, told, watch, paid } = aWatch();

    watch.start();
    await time.advance(40 * MINUTE_MS - 1);
    expect(paid(SHOWN_NOW)).toBe('0.0007');
    await time.advance(1);
    expect(paid(SHOWN_NOW)).toBe('0.0001');
    await time.advance(HOUR_MS);
    expect(paid(SHOWN_NOW)).toBe('0.0002');
    watch.stop();
    await time.advance(2 * HOUR_MS);

    expect(asked).toEqual([20, 59, 60, 61, 119, 120]);
    expect(told).toEqual(['0.0001', '0.0002', '0.0003']);
  });

  it('returns the rate shown now if the venue shows settled rates', async () => {
    const { time, told, watch, paid } = aWatch('settled');

    watch.start();
    await time.advance(HOUR_MS);
    watch.stop();

    expect(paid(SHOWN_NOW)).toBe('0.0007');
    expect(told).toEqual(['0.0001', '0.0002']);
  });

  it('returns the rate shown now before its first reading', () => {
    const { paid } = aWatch();

    expect([paid(SHOWN_NOW), paid()]).toEqual(['0.0007', 'unknown']);
  });

  it('ignores a rate that arrives after the hour, because it may be of the next period', async () => {
    const { time, state, watch, paid } = aWatch();
    watch.start();
    await time.advance(MINUTE_MS);
    state.slowMs = 2 * MINUTE_MS;

    await time.advance(HOUR_MS);
    watch.stop();

    expect(paid()).toBe('0.0001');
  });

  it('keeps its rate while the venue does not answer or refuses the key, and fails with a defect', async () => {
    const { time, state, watch, paid, failures } = aWatch();
    watch.start();
    await time.advance(MINUTE_MS);

    state.error = new TransportError('E_TIMEOUT', 'expected an answer');
    await time.advance(HOUR_MS);
    expect([paid(), failures]).toEqual(['0.0001', []]);
    state.error = new AuthError('E_AUTH', 'expected a key that is known');
    await time.advance(HOUR_MS);
    expect([paid(), failures]).toEqual(['0.0001', []]);
    state.error = new TypeError('a defect');
    await time.advance(38 * MINUTE_MS);
    watch.stop();

    expect(failures).toEqual([state.error]);
  });
});

describe('lastRateReading', () => {
  it('returns the hour, a minute after it or a minute before it', () => {
    const hour = Date.UTC(2026, 0, 1, 5);
    const readings = [0, 59_999, 60_000, 3_539_999, 3_540_000, 3_599_999].map(
      (since) => lastRateReading(hour + since) - hour,
    );

    expect(readings).toEqual([0, 0, 60_000, 60_000, 3_540_000, 3_540_000]);
  });
});
