import { describe, expect, it } from 'vitest';
import type { BacktestConfig } from '../../../../src/assembly/backtest/index.js';
import { parseUtc, type Interval } from '../../../../src/domain/index.js';
import { beginningOf, drawnInterval, leadOf } from '../../../../src/research/fuzz/fuzz-ground.js';

const trading = (...intervals: readonly (readonly Interval[])[]): BacktestConfig =>
  ({ instruments: intervals.map((each) => ({ intervals: each })) }) as unknown as BacktestConfig;

describe('drawnInterval', () => {
  it('returns the longest interval from which all others can be made', () => {
    expect(drawnInterval(trading(['1h', '1day'], ['4h']))).toBe('1h');
    expect(drawnInterval(trading(['1week'], ['1day', '1month']))).toBe('1day');
  });

  it.each([[['1week', '1month']], [['1month']]] as const)('refuses %j', (intervals) => {
    expect(() => drawnInterval(trading(intervals))).toThrow(
      expect.objectContaining({ code: 'E_FUZZ_CANDLES' }),
    );
  });
});

describe('leadOf', () => {
  it('covers the warm-up candles of each interval plus one more candle', () => {
    const warmups = [
      { candles: 30, interval: '1h' },
      { candles: 2, interval: '1day' },
    ] as const;

    expect(leadOf(warmups, '1h')).toBe(72);
    expect(leadOf([{ candles: 0, interval: '1h' }], '1h')).toBe(0);
  });
});

describe('beginningOf', () => {
  it('returns the open time of a candle of the longest interval', () => {
    expect(beginningOf(trading(['1h'], ['1week']), parseUtc('2025-01-02T03:04:00Z'))).toBe(
      parseUtc('2024-12-30'),
    );
  });
});
