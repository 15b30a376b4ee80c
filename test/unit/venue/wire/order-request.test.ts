import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  InvariantError,
  parseFixed,
  type OrderRequest,
  type RiskApproved,
} from '../../../../src/domain/index.js';
import type { ConditionalOrder, VenueOrderRequest } from '../../../../src/venue/index.js';
import {
  decodeBatchEntry,
  decodeConditionRequest,
  decodeFuturesOrderRequest,
  decodeSpotOrderRequest,
  encodeBatchEntry,
  encodeConditionRequest,
  encodeFuturesOrderRequest,
  encodeRequest,
  encodeSpotOrderRequest,
  ENDPOINTS,
  parseJson,
  parseRequest,
  type AnyEndpoint,
  type CheckedRequestOf,
  type RequestOf,
} from '../../../../src/venue/wire/index.js';
import { orderRequests } from '../../../support/arbitraries/venue.js';

describe('encodeSpotOrderRequest', () => {
  it('writes a LIMIT order in base and a MARKET buy in quote', () => {
    const limit = aSpotOrder({
      type: 'limit',
      limitPrice: parseFixed('65000.10'),
      timeInForce: 'GTC',
    });
    const market = aSpotOrder({ type: 'market', unit: 'quote', quantity: parseFixed('20') });

    expect(encodeSpotOrderRequest(limit)).toEqual({
      symbol: 'BTCUSDT',
      volume: '0.01',
      side: 'BUY',
      type: 'LIMIT',
      price: '65000.1',
      newClientOrderId: 'ek-1',
    });
    expect(encodeSpotOrderRequest(market)).toMatchObject({
      volume: '20',
      type: 'MARKET',
      price: undefined,
    });
  });

  it('refuses a MARKET buy in base, because the venue would spend that number as quote', () => {
    const order = aSpotOrder({ type: 'market', unit: 'base' });

    expect(() => encodeSpotOrderRequest(order)).toThrow(InvariantError);
    expect(() => encodeSpotOrderRequest(order)).toThrow(
      'expected the quantity of a market buy on spot:BTCUSDT in quote, received it in base',
    );
  });

  it('refuses a time in force that spot does not have, and an order for futures', () => {
    const ioc = aSpotOrder({ type: 'limit', limitPrice: 1n, timeInForce: 'IOC' });
    const futures = aSpotOrder({
      ...{ type: 'limit', limitPrice: 1n, timeInForce: 'GTC' },
      instrumentId: createInstrumentId('futures', 'E-BTC-USDT'),
    });

    expect(() => encodeSpotOrderRequest(ioc)).toThrow('expected time in force GTC');
    expect(() => encodeSpotOrderRequest(futures)).toThrow('expected an order for spot or margin');
  });
});

describe('encodeFuturesOrderRequest', () => {
  it('refuses an order without a margin mode', () => {
    const order = {
      ...aSpotOrder({ type: 'limit', limitPrice: 1n, timeInForce: 'GTC' }),
      instrumentId: createInstrumentId('futures', 'E-BTC-USDT'),
      unit: 'contracts',
      action: 'open',
    } as const;

    expect(() => encodeFuturesOrderRequest(order)).toThrow('to say its action and margin mode');
  });
});

describe('an order that was encoded, sent, checked and decoded', () => {
  it('is the same on spot', () => {
    fc.assert(
      fc.property(orderRequests('spot'), (order) => {
        const sent = send(ENDPOINTS['spot.order'], encodeSpotOrderRequest(order));

        expect(decodeSpotOrderRequest(sent, 'spot')).toEqual(order);
      }),
    );
  });

  it('is the same on margin', () => {
    fc.assert(
      fc.property(orderRequests('margin'), (order) => {
        const sent = send(ENDPOINTS['margin.order'], encodeSpotOrderRequest(order));

        expect(decodeSpotOrderRequest(sent, 'margin')).toEqual(order);
      }),
    );
  });

  it('is the same on futures', () => {
    fc.assert(
      fc.property(orderRequests('futures'), (order) => {
        const sent = send(ENDPOINTS['futures.order'], encodeFuturesOrderRequest(order));

        expect(decodeFuturesOrderRequest(sent)).toEqual(order);
      }),
    );
  });

  it('is the same in a batch, without the client order id', () => {
    fc.assert(
      fc.property(orderRequests('spot'), (order) => {
        const symbol = 'BTCUSDT';
        const request = { symbol, orders: [encodeBatchEntry(order)] };
        const { orders } = send(ENDPOINTS['spot.batchOrders'], request);

        expect(orders.map((entry) => decodeBatchEntry(entry, symbol))).toEqual([
          {
            ...order,
            instrumentId: createInstrumentId('spot', symbol),
            clientOrderId: undefined,
          },
        ]);
      }),
    );
  });

  it('is the same in a conditional order', () => {
    const triggers = fc.constantFrom(
      ...(['stop-loss', 'take-profit', 'chase-up', 'chase-down'] as const),
    );
    const goodTillCanceled = orderRequests('futures').filter(
      (order) => order.type === 'market' || order.timeInForce === 'GTC',
    );
    fc.assert(
      fc.property(goodTillCanceled, triggers, (order, trigger) => {
        const condition: ConditionalOrder = {
          order: order as unknown as RiskApproved<OrderRequest>,
          trigger,
          triggerPrice: parseFixed('63000.5'),
        };
        const sent = send(ENDPOINTS['futures.conditionOrder'], encodeConditionRequest(condition));

        expect(decodeConditionRequest(sent)).toEqual(condition);
      }),
    );
  });
});

type SpotOrderTerms = Partial<VenueOrderRequest> &
  (
    | { readonly type: 'market' }
    | {
        readonly type: 'limit';
        readonly limitPrice: bigint;
        readonly timeInForce: 'GTC' | 'IOC';
      }
  );

/** A buy of 0.01 BTC with the id ek-1, with overrides. */
function aSpotOrder(terms: SpotOrderTerms): VenueOrderRequest {
  return {
    instrumentId: createInstrumentId('spot', 'BTCUSDT'),
    clientOrderId: 'ek-1',
    side: 'buy',
    action: undefined,
    quantity: parseFixed('0.01'),
    unit: 'base',
    ...terms,
  };
}

/** Encodes a request to bytes and parses them with the check of a server. */
function send<E extends AnyEndpoint>(endpoint: E, request: RequestOf<E>): CheckedRequestOf<E> {
  const outcome = parseRequest(endpoint, parseJson(encodeRequest(endpoint, request).body));
  if (outcome.kind === 'invalid') throw new Error(outcome.problem.message);
  return outcome.request;
}
