import { describe, expect, it } from 'vitest';
import {
  describeUnserved,
  planRecording,
  seriesOf,
} from '../../../../../src/cli/data/record/record-plan.js';
import type { Interval } from '../../../../../src/domain/index.js';
import { FUTURES_ID, SPOT_ID } from '../../../../support/local-exchange/test-exchange.js';

const spot = (...intervals: readonly Interval[]) =>
  ({ kind: 'spot', instrumentId: SPOT_ID, intervals }) as const;
const contract = (...intervals: readonly Interval[]) =>
  ({ kind: 'futures', instrumentId: FUTURES_ID, intervals }) as const;

describe('planRecording', () => {
  it('returns per limit the calls of a busy minute, and the calls that the share allows', () => {
    const budgets = planRecording([spot('1min', '1h'), contract('1min')], 0.25);

    // Klines, clock and list once a minute, the mark every 15 s.
    expect(budgets.find(({ name }) => name === 'futures')).toEqual({
      name: 'futures',
      callsPerMinute: 7,
      mostPerMinute: 30,
    });
    expect(budgets.find(({ name }) => name === 'spot.klines')).toEqual({
      name: 'spot.klines',
      callsPerMinute: 2,
      mostPerMinute: 150,
    });
  });
});

describe('seriesOf and describeUnserved', () => {
  it('select the served series, and explain how to get the others', () => {
    const instruments = [spot('1min', '2h'), contract('2h')];

    expect(seriesOf(instruments)).toEqual([{ instrumentId: SPOT_ID, interval: '1min' }]);
    expect(describeUnserved(instruments)).toEqual([
      'spot:BTCUSDT 2h: the venue does not serve it; it is made of finer candles when it is read',
      'futures:E-BTC-USDT 2h: the venue does not serve it; also name a finer interval from which it can be made',
    ]);
  });
});
