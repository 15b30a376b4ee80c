import { describe, expect, it } from 'vitest';

import { parseFixed, type ClientOrderId } from '../../../src/domain/index.js';
import type { ForcedFillUpdate } from '../../../src/live/margin/forced-trades.js';
import { inTellingOrder, withForced, type Found } from '../../../src/live/account/found-updates.js';
import { LINEAR } from '../../support/futures-contracts.js';

function aClose(venueTradeId: string): ForcedFillUpdate {
  return {
    kind: 'forced-fill',
    cause: 'liquidation',
    fill: {
      clientOrderId: `liquidation-${venueTradeId}` as ClientOrderId,
      instrumentId: LINEAR,
      side: 'sell',
      action: 'close',
      price: parseFixed('100'),
      quantity: parseFixed('1'),
      fee: 0n,
      feeAsset: 'USDT',
      liquidity: 'taker',
      eventTime: 5_000,
      venueTradeId,
    },
    insurance: 0n,
    eventTime: 5_000,
  };
}

function anEnd(id: string): Found {
  return {
    update: {
      kind: 'ended',
      clientOrderId: id as ClientOrderId,
      status: 'canceled',
      reason: { code: 'by-venue', text: '' },
      eventTime: 6_000,
    },
    tradeId: undefined,
  };
}

function ours(venueTradeId: string): Found {
  const { fill } = aClose(venueTradeId);
  const clientOrderId = `own-${venueTradeId}` as ClientOrderId;
  const update = {
    kind: 'fill',
    clientOrderId,
    fill: { ...fill, clientOrderId },
    isFilled: true,
    eventTime: 5_000,
  } as const;
  return { update, tradeId: venueTradeId };
}

describe('inTellingOrder', () => {
  it('puts the ends of orders before the close, contract by contract', () => {
    const found = [
      ...withForced([anEnd('b')], [aClose('11'), aClose('12')]),
      ...withForced([anEnd('a')], [aClose('9'), aClose('10')]),
    ];

    const told = inTellingOrder(found).map(({ update }) =>
      update.kind === 'forced-fill'
        ? update.fill.clientOrderId
        : update.kind === 'ended' && update.clientOrderId,
    );
    expect(told).toEqual([
      'a',
      'liquidation-9',
      'liquidation-10',
      'b',
      'liquidation-11',
      'liquidation-12',
    ]);
  });

  it('keeps the order of the trades if own fills lie between forced closes', () => {
    const found = [
      ...withForced(
        [ours('14'), ours('12'), ours('9')],
        [aClose('13'), aClose('11'), aClose('10')],
      ),
    ];

    const told = inTellingOrder(found).map(({ tradeId }) => tradeId);
    expect(told).toEqual(['9', '10', '11', '12', '13', '14']);
  });

  it('puts the end of an order after its fill of the same time, also behind a forced close', () => {
    const end = anEnd('own-12');
    const update = { ...end.update, eventTime: 5_000 } as Found['update'];
    const close: Found = { update: aClose('11'), tradeId: '11' };

    const told = inTellingOrder([ours('12'), { ...end, update }, close]);
    expect(told.map((each) => each.update.kind)).toEqual(['forced-fill', 'fill', 'ended']);
  });
});
