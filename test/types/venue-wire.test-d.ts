import { describe, expectTypeOf, it } from 'vitest';

import type { Fixed, OrderRequest, OrderStatus, RiskApproved } from '#src/domain/index.js';
import type { ConditionalOrder, ExecutionAdapter } from '#src/venue/index.js';
import {
  encodeRequest,
  type AnswerOf,
  type AnyEndpoint,
  type ENDPOINTS,
  type EndpointId,
  type RequestOf,
} from '#src/venue/wire/index.js';

/** How a client calls: one function for the whole table. */
declare function call<E extends AnyEndpoint>(
  endpoint: E,
  request: RequestOf<E>,
): Promise<AnswerOf<E>>;

type Table = typeof ENDPOINTS;

describe('the endpoint table', () => {
  it('gives a call the type of its request', () => {
    expectTypeOf<RequestOf<Table['spot.klines']>['interval']>().toEqualTypeOf<
      '1min' | '5min' | '15min' | '30min' | '60min' | '1day' | '1week' | '1month'
    >();
    expectTypeOf<RequestOf<Table['spot.klines']>['limit']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<RequestOf<Table['futures.order']>['positionType']>().toEqualTypeOf<1 | 2>();
  });

  it('takes money as text only, never as a binary float', () => {
    expectTypeOf<RequestOf<Table['spot.order']>['volume']>().toEqualTypeOf<string>();
    expectTypeOf<RequestOf<Table['spot.order']>['price']>().toEqualTypeOf<string | undefined>();
  });

  it('gives a call the type of its answer', () => {
    expectTypeOf<AnswerOf<Table['spot.klines']>[number]['open']>().toEqualTypeOf<number>();
    expectTypeOf<AnswerOf<Table['spot.queryOrder']>['price']>().toEqualTypeOf<Fixed>();
    expectTypeOf<AnswerOf<Table['spot.queryOrder']>['status']>().toEqualTypeOf<OrderStatus>();
    expectTypeOf<AnswerOf<Table['futures.conditionOrder']>>().toEqualTypeOf<{
      triggerId: string;
    }>();
  });

  it('lets one generic call infer request and answer', () => {
    const klines = (endpoint: Table['spot.klines']) =>
      call(endpoint, { symbol: 'BTCUSDT', interval: '60min' });

    expectTypeOf(klines).returns.resolves.toEqualTypeOf<AnswerOf<Table['spot.klines']>>();
    expectTypeOf<EndpointId>().toExtend<keyof Table>();
  });

  it('refuses a request of another call', () => {
    const misspelled = (endpoint: Table['spot.ticker']) =>
      // @ts-expect-error the field is called symbol
      encodeRequest(endpoint, { contractName: 'E-BTC-USDT' });

    expectTypeOf(misspelled).returns.toHaveProperty('query');
  });
});

describe('ExecutionAdapter', () => {
  it('accepts only orders that risk has approved', () => {
    type Submitted = Parameters<ExecutionAdapter['submit']>[0];

    expectTypeOf<Submitted>().toEqualTypeOf<RiskApproved<OrderRequest>>();
    expectTypeOf<OrderRequest>().not.toExtend<Submitted>();
    expectTypeOf<ConditionalOrder['order']>().toEqualTypeOf<RiskApproved<OrderRequest>>();
  });
});
