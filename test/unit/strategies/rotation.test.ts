import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import {
  createInstrumentId,
  Fill,
  FIXED_ONE,
  HOUR_MS,
  type ClientOrderId,
} from '../../../src/domain/index.js';
import { Rotation } from '../../../strategies/rotation/rotation.strategy.js';
import { aCandle } from '../../support/candles.js';
import {
  readable,
  startStrategy,
  type FakeStrategyContext,
} from '../../support/fake-strategy-context.js';

const [A, B, C] = [
  createInstrumentId('spot', 'AUSDT'),
  createInstrumentId('spot', 'BUSDT'),
  createInstrumentId('spot', 'CUSDT'),
];

function start(parameters = {}): FakeStrategyContext {
  return startStrategy(Rotation, {
    instruments: [A, B, C].map((instrumentId) => ({ instrumentId, intervals: ['1h'] })),
    parameters: { momentumCandles: 2, holdHours: 3, ...parameters },
    passTime: (milliseconds) => vi.advanceTimersByTime(milliseconds),
  }).context;
}

/** One slice for each row of three closes, one hour after another. */
function feed(
  context: FakeStrategyContext,
  rows: readonly (readonly [number, number, number])[],
  hour = 0,
): void {
  for (const [index, closes] of rows.entries()) {
    const openTime = aCandle().openTime + (hour + index) * HOUR_MS;
    const slice = [A, B, C].map((instrumentId, place) =>
      aCandle({ instrumentId, openTime, close: closes[place] ?? Number.NaN }),
    );
    context.deliver(...slice);
  }
}

function aFill(): Fill {
  return new Fill({
    clientOrderId: 'test-1' as ClientOrderId,
    instrumentId: B,
    side: 'sell',
    action: 'close',
    price: FIXED_ONE,
    quantity: FIXED_ONE,
    fee: 0n,
    feeAsset: 'USDT',
    liquidity: 'taker',
    eventTime: 0,
  });
}

const enter = (instrument: string) => ({
  kind: 'enter',
  direction: 'long',
  size: { equity: '0.95' },
  instrument,
});

describe('Rotation', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('buys what rose most', () => {
    const context = start();

    // +1 %, +3 %, +2 %
    feed(context, [
      [100, 100, 100],
      [100, 100, 100],
      [101, 103, 102],
    ]);

    expect(readable(context.intents)).toEqual([enter(B)]);
  });

  it('wants nothing when none rose enough', () => {
    const context = start({ leastRise: 5 });

    feed(context, [
      [100, 100, 100],
      [100, 100, 100],
      [101, 103, 102],
    ]);

    expect(context.intents).toEqual([]);
  });

  it('sells first, and buys when the sale is filled', () => {
    const context = start();
    feed(context, [
      [100, 100, 100],
      [100, 100, 100],
      [101, 103, 102],
    ]);
    context.hold(FIXED_ONE, B);
    context.intents.length = 0;

    feed(
      context,
      [
        [101, 103, 102],
        [101, 103, 102],
        [101, 103, 110],
      ],
      3,
    );
    const beforeTheFill = readable(context.intents);
    context.hold(0n, B);
    context.fills$.next(aFill());

    expect(beforeTheFill).toEqual([{ kind: 'exit', instrument: B }]);
    expect(readable(context.intents.slice(1))).toEqual([enter(C)]);
  });

  it('does not change its mind between two decisions', () => {
    const context = start();
    feed(context, [
      [100, 100, 100],
      [100, 100, 100],
      [101, 103, 102],
    ]);
    context.hold(FIXED_ONE, B);
    context.intents.length = 0;

    feed(
      context,
      [
        [150, 103, 102],
        [150, 103, 102],
      ],
      3,
    );

    expect(context.intents).toEqual([]);
  });

  it('goes to cash when nothing rises any more', () => {
    const context = start();
    feed(context, [
      [100, 100, 100],
      [100, 100, 100],
      [101, 103, 102],
    ]);
    context.hold(FIXED_ONE, B);
    context.intents.length = 0;

    feed(
      context,
      [
        [99, 99, 99],
        [98, 98, 98],
        [97, 97, 97],
      ],
      3,
    );

    expect(readable(context.intents)).toEqual([{ kind: 'exit', instrument: B }]);
  });
});
