import { describe, expect, it } from 'vitest';

import { createInstrumentId } from '../../../src/domain/index.js';
import { callsPerSecond } from '../../../src/feed/index.js';
import { BTC } from '../../support/feed/fake-market.js';

const FUTURES = createInstrumentId('futures', 'E-BTC-USDT');

describe('the load of polls', () => {
  it('adds up by product, each stream once', () => {
    const load = callsPerSecond([
      { kind: 'candles', instrumentId: BTC, interval: '1min' },
      { kind: 'candles', instrumentId: BTC, interval: '1day' },
      { kind: 'candles', instrumentId: BTC, interval: '1day' },
      { kind: 'ticker', instrumentId: FUTURES },
      { kind: 'ticker', instrumentId: FUTURES },
      { kind: 'mark', instrumentId: FUTURES },
      { kind: 'account', instrumentId: FUTURES },
    ]);

    // 2 closes in the busiest minute; 1 + 1/2 + 2/2 per second.
    expect(load.get('spot')).toBeCloseTo(2 / 60, 12);
    expect(load.get('futures')).toBeCloseTo(2.5, 12);
  });

  it('follows the plan', () => {
    const load = callsPerSecond(
      [
        { kind: 'depth', instrumentId: BTC },
        { kind: 'trades', instrumentId: BTC },
      ],
      { depthMs: 10_000, tradesMs: 20_000 },
    );

    expect(load.get('spot')).toBeCloseTo(0.15, 12);
  });
});
