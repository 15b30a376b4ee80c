import { describe, expect, it } from 'vitest';
import { endedByVenue } from '../../../src/domain/index.js';
import { aLimitRequest } from '../../support/order-requests.js';

const POST_ONLY = aLimitRequest({ timeInForce: 'POST_ONLY' });

describe('endedByVenue', () => {
  it('adds that a POST_ONLY order canceled without a fill would have crossed the book', () => {
    expect(endedByVenue('canceled', POST_ONLY, false)).toEqual({
      code: 'by-venue',
      text: 'the venue shows the order as canceled: POST_ONLY, it would have crossed the book unless somebody canceled it there',
    });
  });

  it.each([
    ['canceled', POST_ONLY, true],
    ['expired', POST_ONLY, false],
    ['canceled', aLimitRequest({ timeInForce: 'IOC' }), false],
  ] as const)('gives only the status for any other order: %s', (status, request, hasFills) => {
    expect(endedByVenue(status, request, hasFills)).toEqual({
      code: 'by-venue',
      text: `the venue shows the order as ${status}`,
    });
  });
});
