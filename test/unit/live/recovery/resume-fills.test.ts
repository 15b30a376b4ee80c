import { describe, expect, it } from 'vitest';

import {
  MINUTE_MS,
  parseFixed,
  type EpochMs,
  type FillRecord,
  type VenueOrderId,
} from '../../../../src/domain/index.js';
import { FillBook } from '../../../../src/feed/index.js';
import { lastTradeBefore, resumeFills } from '../../../../src/live/recovery/resume-fills.js';
import { enterLong } from '../../../../src/strategy/index.js';
import { aLimitRequest } from '../../../support/order-requests.js';
import { anOrder, aTrade } from '../../../support/live/beliefs.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { START } from '../../../support/engine/engine.js';

const feeAssetOf = () => 'USDT';

/** Two orders of 10: the first begins at the start, the second an hour later; both are accepted. */
function aBench(): OrderManagerBench {
  const bench = new OrderManagerBench();
  bench.want(enterLong({ quantity: '10' }, { limitPrice: '90' }));
  bench.accept('test-1-0-0');
  bench.pass(60 * MINUTE_MS);
  bench.want(enterLong({ quantity: '10' }, { add: true, limitPrice: '80' }));
  bench.accept('test-2-0-0');
  return bench;
}

function tell(bench: OrderManagerBench, id: string, tradeId: string, time: EpochMs): void {
  const order = anOrder(bench.request(id));
  const { venueTradeId, price, quantity } = aTrade(order, '1', { venueTradeId: tradeId });
  const { instrumentId, side, action, clientOrderId } = bench.request(id);
  const fill: FillRecord = {
    ...{ clientOrderId, instrumentId, side, action, price, quantity, venueTradeId },
    ...{ fee: 0n, feeAsset: 'USDT', liquidity: 'maker', eventTime: time },
  };
  bench.update(id, { kind: 'fill', fill, isFilled: false });
}

function resume({ engine }: OrderManagerBench): {
  readonly book: FillBook;
  readonly last: string | undefined;
} {
  const book = new FillBook();
  const fills = [...engine.fills].map(({ record }) => record);
  const orders = [...engine.orders];
  const last = resumeFills({ orders, fills, feeAssetOf }, book);
  return { book, last: last.get(orders[0]?.request.instrumentId ?? ('' as never)) };
}

describe('resumeFills', () => {
  it('reads all trades if no fill was reported', () => {
    expect(resume(aBench()).last).toBeUndefined();
  });

  it('reads from before the oldest working order, whose executions may not have been reported', () => {
    const bench = aBench();
    tell(bench, 'test-1-0-0', '900', START + 5);
    tell(bench, 'test-2-0-0', '902', START + 61 * MINUTE_MS);

    const whileBothWork = resume(bench).last;
    bench.end('test-1-0-0');
    const whileOneWorks = resume(bench).last;
    bench.end('test-2-0-0');
    const afterAll = resume(bench).last;

    expect([whileBothWork, whileOneWorks, afterAll]).toEqual([undefined, '900', '902']);
  });

  it('allows a minute between the clocks of venue and bot', () => {
    const bench = aBench();
    tell(bench, 'test-1-0-0', '900', START + 59 * MINUTE_MS);
    tell(bench, 'test-1-0-0', '901', START + 59 * MINUTE_MS + 1);
    bench.end('test-1-0-0');

    expect(resume(bench).last).toBe('900');
  });

  it('does not repeat fills of a working order from before its epoch', () => {
    const bench = aBench();
    const [working] = bench.engine.workingOrders;
    if (working === undefined) throw new Error('expected an order');
    // As after a checkpoint: 4 are filled at 90, and this epoch does not have their fills.
    working.filledQuantity = parseFixed('4');
    working.filledNotional = parseFixed('360');
    tell(bench, 'test-1-0-0', '905', START + 5);

    const { book } = resume(bench);
    const order = { ...anOrder(working.request), venueOrderId: working.venueOrderId };
    const again = book.take([
      aTrade(order, '4', { venueTradeId: '904' }),
      aTrade(order, '1', { venueTradeId: '905' }),
      aTrade(order, '2', { venueTradeId: '906' }),
    ]);

    expect(again.map(({ venueTradeId }) => venueTradeId)).toEqual(['906']);
  });

  it('books no execution of an ended order again', () => {
    const bench = aBench();
    tell(bench, 'test-1-0-0', '900', START + 5);
    bench.end('test-1-0-0');

    const { book } = resume(bench);
    const order = {
      ...anOrder(bench.request('test-1-0-0')),
      venueOrderId: 'venue-test-1-0-0' as VenueOrderId,
    };
    const again = book.take([
      aTrade(order, '1', { venueTradeId: '900' }),
      aTrade(order, '2', { venueTradeId: '901' }),
    ]);

    expect(again.map(({ quantity }) => quantity)).toEqual([parseFixed('2')]);
    expect(book.external).toEqual([]);
  });
});

describe('resumeFills with forced closes', () => {
  it('ignores a known forced trade, and treats a new trade as foreign', () => {
    const bench = aBench();
    tell(bench, 'test-1-0-0', '900', START + 5);
    const { instrumentId } = bench.request('test-1-0-0');
    const order = anOrder(bench.request('test-1-0-0'));
    const { price, quantity } = aTrade(order, '1');
    bench.account({
      kind: 'forced-fill',
      cause: 'liquidation',
      insurance: 0n,
      fill: {
        ...{ instrumentId, price, quantity, venueTradeId: '901', side: 'sell', action: 'close' },
        clientOrderId: 'liquidation-901' as FillRecord['clientOrderId'],
        ...{ fee: 0n, feeAsset: 'USDT', liquidity: 'taker', eventTime: START + 6 },
      },
    });

    const { book } = resume(bench);
    const external = { ...order, venueOrderId: '77' as VenueOrderId };
    book.take([
      aTrade(external, '1', { venueTradeId: '901' }),
      aTrade(external, '1', { venueTradeId: '902' }),
    ]);

    expect(book.external.map(({ venueTradeId }) => venueTradeId)).toEqual(['902']);
  });
});

describe('lastTradeBefore', () => {
  it('returns the newest trade that is surely before the time, whatever the order of trades', async () => {
    const order = anOrder(aLimitRequest());
    const trades = [
      ['1000', START - MINUTE_MS],
      ['999', START - 2 * MINUTE_MS],
      ['1001', START - MINUTE_MS + 1],
    ] as const;
    const source = {
      async *trades() {
        for (const [venueTradeId, time] of trades)
          yield await Promise.resolve(aTrade(order, '1', { venueTradeId, time }));
      },
    };
    const { signal } = new AbortController();
    const { instrumentId } = order.request;

    expect(await lastTradeBefore(START, { source, instrumentId, signal })).toBe('1000');
    expect(await lastTradeBefore(0, { source, instrumentId, signal })).toBeUndefined();
  });
});
