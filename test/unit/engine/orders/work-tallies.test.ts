import { describe, expect, it } from 'vitest';

import { formatFixed, shortfallOf } from '../../../../src/domain/index.js';
import { cancel, enterLong, enterShort, exit, replace } from '../../../../src/strategy/index.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { LINEAR, MARGIN } from '../../../support/risk/builders.js';

const twap = { twap: { over: '10min', slices: 4 } } as const;
const chase = { chase: { every: '5s', maxBps: '50' } } as const;
const limitFor = { limitFor: '30s', then: 'market' } as const;
const SLICE_MS = 150_000;

/** The result of each worked intent, with amounts as text. */
function worked({ engine, instrument }: OrderManagerBench): readonly object[] {
  return engine.worked.map(({ arrivalPrice, quantity, filledQuantity, to, ...work }) => {
    const { intentId: intent, side, label } = work;
    const found = shortfallOf(instrument, { ...work, arrivalPrice, filledQuantity });
    return {
      ...{ intent, side, label, isOver: to !== undefined },
      arrival: formatFixed(arrivalPrice),
      quantity: formatFixed(quantity),
      filled: formatFixed(filledQuantity),
      ...(found && { average: formatFixed(found.averagePrice), money: formatFixed(found.money) }),
    };
  });
}

function aBench(price = 100): OrderManagerBench {
  const bench = new OrderManagerBench();
  bench.candle(price);
  return bench;
}

describe('the result of a worked intent', () => {
  it('adds up its slices, compared with the last price at the first decision', () => {
    const bench = aBench(101.25);
    bench.want(enterLong({ quantity: '4' }, { work: twap, label: 'slow' }));
    for (const [slice, price] of ['101', '102', '103', '104'].entries()) {
      bench.fill(`test-1-${String(slice)}-0`, '1', { price });
      bench.candle(Number(price));
      bench.pass(SLICE_MS);
    }

    // 101 + 102 + 103 + 104 − 4 × 101.25
    expect(worked(bench)).toEqual([
      {
        ...{ intent: 1, side: 'buy', label: 'slow', isOver: true },
        ...{ arrival: '101.25', quantity: '4', filled: '4', average: '102.5', money: '5' },
      },
    ]);
  });

  it('stays open while a slice is still to be sent, also across a checkpoint', () => {
    const bench = aBench();
    bench.want(enterLong({ quantity: '4' }, { work: twap }));
    bench.fill('test-1-0-0', '1', { price: '100.5' });
    bench.pass(SLICE_MS);
    bench.candle(120);

    const next = bench.restart();
    next.fill('test-1-1-0', '1', { price: '99' });

    const figures = { arrival: '100', quantity: '4', filled: '2', average: '99.75' };
    expect(worked(next)).toMatchObject([{ ...figures, money: '-0.5', isOver: false }]);
    next.want(cancel({ intentId: 1 }));
    expect(worked(next)).toMatchObject([{ ...figures, isOver: true }]);
    expect(next.engine.checkpoint().sides.some(({ tallies }) => tallies)).toBe(false);
  });

  it('follows a working order and its replacement across a checkpoint', () => {
    const bench = aBench();
    bench.want(enterLong({ quantity: '2' }, { work: limitFor }));
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', '0.5', { price: '99' });

    const next = bench.restart();
    next.pass(30_000);
    next.end('test-1-0-0');
    expect(worked(next)).toMatchObject([{ filled: '0.5', isOver: false }]);
    next.fill('test-1-1-0', '1.5', { price: '102' });

    // 0.5 × 99 + 1.5 × 102 − 200
    expect(worked(next)).toMatchObject([
      { arrival: '100', quantity: '2', filled: '2', average: '101.25', money: '2.5', isOver: true },
    ]);
  });

  it('follows chasing orders, and orders that a strategy replaces', () => {
    const bench = aBench();
    bench.want(enterLong({ quantity: '2' }, { work: chase }));
    bench.accept('test-1-0-0');
    bench.pass(5_000);
    bench.sample('100.3');
    bench.end('test-1-0-0');
    bench.accept('test-1-1-0');
    bench.fill('test-1-1-0', '1', { price: '100.3' });
    bench.want(replace({ intentId: 1 }, { limitPrice: '100.1' }));
    bench.end('test-1-1-0');
    bench.fill('test-2-0-0', '1', { price: '100.1' });

    expect(worked(bench)).toMatchObject([
      { intent: 1, arrival: '100', quantity: '2', filled: '2', money: '0.4', isOver: true },
    ]);
  });

  it('is a cost if less is received', () => {
    const bench = aBench();
    bench.want(enterLong({ quantity: '1' }));
    bench.fill('test-1-0-0', '1', { price: '100' });
    bench.want(exit({ work: chase, label: 'out' }));
    bench.fill('test-2-0-0', '1', { price: '99.5' });

    expect(worked(bench)).toMatchObject([
      { intent: 2, side: 'sell', label: 'out', filled: '1', average: '99.5', money: '0.5' },
    ]);
  });

  it('is separate for each side if an exit closes both sides', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
    });
    bench.candle(100);
    bench.want(enterLong({ quantity: '10' }), enterShort({ quantity: '20' }));
    bench.fill('test-1-0-0', '10', { price: '100' });
    bench.fill('test-2-0-0', '20', { price: '100' });
    bench.want(exit({ work: twap }));

    expect(worked(bench)).toMatchObject([
      { intent: 3, side: 'buy', quantity: '20', isOver: false },
      { intent: 3, side: 'sell', quantity: '10', isOver: false },
    ]);
  });

  it('starts at the last price when the other side is closed', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: MARGIN, intervals: ['1min'] }],
    });
    bench.candle(100);
    bench.want(enterLong({ quantity: '1' }));
    bench.fill('test-1-0-0', '1', { price: '100' });
    bench.want(enterShort({ quantity: '2' }, { work: twap }));
    bench.candle(90);
    expect(worked(bench)).toEqual([]);
    bench.fill('test-3-0-0', '1', { price: '90' });

    expect(worked(bench)).toMatchObject([{ intent: 2, side: 'sell', arrival: '90' }]);
  });

  it('is absent for a refused intent, and for an intent without work', () => {
    const bench = aBench();
    bench.want(enterLong({ quantity: '0.0001' }, { work: chase }));
    bench.want(enterLong({ quantity: '1' }));
    bench.fill('test-2-0-0', '1', { price: '100' });

    expect(bench.refusals).toHaveLength(1);
    expect(worked(bench)).toEqual([]);
    expect(bench.engine.checkpoint().sides.some(({ tallies }) => tallies)).toBe(false);
  });

  it('includes an order that filled nothing', () => {
    const bench = aBench();
    bench.want(enterLong({ quantity: '1' }, { work: chase }));
    bench.accept('test-1-0-0');
    bench.want(cancel({ intentId: 1 }));
    bench.end('test-1-0-0');

    expect(worked(bench)).toEqual([
      {
        ...{ intent: 1, side: 'buy', label: undefined, isOver: true },
        ...{ arrival: '100', quantity: '1', filled: '0' },
      },
    ]);
  });

  it('is kept for the last intents that have ended', () => {
    const bench = new OrderManagerBench({ records: { kept: 2 } });
    for (let intent = 1; intent <= 8; intent += 1) {
      bench.want(enterLong({ quantity: '1' }, { work: chase, add: true }));
      bench.fill(`test-${String(intent)}-0-0`, '1');
    }

    const intents = bench.engine.worked.map(({ intentId }) => intentId);
    expect(intents.slice(-2)).toEqual([7, 8]);
    expect(intents.length).toBeLessThan(4);
  });
});
