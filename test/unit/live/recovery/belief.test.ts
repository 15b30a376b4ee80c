import { describe, expect, it } from 'vitest';

import { formatFixed, RuleBook } from '../../../../src/domain/index.js';
import { believe, type BeliefSource } from '../../../../src/live/recovery/belief.js';
import { enterLong } from '../../../../src/strategy/index.js';
import { aContract } from '../../../support/futures-contracts.js';
import { SPOT } from '../../../support/risk/builders.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { START } from '../../../support/engine/engine.js';

const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 3 };

const beliefsOf = ({ engine }: OrderManagerBench): BeliefSource => ({
  orders: engine.workingOrders,
  portfolio: engine.portfolio,
});

describe('believe', () => {
  it('reads working orders and the spot account from an engine', () => {
    const bench = new OrderManagerBench();
    const book = new RuleBook();
    book.set(SPOT.id, [{ from: 0, rules }]);
    bench.want(enterLong({ quantity: '10' }, { limitPrice: '90' }));
    bench.fill('test-1-0-0', '4');
    bench.want(enterLong({ quantity: '1' }, { add: true, limitPrice: '80' }));
    bench.end('test-2-0-0', 'rejected');

    const { orders, positions, balances } = believe(beliefsOf(bench), { rules: book, now: START });

    expect(orders.map(({ request }) => request.clientOrderId)).toEqual(['test-1-0-0']);
    expect(positions).toEqual([]);
    const amounts = balances.map(({ account, asset, free, locked, tolerance }) =>
      [account, asset, ...[free, locked, tolerance].map(formatFixed)].join(' '),
    );
    // 10,000 − 4 × 90 spent, 6 × 90 held; a tick of the quote and a step of the base are dust.
    expect(amounts.toSorted()).toEqual(['spot BTC 4 0 0.001', 'spot USDT 9100 540 0.01']);
  });

  it('reads both sides of a contract, also a side without a position', () => {
    const { instrument } = aContract();
    const contracts = { ...rules, quantityPrecision: 0 };
    const bench = new OrderManagerBench({
      instruments: [{ instrument, intervals: ['1min'] }],
      rules: { quantityPrecision: 0 },
    });
    const book = new RuleBook();
    book.set(instrument.id, [{ from: 0, rules: contracts }]);
    bench.want(enterLong({ quantity: '10' }, { limitPrice: '100' }));
    bench.fill('test-1-0-0', '10');

    const { positions, balances } = believe(beliefsOf(bench), { rules: book, now: START });

    expect(
      positions.map(({ direction, quantity, step }) =>
        [direction, formatFixed(quantity), formatFixed(step)].join(' '),
      ),
    ).toEqual(['long 10 1', 'short 0 1']);
    const [money] = balances;
    // 10 × 0.0001 × 100 / 10 is the margin of the position.
    expect(formatFixed(money?.free ?? 0n)).toBe('9999.99');
    expect(formatFixed(money?.tolerance ?? 0n)).toBe('99.9999');
  });

  it('expects that the venue may hold more for a contract, whose mark moves while an order travels', () => {
    const { instrument } = aContract();
    const bench = new OrderManagerBench({
      instruments: [{ instrument, intervals: ['1min'] }],
      rules: { quantityPrecision: 0 },
    });
    const book = new RuleBook();
    book.set(instrument.id, [{ from: 0, rules: { ...rules, quantityPrecision: 0 } }]);
    bench.want(enterLong({ quantity: '1000' }, { limitPrice: '100' }));
    bench.fill('test-1-0-0', '400');

    const { balances } = believe(beliefsOf(bench), { rules: book, now: START });

    // A hundredth of the value of 600 contracts: 600 × 0.0001 × 100.
    const more = balances.map(({ locked, mostLocked }) => formatFixed(mostLocked - locked));
    expect(more).toEqual(['0.06']);
  });

  it('tolerates a hundredth of the loss of a contract beyond its account', () => {
    const { instrument } = aContract();
    const bench = new OrderManagerBench({
      instruments: [{ instrument, intervals: ['1min'] }],
      rules: { quantityPrecision: 0 },
      balances: { USDT: '-9533.43991' },
    });
    const book = new RuleBook();
    book.set(instrument.id, [{ from: 0, rules }]);

    const { balances } = believe(beliefsOf(bench), { rules: book, now: START });

    expect(balances.map(({ tolerance }) => formatFixed(tolerance))).toEqual(['95.3343991']);
  });
});
