import { describe, expect, it } from 'vitest';

import { COMMAND_LIMITS, limitRulesOf } from '../../../../src/venue/index.js';
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
