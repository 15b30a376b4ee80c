import { describe, expect, it } from 'vitest';
import {
  createInstrumentId,
  MINUTE_MS,
  parseFixed,
  SECOND_MS,
  type MarginReading,
} from '../../../src/domain/index.js';
import type { EngineEvent } from '../../../src/engine/index.js';
import { MarginNews } from '../../../src/live/margin/margin-news.js';

const START = Date.UTC(2025, 0, 1);

function aReading(mark: string, over: Partial<MarginReading> = {}): MarginReading {
  return {
    instrumentId: createInstrumentId('futures', 'E-BTC-USDT'),
    direction: 'long',
    markPrice: parseFixed(mark),
    liquidationPrice: parseFixed('80'),
    marginRate: parseFixed('0.2'),
    maintenanceRate: parseFixed('0.005'),
    pendingClose: 0n,
    frozen: 'no',
    ...over,
  };
}

function aBench() {
  let now = START;
  const told: EngineEvent[] = [];
  const news = new MarginNews({
    time: { now: () => now },
    tell: (make) => told.push(make(now)),
  });
  /** Takes these readings `ms` later. Returns the number of events so far. */
  const after = (ms: number, ...readings: readonly MarginReading[]): number => {
    now += ms;
    news.take(readings);
    return told.length;
  };
  return { told, after };
}

describe('MarginNews', () => {
  it('reports changed figures at most once a minute', () => {
    const { told, after } = aBench();

    const counts = [
      after(0, aReading('100')),
      after(5 * SECOND_MS, aReading('101')),
      after(54 * SECOND_MS, aReading('102')),
      after(SECOND_MS, aReading('103')),
      after(MINUTE_MS, aReading('103')),
    ];

    expect(counts).toEqual([1, 1, 1, 2, 2]);
    expect(told[1]).toEqual({
      kind: 'margins',
      time: START + MINUTE_MS,
      readings: [aReading('103')],
    });
  });

  it.each([
    ['what is being closed', [aReading('100', { pendingClose: parseFixed('3') })]],
    ['a freeze', [aReading('100', { frozen: 'delivery' })]],
    ['another position', [aReading('100'), aReading('100', { direction: 'short' })]],
    ['the end of one', []],
  ])('reports %s at once, and its end', (_, other) => {
    const { after } = aBench();

    expect(after(0, aReading('100'))).toBe(1);
    expect(after(2 * SECOND_MS, ...other)).toBe(2);
    expect(after(2 * SECOND_MS, ...other)).toBe(2);
    expect(after(2 * SECOND_MS, aReading('100'))).toBe(3);
  });

  it('reports at first that there are no positions, because earlier ones may be known', () => {
    const { told, after } = aBench();

    after(0);
    after(MINUTE_MS);

    expect(told).toEqual([{ kind: 'margins', time: START, readings: [] }]);
  });
});
