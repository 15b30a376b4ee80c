import { describe, expect, it } from 'vitest';

import { parseFixed, type Direction } from '../../../src/domain/index.js';
import type { VenueStop } from '../../../src/engine/index.js';
import { triggerOf } from '../../../src/live/fired-triggers.js';

const AT = 1_000_000;

interface Placed {
  readonly id: string;
  readonly direction: Direction;
  readonly trigger: VenueStop['trigger'];
  readonly level: string;
  readonly state?: VenueStop['state'];
}

function aStop({ id, direction, trigger, level, state = 'waiting' }: Placed): VenueStop {
  const side = direction === 'long' ? 'sell' : 'buy';
  const request = { clientOrderId: id, side, quantity: parseFixed('10') };
  const placed = { placedTime: AT, level: parseFixed(level) };
  return { request, direction, trigger, state, ...placed } as unknown as VenueStop;
}

/** Which of these triggers fired if a MARKET order that the bot did not send closed at this price. Undefined if none. */
function fired(price: string, placed: readonly Placed[]): string | undefined {
  const stops = placed.map(aStop);
  const side = stops[0]?.request.side;
  const trade = { price: parseFixed(price), time: AT + 1 };
  const order = { action: 'close', type: 'market', side, quantity: parseFixed('10') };
  return triggerOf({ trades: [trade] } as never, order as never, stops)?.request.clientOrderId;
}

describe('triggerOf', () => {
  // The distance between the two levels is smaller than the allowed distance between a level and its trade.
  const ofShort: readonly Placed[] = [
    { id: 'take-profit', direction: 'short', trigger: 'take-profit', level: '69218.9' },
    { id: 'stop', direction: 'short', trigger: 'stop-loss', level: '70438.5' },
  ];
  const ofLong: readonly Placed[] = [
    { id: 'stop', direction: 'long', trigger: 'stop-loss', level: '69218.9' },
    { id: 'take-profit', direction: 'long', trigger: 'take-profit', level: '70438.5' },
  ];

  it.each([
    ['a stop of a short, with the spread', '70442.1', ofShort, 'stop'],
    ['a stop of a short, from a price that has gone back', '70300', ofShort, 'stop'],
    ['a stop of a short that the price jumped over', '75000', ofShort, 'stop'],
    ['a take-profit of a short, with the spread', '69222.4', ofShort, 'take-profit'],
    ['a stop of a long, with the spread', '69215.4', ofLong, 'stop'],
    ['a stop of a long that the price jumped over', '60000', ofLong, 'stop'],
    ['a take-profit of a long, with the spread', '70435', ofLong, 'take-profit'],
  ])('finds %s', (_, price, placed, expected) => {
    expect(fired(price, placed)).toBe(expected);
    expect(fired(price, placed.toReversed())).toBe(expected);
  });

  it('chooses the level that the price reaches first, and a canceled trigger last', () => {
    const stop = { direction: 'long', trigger: 'stop-loss' } as const;
    const [low, high] = [
      { ...stop, id: 'low', level: '59000' },
      { ...stop, id: 'high', level: '59500' },
    ];

    expect(fired('58900', [low, high])).toBe('high');
    expect(fired('58900', [low, { ...high, state: 'canceled' }])).toBe('low');
  });

  it('finds no trigger if none is near the price', () => {
    const [stop] = ofLong;

    expect(fired('75000', stop === undefined ? [] : [stop])).toBeUndefined();
  });
});
