import { describe, expect, it } from 'vitest';

import { closes, flat, startStrategy, type StrategyTest } from '../../../src/testing/index.js';
import { TrendFilter } from '../../../strategies/trend-filter/trend-filter.strategy.js';

/** Starts with two hours of minutes that fall to these closes. The fast average is always below the slow one. */
async function start(hours: readonly [number, number]): Promise<StrategyTest> {
  const test = await startStrategy(TrendFilter, {
    instruments: [{ product: 'spot', symbol: 'BTCUSDT', intervals: ['1min', '1h'] }],
    parameters: { fast: 2, slow: 3, trend: 2 },
  });
  const [first, second] = hours;
  return test.play(closes(...fall(2 * first, first), ...fall(first, second)));
}

function fall(from: number, to: number): readonly number[] {
  return Array.from({ length: 60 }, (_, minute) => from + ((to - from) * (minute + 1)) / 60);
}

describe('TrendFilter', () => {
  it('buys when the averages cross upward above the average of the long interval', async () => {
    const test = await start([100, 91]);
    const before = test.intents.length;

    // The hours' average is 95.5.
    test.play(closes(103));

    expect(test.intents.slice(before)).toEqual([
      { kind: 'enter', direction: 'long', size: { equity: '0.95' } },
    ]);
  });

  it('ignores the same crossing below the average of the long interval', async () => {
    const test = await start([140, 91]);
    const before = test.intents.length;

    test.play(closes(103));

    expect(test.intents.slice(before)).toEqual([]);
  });

  it('exits when the averages cross downward', async () => {
    const test = await start([100, 91]);
    const before = test.intents.length;

    test.play(closes(103, 104, 92));

    expect(test.intents.slice(before + 1)).toEqual([{ kind: 'exit', label: 'signal turned' }]);
  });

  it('exits when the long interval closes below its average', async () => {
    const test = await start([100, 91]);
    const before = test.intents.length;

    test.play(flat(60, 80));

    expect(test.intents.slice(before)).toEqual([{ kind: 'exit', label: 'trend turned' }]);
  });
});
