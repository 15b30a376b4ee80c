import { expect, it } from 'vitest';

import { FIXED_ONE } from '../../../../src/domain/index.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { BTC_PERPETUAL } from '../../../support/futures-venue.js';

const setup = {
  instruments: [{ instrument: BTC_PERPETUAL, intervals: ['1min'] }],
  venueStops: { kind: 'family', distance: FIXED_ONE, orphans: 'refuse' },
} as const;

/** A bench with a long position whose stop at 99 waits at the venue, as order `test-2-0-0`. */
function aGuarded(): OrderManagerBench {
  const bench = new OrderManagerBench(setup);
  bench.want({
    kind: 'enter',
    direction: 'long',
    size: { quantity: '10' },
    protection: { stopLoss: { price: '99' } },
  });
  bench.fill('test-1-0-0', '10');
  bench.accept('test-2-0-0');
  return bench;
}

it('places the next trigger with a candle, whatever else it learns before', () => {
  const bench = aGuarded();
  const taken = bench.sample('98.5');
  bench.refuseCancel('test-2-0-0');
  // A live bot learns more events between two candles than a backtest.
  const between = [bench.pass(4_000), bench.sample('99.5'), bench.pass(4_000)].flat();

  expect(taken).toEqual(['cancel test-2-0-0']);
  expect(between).toEqual([]);
  expect(bench.candle(99.5)).toEqual([expect.stringMatching(/^test-3-0-0: /)]);
});

it('waits for the report of its order for 5 s, also at a candle', () => {
  const bench = aGuarded();
  bench.sample('98.5');
  bench.refuseCancel('test-2-0-0');
  bench.pass(4_000);

  expect(bench.candle(99.5)).toEqual([]);
  bench.pass(2_000);
  expect(bench.candle(99.5)).toEqual([expect.stringMatching(/^test-3-0-0: /)]);
});
