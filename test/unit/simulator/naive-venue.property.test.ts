import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MINUTE_MS, parseFixed } from '../../../src/domain/index.js';
import { createFixedSlippage, type ExtremeOrder } from '../../../src/simulator/index.js';
import { venueCandles, venueScripts } from '../../support/arbitraries/venue-scripts.js';
import { isHighNearer, NaiveVenue } from '../../support/naive-venue.js';
import { aVenue, balancesOf, feesOf, linesOf, play } from '../../support/spot-venue.js';

const MINUTES = 7;
const UNTIL = MINUTES * MINUTE_MS;

const terms = fc.record({
  fees: fc.constantFrom(
    feesOf('0', '0', 'quote'),
    feesOf('0.001', '0.002', 'received'),
    feesOf('0.001', '0.002', 'quote'),
    // Digits that have to be rounded, and a maker who pays more than a taker.
    feesOf('0.000333333333333333', '0.000777777777777777', 'quote'),
    feesOf('0.003333333333333333', '0.000777777777777777', 'received'),
    feesOf('0.003333333333333333', '0.000777777777777777', 'quote'),
  ),
  halfSpread: fc.constantFrom('0', '0', '0.00005', '0.0003', '0.001'),
  slippage: fc.constantFrom('0', '0', '0.0001', '0.00123456789'),
  participation: fc.constantFrom(undefined, '0.1', '0.333333', '1'),
  fillOnTouch: fc.boolean(),
  minMoney: fc.constantFrom('0', '5', '50'),
  usdt: fc.constantFrom('0', '250', '1000', '1000', '100000'),
  btc: fc.constantFrom('0', '2.5', '10', '1000'),
});
const order = fc.constantFrom<'nearest' | ExtremeOrder>('nearest', 'high-first', 'low-first');

describe('the simulated venue', () => {
  it('does in every millisecond what the naive venue does: same answers, same fills, same balances', () => {
    fc.assert(
      fc.property(venueCandles(), venueScripts(4), terms, order, (candles, script, setup, mode) => {
        const naive = new NaiveVenue({
          ...setup,
          candles,
          isHighFirst: mode === 'nearest' ? isHighNearer : () => mode === 'high-first',
        });
        naive.play(script, UNTIL);
        const observed = aVenue({
          candles,
          fees: setup.fees,
          halfSpread: setup.halfSpread,
          slippage: createFixedSlippage(parseFixed(setup.slippage)),
          ...(setup.participation !== undefined && { participation: setup.participation }),
          fillOnTouch: setup.fillOnTouch,
          rules: { minOrderMoney: parseFixed(setup.minMoney) },
          balances: { USDT: setup.usdt, BTC: setup.btc },
          ...(mode !== 'nearest' && { order: mode }),
        });
        play(observed, script, UNTIL);

        expect(linesOf(observed)).toEqual(naive.lines);
        expect(balancesOf(observed)).toEqual(naive.balances());
      }),
    );
  });
});
