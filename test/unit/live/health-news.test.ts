import { describe, expect, it } from 'vitest';
import { createInstrumentId } from '../../../src/domain/index.js';
import { advanceLife, beginLife, type BotLife } from '../../../src/live/bot/bot-life.js';
import {
  closedCondition,
  healthNews,
  holeCondition,
  rulesCondition,
} from '../../../src/live/bot/health-news.js';

const BTC = createInstrumentId('spot', 'BTCUSDT');

function after(life: BotLife, name: string, text?: string): BotLife {
  return advanceLife(
    life,
    text === undefined
      ? { kind: 'recover', time: 1, name }
      : { kind: 'degrade', time: 1, name, text },
  );
}

describe('healthNews', () => {
  it('reports the first stale condition and the end of the last one, for all instruments', () => {
    const well = beginLife(0);
    const one = after(well, 'account', 'no answer');
    const two = after(one, 'marks', 'no marks');

    expect(healthNews(well, one)).toEqual([{ isDegraded: true, text: 'no answer' }]);
    expect(healthNews(one, two)).toEqual([]);
    expect(healthNews(two, after(after(two, 'account'), 'marks'))).toEqual([
      { isDegraded: false, text: 'everything is known again' },
    ]);
  });

  it('reports a condition of one instrument for this instrument only', () => {
    const well = beginLife(0);
    const closed = after(well, closedCondition(BTC), 'not tradable');
    const both = after(closed, rulesCondition(BTC), 'other rules');

    expect(healthNews(well, closed)).toEqual([
      { isDegraded: true, text: 'not tradable', instrumentId: BTC },
    ]);
    expect(healthNews(closed, both)).toEqual([
      { isDegraded: true, text: 'other rules', instrumentId: BTC, untilResumed: true },
    ]);
    expect(healthNews(both, after(both, rulesCondition(BTC)))).toEqual([
      { isDegraded: true, text: 'not tradable', instrumentId: BTC },
    ]);
    expect(healthNews(closed, well)).toEqual([
      { isDegraded: false, text: 'spot:BTCUSDT can be entered again', instrumentId: BTC },
    ]);
  });

  it('reports missing candles of any interval for their instrument only', () => {
    const well = beginLife(0);
    const one = after(well, holeCondition(BTC, '1min'), 'no minutes');
    const two = after(one, holeCondition(BTC, '1h'), 'no hours');

    expect(healthNews(well, two)).toEqual([
      { isDegraded: true, text: 'no hours', instrumentId: BTC },
    ]);
    expect(healthNews(two, after(two, holeCondition(BTC, '1h')))).toEqual([
      { isDegraded: true, text: 'no minutes', instrumentId: BTC },
    ]);
  });
});
