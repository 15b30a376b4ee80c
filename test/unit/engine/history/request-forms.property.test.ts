import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  type ClientOrderId,
  type OrderRequest,
} from '../../../../src/domain/index.js';
import { formRequest, RequestForms } from '../../../../src/engine/history/request-forms.js';
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

describe('forms of requests', () => {
  it('give back what was taken apart', () => {
    fc.assert(
      fc.property(fc.array(requests, { maxLength: 60 }), (sent) => {
        const forms = new RequestForms();
        const taken = sent.map((request) => forms.of(request));

        const again = sent.map((request, index) => {
          const { clientOrderId, intentId, quantity } = request;
          const limitPrice = request.type === 'limit' ? request.limitPrice : 0n;
          const form = forms.at(taken[index] ?? Number.NaN);
          return formRequest(form, { clientOrderId, intentId, quantity, limitPrice });
        });

        expect(again).toStrictEqual(sent);
      }),
    );
  });

  it('are one for requests that differ in nothing else', () => {
    fc.assert(
      fc.property(requests, fc.nat(), fc.bigInt({ min: 1n }), (request, intentId, quantity) => {
        const forms = new RequestForms();

        expect(forms.of({ ...request, intentId, quantity })).toBe(forms.of(request));
      }),
    );
  });
});
