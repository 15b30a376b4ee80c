import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  ORDER_CAUSES,
  ORDER_STATUSES,
  type ClientOrderId,
  type OrderRequest,
} from '../../../../src/domain/index.js';
import { formRequest, OrderForms } from '../../../../src/engine/history/order-forms.js';
import { SPOT } from '../../../support/risk/builders.js';

const common = {
  clientOrderId: fc.string().map((text) => text as ClientOrderId),
  intentId: fc.nat(),
  instrumentId: fc.constantFrom(SPOT.id, createInstrumentId('futures', 'E-BTC-USDT')),
  side: fc.constantFrom('buy', 'sell'),
  action: fc.constantFrom('open', 'close'),
  quantity: fc.bigInt({ min: 1n }),
  unit: fc.constantFrom('base', 'quote', 'contracts'),
};
const marginMode = fc.constantFrom('cross', 'isolated');
const requests: fc.Arbitrary<OrderRequest> = fc.oneof(
  fc.record(
    { type: fc.constant('market'), ...common, marginMode },
    {
      noNullPrototype: true,
      requiredKeys: [
        'type',
        'clientOrderId',
        'intentId',
        'instrumentId',
        'side',
        'action',
        'quantity',
        'unit',
      ],
    },
  ),
  fc.record(
    {
      type: fc.constant('limit'),
      ...common,
      limitPrice: fc.bigInt({ min: 1n }),
      timeInForce: fc.constantFrom('GTC', 'IOC', 'FOK', 'POST_ONLY'),
      marginMode,
    },
    {
      noNullPrototype: true,
      requiredKeys: [
        ...(['type', 'clientOrderId', 'intentId', 'instrumentId', 'side', 'action'] as const),
        ...(['quantity', 'unit', 'limitPrice', 'timeInForce'] as const),
      ],
    },
  ),
);

const orders = fc.record(
  {
    request: requests,
    status: fc.constantFrom(...ORDER_STATUSES),
    cause: fc.constantFrom(...ORDER_CAUSES),
  },
  { noNullPrototype: true },
);

describe('OrderForms', () => {
  it('restores each order from its form', () => {
    fc.assert(
      fc.property(fc.array(orders, { maxLength: 60 }), (ended) => {
        const forms = new OrderForms();
        const taken = ended.map((order) => forms.of(order));

        const again = ended.map(({ request }, index) => {
          const { clientOrderId, intentId, quantity } = request;
          const limitPrice = request.type === 'limit' ? request.limitPrice : 0n;
          const form = forms.at(taken[index] ?? Number.NaN);
          const { status, cause } = form;
          const terms = { clientOrderId, intentId, quantity, limitPrice };
          return { request: formRequest(form, terms), status, cause };
        });

        expect(again).toStrictEqual(ended);
      }),
    );
  });

  it('shares one form among orders that differ only in intent and quantity', () => {
    fc.assert(
      fc.property(orders, fc.nat(), fc.bigInt({ min: 1n }), (order, intentId, quantity) => {
        const forms = new OrderForms();
        const other = { ...order, request: { ...order.request, intentId, quantity } };

        expect(forms.of(other)).toBe(forms.of(order));
      }),
    );
  });
});
