import { describe, expect, it } from 'vitest';

import { checkStops, describeStops } from '../../../../src/cli/live/describe-stops.js';
import { createInstrumentId } from '../../../../src/domain/index.js';

function aBot(name: string, first: number, count: number, stopPollMs: number | 'auto' = 'auto') {
  const instruments = Array.from({ length: count }, (_, index) => ({
    instrumentId: createInstrumentId('futures', `E-C${String(first + index)}-USDT`),
    kind: 'futures',
    intervals: ['1min'],
  }));
  return { config: { name, instruments, simulation: { stopPollMs } } } as never;
}

describe('checkStops', () => {
  it('plans the stop polls of all bots together, and notes a backtest that samples more often', () => {
    const { plan, notes } = checkStops([aBot('a', 0, 7), aBot('b', 7, 13, 60_000)]);

    expect(describeStops(plan)).toEqual([
      '20 contracts: every 60.0 s while all are near a level, 6.0 s while one is; marks of the others every 3.0 s at best',
    ]);
    expect(notes).toEqual([
      'stops: a backtest of a samples its futures stops every 17.5 s, but live up to 60.0 s pass between two samples; simulation.stopPollMs: 60000 tests this',
    ]);
  });

  it('notes nothing for one bot with automatic stop polls', () => {
    const { plan, notes } = checkStops([aBot('a', 0, 1)]);

    expect(describeStops(plan)).toEqual(['1 contract: every 2.0 s']);
    expect(notes).toEqual([]);
  });
});
