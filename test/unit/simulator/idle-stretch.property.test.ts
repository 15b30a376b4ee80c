import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MINUTE_MS } from '../../../src/domain/index.js';
import {
  aContract,
  aContractLimit,
  aFuturesVenue,
  aTier,
  describeAny,
  type FuturesSetup,
  type ObservedFutures,
} from '../../support/futures-venue.js';
import {
  arrivalTimes,
  venueCandles,
  venueScripts,
} from '../../support/arbitraries/venue-scripts.js';
import {
  aVenue,
  play,
  START,
  type ScriptStep,
  type VenueCandle,
} from '../../support/spot-venue.js';

const MINUTES = 60;

/** A random walk with steps that are small compared to its price, and a jump now and then. */
const walks = fc
  .array(
    fc.record({
      step: fc.integer({ min: -60, max: 60 }),
      jump: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 150, -150, 900, -900),
      wick: fc.nat({ max: 40 }),
    }),
    { minLength: MINUTES, maxLength: MINUTES },
  )
  .map((rows) => {
    let last = 10_000;
    return rows.map(({ step, jump, wick }): VenueCandle => {
      const open = last + jump;
      const close = open + step;
      last = close;
      const [high, low] = [Math.max(open, close) + wick, Math.min(open, close) - wick];
      return { path: [open / 100, high / 100, low / 100, close / 100] };
    });
  });

const terms = fc.record({
  last: walks,
  mark: fc.option(walks, { nil: undefined }),
  isInverse: fc.boolean(),
  isCross: fc.boolean(),
  leverage: fc.constantFrom('2', '10', '30', '100'),
  side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
  hedge: fc.nat({ max: 12 }),
  fundedAt: fc.uniqueArray(fc.integer({ min: 1, max: MINUTES - 1 }), { maxLength: 4 }),
});

/** Lets candles pass as a replay does: if the venue is idle for a candle, the candle passes without the venue. */
function replay({ venue }: Pick<ObservedFutures, 'venue'>): number {
  let passed = 0;
  let isBehind = false;
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    const close = START + minute * MINUTE_MS;
    if (venue.isIdleUntil(close)) {
      passed += 1;
      isBehind = true;
      continue;
    }
    if (isBehind) venue.resumeAt(close - MINUTE_MS);
    isBehind = false;
    for (let time = venue.nextTime(); time <= close; time = venue.nextTime()) {
      venue.completeUntil(time);
      venue.settleUntil(time);
      venue.openAt(time);
    }
  }
  return passed;
}

describe('candles skipped while the venue is idle', () => {
  it('contain nothing that a full replay of a contract would report', () => {
    fc.assert(
      fc.property(terms, ({ last, mark, isInverse, isCross, leverage, side, hedge, fundedAt }) => {
        const instrument = aContract(isInverse ? 'inverse' : 'linear', {
          multiplier: isInverse ? '100' : '0.01',
          leverage,
          marginMode: isCross ? 'cross' : 'isolated',
        });
        const times = [...fundedAt].sort((a, b) => a - b);
        const setup: FuturesSetup = {
          contracts: [
            {
              instrument,
              candles: last,
              ...(mark && { mark: { candles: mark } }),
              funding: {
                stored: {
                  time: Float64Array.from(times, (minute) => START + minute * MINUTE_MS),
                  rate: Float64Array.from(times, () => 0.001),
                },
              },
              tiers: [aTier('0.005', '125', '8'), aTier('0.01', '125')],
            },
          ],
          maxFeeRate: '0.0006',
          balances: { [instrument.marginAsset]: '12' },
        };
        const taken = (way: 'buy' | 'sell'): string => (way === 'buy' ? '200' : '1');
        const order = (id: string, way: 'buy' | 'sell', quantity: number): ScriptStep => ({
          at: 0,
          submit: aContractLimit({
            id,
            instrument,
            side: way,
            quantity: String(quantity),
            limitPrice: taken(way),
            timeInForce: 'IOC',
          }),
        });
        const other = side === 'buy' ? 'sell' : 'buy';
        const script = [order('a', side, 10), ...(hedge > 0 ? [order('b', other, hedge)] : [])];
        const [stepped, replayed] = [aFuturesVenue(setup), aFuturesVenue(setup)];

        play(stepped, script, MINUTES * MINUTE_MS);
        play(replayed, script, 0);
        replay(replayed);

        expect(replayed.updates.map(describeAny)).toEqual(stepped.updates.map(describeAny));
      }),
    );
  });

  it('contain no update on spot, also with resting orders', () => {
    const minutes = 8;
    const end = START + minutes * MINUTE_MS;
    let proven = 0;
    let resting = 0;

    fc.assert(
      fc.property(
        venueCandles({ minLength: minutes, maxLength: minutes }),
        venueScripts(2),
        arrivalTimes(3),
        (candles, script, asked) => {
          const setup = { candles, balances: { BTC: '1000', USDT: '100000' } };
          const [observed, stepped] = [aVenue(setup), aVenue(setup)];
          const before = script.filter(({ at }) => at <= asked);
          for (const one of [observed, stepped]) play(one, before, asked);
          if (!observed.venue.isIdleUntil(START + asked + 1)) return;
          const until = Math.min(observed.venue.idleUntil, end);
          const known = stepped.updates.length;

          const { venue } = stepped;
          for (let time = venue.nextTime(); time < until; time = venue.nextTime()) {
            venue.completeUntil(time);
            venue.settleUntil(time);
            venue.openAt(time);
          }
          // No `openAt`: a candle that opens at `until` lies after the idle stretch.
          venue.completeUntil(until);

          expect(stepped.updates.slice(known).map(describeAny)).toEqual([]);
          proven += 1;
          if (observed.venue.idleUntil < Infinity) resting += 1;
        },
      ),
      { numRuns: 500 },
    );

    expect(proven).toBeGreaterThan(100);
    expect(resting).toBeGreaterThan(50);
  });

  it('are all candles while prices stay far from a liquidation', () => {
    const candles = Array.from({ length: MINUTES }, (): VenueCandle => ({
      path: [100, 100.5, 99.5, 100],
    }));
    const observed = aFuturesVenue({
      contracts: [{ instrument: aContract('linear', { multiplier: '0.01' }), candles }],
    });
    const order = aContractLimit({ limitPrice: '100.5', timeInForce: 'IOC' });

    play(observed, [{ at: 0, submit: order }], 0);

    expect(observed.updates).toHaveLength(1);
    expect(replay(observed)).toBe(MINUTES);
  });
});
