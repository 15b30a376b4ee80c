import { describe, expect, it } from 'vitest';

import { describeAccount } from '../../../src/live/bot/describe-account.js';
import { enterLong, protect } from '../../../src/strategy/index.js';
import { OrderManagerBench } from '../../support/engine/order-manager-bench.js';

const statusOf = ({ engine, instrument }: OrderManagerBench) =>
  describeAccount(engine, [instrument]);

/** Holds 1 BTC of 100, guarded by its bracket, and 2 more without one. */
function aBench(): OrderManagerBench {
  const bench = new OrderManagerBench();
  bench.want(
    enterLong(
      { quantity: '1' },
      {
        label: 'bid',
        bracket: { stopLoss: { ratio: '0.03' }, takeProfit: { ratio: '0.01' } },
      },
    ),
    enterLong({ quantity: '2' }, { add: true }),
  );
  bench.fill('test-1-0-0', '1', { price: '100' });
  bench.fill('test-2-0-0', '2', { price: '100' });
  return bench;
}

describe('describeAccount: guards', () => {
  it('lists the bracket of each entry, with its levels and its quantity', () => {
    const { guards, orders } = statusOf(aBench());

    expect(guards).toEqual([
      {
        ...{ instrumentId: 'spot:BTCUSDT', direction: 'long', quantity: '1' },
        ...{ stop: '97', takeProfit: '101', trailingStop: undefined },
        ...{ intentId: 1, label: 'bid' },
      },
    ]);
    expect(orders).toMatchObject([{ limitPrice: '101', cause: 'take-profit', label: 'bid' }]);
  });

  it('lists the guard of the position before brackets, also after a restart', () => {
    const bench = aBench();
    bench.want(protect({ stopLoss: { price: '90' }, trailingStop: { distance: '5' } }));

    const { guards } = statusOf(bench.restart());

    expect(guards).toMatchObject([
      { quantity: '3', stop: '90', trailingStop: '95', takeProfit: undefined, intentId: undefined },
      { quantity: '1', stop: '97', takeProfit: '101', intentId: 1, label: 'bid' },
    ]);
  });

  it('reduces the quantity of a bracket by its fills, and omits a filled bracket', () => {
    const bench = aBench();
    const [{ clientOrderId } = { clientOrderId: '' }] = statusOf(bench).orders;
    bench.fill(clientOrderId, '0.4', { price: '101' });
    expect(statusOf(bench).guards).toMatchObject([{ quantity: '0.6' }]);

    bench.fill(clientOrderId, '0.6', { price: '101' });
    expect(statusOf(bench).guards).toEqual([]);
  });
});

describe('describeAccount: worked intents', () => {
  it('shows the fills and the arrival price of a worked intent until its end', () => {
    const bench = new OrderManagerBench();
    const work = { twap: { over: '10min', slices: 2 } } as const;
    bench.want(enterLong({ quantity: '2' }, { work, label: 'slow' }));
    const worked = {
      ...{ intentId: 1, instrumentId: 'spot:BTCUSDT', side: 'buy', label: 'slow' },
      ...{ arrival: '100', quantity: '2', unit: 'base' },
    };
    expect(statusOf(bench).worked).toEqual([
      { ...worked, filled: '0', averagePrice: undefined, shortfallBps: undefined },
    ]);

    bench.fill('test-1-0-0', '1', { price: '100.25' });
    expect(statusOf(bench).worked).toEqual([
      { ...worked, filled: '1', averagePrice: '100.25', shortfallBps: 25 },
    ]);

    bench.pass(300_000);
    bench.fill('test-1-1-0', '1', { price: '100' });
    expect(statusOf(bench).worked).toEqual([]);
  });
});
