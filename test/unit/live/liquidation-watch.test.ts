import { describe, expect, it } from 'vitest';
import {
  createInstrumentId,
  distanceToLiquidation,
  formatFixed,
  parseFixed,
  type MarginReading,
} from '../../../src/domain/index.js';
import { LiquidationDistanceWatch } from '../../../src/live/margin/liquidation-watch.js';
import type { AccountSnapshot, VenuePosition } from '../../../src/venue/index.js';

const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');
const OTHER = createInstrumentId('futures', 'E-ETH-USDT');

/** A long position at this mark, as the venue reports it. */
function aPosition(mark: string, over: Partial<VenuePosition> = {}): VenuePosition {
  return {
    instrumentId: CONTRACT,
    direction: 'long',
    marginMode: 'isolated',
    quantity: parseFixed('10'),
    markPrice: parseFixed(mark),
    liquidationPrice: parseFixed('80'),
    frozen: 'no',
    isValid: true,
    ...over,
  } as VenuePosition;
}

function aBench() {
  const near: string[] = [];
  const frozen: (string | undefined)[] = [];
  const watch = new LiquidationDistanceWatch({
    instrumentIds: new Set([CONTRACT]),
    warnsBelow: parseFixed('0.2'),
    rulesOf: () => ({ tradable: true, pricePrecision: 2, quantityPrecision: 0 }),
    onReadings: () => undefined,
    onNear: (text) => near.push(text),
    onFrozen: (_, text) => frozen.push(text),
  });
  const see = (...positions: readonly VenuePosition[]): void => {
    watch.take([{ kind: 'futures', accounts: [{ positions }] } as unknown as AccountSnapshot]);
  };
  return { watch, near, frozen, see };
}

function distanceOf(reading: MarginReading): string | undefined {
  const distance = distanceToLiquidation(reading);
  return distance === undefined ? undefined : formatFixed(distance);
}

describe('LiquidationWatch', () => {
  it('reports a position once for each time that it comes near its liquidation', () => {
    const { near, see } = aBench();

    for (const mark of ['110', '99', '95', '101', '98']) see(aPosition(mark));

    // (99 − 80) / 99 = 19.2 %, (98 − 80) / 98 = 18.4 %; (101 − 80) / 101 = 20.8 % is far enough.
    expect(near).toEqual([
      'futures:E-BTC-USDT long: the mark 99 is 19.2 % from the liquidation at 80',
      'futures:E-BTC-USDT long: the mark 98 is 18.4 % from the liquidation at 80',
    ]);
  });

  it.each([
    ['long', '80.123', '80.13'],
    ['short', '119.987', '119.98'],
  ] as const)(
    'rounds the liquidation price of a %s to ticks, toward the mark',
    (direction, at, shown) => {
      const { near, see } = aBench();

      see(aPosition('100', { direction, liquidationPrice: parseFixed(`${at}456789012345678`) }));

      expect(near.join()).toMatch(new RegExp(`the mark 100 is .* liquidation at ${shown}$`));
    },
  );

  it('measures the distance of a short upward from the mark', () => {
    const { watch, see } = aBench();

    see(aPosition('100', { direction: 'short', liquidationPrice: parseFixed('125') }));

    expect(watch.readings.map(distanceOf)).toEqual(['0.25']);
  });

  it('uses the books of the bot on cross margin', () => {
    const near: string[] = [];
    const watch = new LiquidationDistanceWatch({
      instrumentIds: new Set([CONTRACT]),
      warnsBelow: parseFixed('0.2'),
      ownPrice: (_, direction) => (direction === 'long' ? parseFixed('90') : undefined),
      onReadings: () => undefined,
      onNear: (text) => near.push(text),
      onFrozen: () => undefined,
    });

    const cross = { marginMode: 'cross' as const, liquidationPrice: parseFixed('-0.0917') };
    watch.take([
      {
        kind: 'futures',
        accounts: [
          {
            positions: [
              aPosition('100', cross),
              aPosition('100', { ...cross, direction: 'short' }),
            ],
          },
        ],
      } as unknown as AccountSnapshot,
    ]);

    // (100 − 90) ÷ 100. No price liquidates the short.
    expect(watch.readings.map(distanceOf)).toEqual(['0.1', undefined]);
    expect(near).toHaveLength(1);
  });

  it('has no distance on cross margin, and ignores ended positions and other instruments', () => {
    const { watch, near, see } = aBench();

    see(
      aPosition('81', { marginMode: 'cross' }),
      aPosition('81', { instrumentId: OTHER }),
      aPosition('81', { isValid: false }),
    );

    expect(watch.readings).toMatchObject([{ instrumentId: CONTRACT }]);
    expect(watch.readings.map(distanceOf)).toEqual([undefined]);
    expect(near).toEqual([]);
  });

  it('reports a frozen position until it is no longer frozen', () => {
    const { frozen, see } = aBench();

    see(aPosition('100', { frozen: 'liquidation' }));
    see(aPosition('100', { frozen: 'liquidation' }));
    see(aPosition('100'));
    see(aPosition('100'));

    expect(new Set(frozen)).toEqual(
      new Set([
        'futures:E-BTC-USDT: the venue has frozen the long position for liquidation, and refuses exits',
        undefined,
      ]),
    );
    expect(frozen).toHaveLength(3);
  });

  it('keeps its readings if no account of contracts was read', () => {
    const { watch, see } = aBench();
    see(aPosition('100'));

    watch.take([]);

    expect(watch.readings).toHaveLength(1);
  });
});
