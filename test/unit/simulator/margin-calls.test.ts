import { describe, expect, it } from 'vitest';

import { MINUTE_MS } from '../../../src/domain/index.js';
import { describeAny } from '../../support/futures-venue.js';
import { aMarginPair, aMarginVenue } from '../../support/margin-venue.js';
import { aMarketRequest } from '../../support/order-requests.js';
import { play } from '../../support/spot-venue.js';

const instrumentId = aMarginPair('4.5').id;

describe('a margin account that was warned and repaid its debt', () => {
  it('is warned again when a new debt lowers its level', () => {
    const { venue, updates } = aMarginVenue({
      leverage: '4.5',
      balances: { USDT: '100' },
      candles: [
        { path: [100, 100, 100, 100] },
        { path: [100, 100, 100, 100] },
        { path: [100, 100, 100, 100] },
      ],
    });
    const buy = (id: string): ReturnType<typeof aMarketRequest> =>
      aMarketRequest({ id, instrumentId, side: 'buy', quantity: '445' });

    play(
      { venue },
      [
        // Assets 445, debt 345: a level of 1.29.
        { at: 0, submit: buy('in') },
        { at: 10_000, submit: aMarketRequest({ id: 'out', instrumentId, quantity: '4.45' }) },
        { at: MINUTE_MS + 10_000, submit: buy('again') },
      ],
      3 * MINUTE_MS,
    );

    expect(updates.map(describeAny).filter((line) => line.includes('warning'))).toEqual([
      '+0 margin-warning 1.289855072463768116',
      '+70000 margin-warning 1.289855072463768116',
    ]);
  });
});

describe('a margin call', () => {
  it('sells at the call price itself if it lies on the tick', () => {
    const { venue, updates } = aMarginVenue({
      leverage: '4.5',
      balances: { USDT: '100' },
      // 4.4 × 85 is 1.1 times the debt of 340.
      candles: [{ path: [100, 100, 83, 83] }],
    });

    play(
      { venue },
      [{ at: 0, submit: aMarketRequest({ id: 'in', instrumentId, side: 'buy', quantity: '440' }) }],
      MINUTE_MS,
    );

    expect(updates.map(describeAny).slice(-1)).toEqual([
      '+37648 forced-fill margin-call sell 4.4 @ 85 fee 0',
    ]);
  });
});
