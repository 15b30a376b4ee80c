import { describe, expect, it } from 'vitest';

import { HOUR_MS, MINUTE_MS, type Candle } from '../../../src/domain/index.js';
import { TrendFilter } from '../../../strategies/trend-filter/trend-filter.strategy.js';
import { aCandle } from '../../support/candles.js';
import { readable, startStrategy } from '../../support/fake-strategy-context.js';

const START = aCandle().openTime;

const hour = (index: number, close: number): Candle =>
  aCandle({ openTime: START + index * HOUR_MS, close });

const minute = (index: number, close: number): Candle =>
  aCandle({
    interval: '1min',
    openTime: START + 2 * HOUR_MS + index * MINUTE_MS,
    closeTime: START + 2 * HOUR_MS + (index + 1) * MINUTE_MS,
    close,
  });

function start(hours: readonly [number, number]) {
  const { context } = startStrategy(TrendFilter, {
    instruments: [{ instrumentId: aCandle().instrumentId, intervals: ['1min', '1h'] }],
    parameters: { fast: 2, slow: 3, trend: 2 },
  });
  context.deliver(hour(0, hours[0]));
  context.deliver(hour(1, hours[1]));
  context.intents.length = 0;
  return context;
}

describe('TrendFilter', () => {
  // The fast average of two comes above the slow one of three with the last of these.
  const crossingUp = [100, 99, 98, 97, 103];

  it('buys when the averages cross upward above the average of the long interval', () => {
    const context = start([90, 91]);

    for (const [index, close] of crossingUp.entries()) context.deliver(minute(index, close));

    expect(readable(context.intents)).toEqual([
      { kind: 'enter', direction: 'long', size: { equity: '0.95' } },
    ]);
  });

  it('stays out of the same crossing below the average of the long interval', () => {
    const context = start([120, 110]);

    for (const [index, close] of crossingUp.entries()) context.deliver(minute(index, close));

    expect(context.intents).toEqual([]);
  });

  it('leaves when the averages cross downward', () => {
    const context = start([90, 91]);

    for (const [index, close] of [...crossingUp, 104, 92].entries()) {
      context.deliver(minute(index, close));
    }

    expect(readable(context.intents.slice(1))).toEqual([{ kind: 'exit', label: 'signal turned' }]);
  });

  it('leaves when the long interval closes below its average', () => {
    const context = start([90, 91]);

    context.deliver(hour(2, 80));

    expect(readable(context.intents)).toEqual([{ kind: 'exit', label: 'trend turned' }]);
  });
});
