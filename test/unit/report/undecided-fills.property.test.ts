import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { computeStatistics } from '../../../src/report/index.js';
import {
  aRunFill,
  aRunRecord,
  BTC_SPOT,
  dailyEquity,
  RUN_START,
} from '../../support/run-records.js';

/** Some candles of a minute each, and fills of 100 at times in or near them. */
const scene = fc.record({
  minutes: fc.uniqueArray(fc.nat(8)).map((minutes) => minutes.toSorted((a, b) => a - b)),
  times: fc
    .array(
      fc.oneof(
        fc.nat(9 * 60),
        fc.nat(9).map((minute) => minute * 60),
      ),
      { minLength: 1 },
    )
    .map((times) => times.toSorted((a, b) => a - b)),
});

describe('the share of the traded money inside undecided candles', () => {
  it('equals a check of each fill against each candle', () => {
    fc.assert(
      fc.property(scene, ({ minutes, times }) => {
        const inside = times.filter((time) =>
          minutes.some((minute) => time > minute * 60 && time < (minute + 1) * 60),
        );

        const { undecidedShare } = computeStatistics(
          aRunRecord({
            ...dailyEquity(['100', '100']),
            fills: times.map((time) => aRunFill({ time: RUN_START + time })),
            undecidedSpans: new Map([
              [
                BTC_SPOT.id,
                {
                  opens: minutes.map((minute) => RUN_START + minute * 60),
                  closes: minutes.map((minute) => RUN_START + (minute + 1) * 60),
                },
              ],
            ]),
          }),
        );

        expect(undecidedShare).toBe(inside.length / times.length);
      }),
    );
  });
});
