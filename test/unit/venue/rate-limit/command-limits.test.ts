import { describe, expect, it } from 'vitest';

import {
  BATCH_CANCEL,
  COMMAND_LIMITS,
  INTERFACE_CAPABILITIES,
  limitRulesOf,
  POLL_LIMITS,
} from '../../../../src/venue/index.js';
import { ENDPOINT_LIST, ENDPOINTS } from '../../../../src/venue/wire/index.js';

describe('COMMAND_LIMITS', () => {
  const rules = new Map(limitRulesOf(ENDPOINT_LIST).map((rule) => [rule.id, rule]));

  it.each([
    ['spot', 'submit', 'spot.order'],
    ['spot', 'cancel', 'spot.cancel'],
    ['margin', 'submit', 'margin.order'],
    ['margin', 'cancel', 'margin.cancel'],
    ['futures', 'submit', 'futures.order'],
    ['futures', 'cancel', 'futures.cancel'],
  ] as const)('has the limit of the endpoint that a %s %s calls', (product, command, endpoint) => {
    const limit = COMMAND_LIMITS[product][command];

    expect(ENDPOINTS[endpoint].rateLimit.bucket).toBe(limit.id);
    expect(limit).toEqual(rules.get(limit.id));
  });
});

describe('POLL_LIMITS', () => {
  const rules = new Map(limitRulesOf(ENDPOINT_LIST).map((rule) => [rule.id, rule]));

  it.each([
    ['spot', 'candles', 'spot.klines'],
    ['spot', 'ticker', 'spot.ticker'],
    ['spot', 'orders', 'spot.openOrders'],
    ['margin', 'candles', 'spot.klines'],
    ['margin', 'ticker', 'spot.ticker'],
    ['margin', 'orders', 'margin.openOrders'],
    ['futures', 'candles', 'futures.klines'],
    ['futures', 'ticker', 'futures.ticker'],
    ['futures', 'orders', 'futures.openOrders'],
  ] as const)(
    'has the limit of the endpoint that a bot polls for %s %s',
    (product, what, endpoint) => {
      const limit = POLL_LIMITS[product][what];

      expect(ENDPOINTS[endpoint].rateLimit.bucket).toBe(limit.id);
      expect(limit).toEqual(rules.get(limit.id));
    },
  );

  it('has the limit and the size of a batch of cancels', () => {
    const { orders, ...limit } = BATCH_CANCEL;

    expect(limit).toEqual(rules.get(ENDPOINTS['spot.batchCancel'].rateLimit.bucket));
    expect(orders).toBe(INTERFACE_CAPABILITIES.execution.maxBatchSize);
  });
});
