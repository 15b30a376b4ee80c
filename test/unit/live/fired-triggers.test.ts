import { describe, expect, it } from 'vitest';

import { parseFixed, type Direction, type EpochMs } from '../../../src/domain/index.js';
import type { VenueStop } from '../../../src/engine/index.js';
import { findFired, triggerOf } from '../../../src/live/stops/fired-triggers.js';
import type { VenueOrder, VenueTrade } from '../../../src/venue/index.js';

const AT = 1_000_000;

interface Placed {
  readonly id: string;
  readonly direction: Direction;
  readonly trigger: VenueStop['trigger'];
  readonly level: string;
  readonly state?: VenueStop['state'];
  readonly triggerId?: string;
}

function aStop({ id, direction, trigger, level, state = 'waiting', triggerId }: Placed): VenueStop {
  const side = direction === 'long' ? 'sell' : 'buy';
  const request = { clientOrderId: id, side, quantity: parseFixed('10') };
  const placed = { placedTime: AT, level: parseFixed(level) };
  return { request, direction, trigger, state, triggerId, ...placed } as unknown as VenueStop;
}

/** Which of these triggers fired if a MARKET order that the bot did not send closed at this price. Undefined if none. */
function fired(
  price: string,
  placed: readonly Placed[],
  { time = AT + 1, ...over }: { readonly time?: EpochMs } & Partial<VenueOrder> = {},
): string | undefined {
  const stops = placed.map(aStop);
  const side = stops[0]?.request.side;
  const trade = { price: parseFixed(price), time };
  const order = { action: 'close', type: 'market', side, quantity: parseFixed('10'), ...over };
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

  it.each([
    ['a stop of a short', '70442.1', ofShort, 'stop'],
    ['a stop of a short, from a price that has gone back,', '70300', ofShort, 'stop'],
    ['a stop of a long', '69215.4', ofLong, 'stop'],
    ['a take-profit of a short', '69218', ofShort, 'take-profit'],
  ])(
    'chooses %s that a cancel found gone, not a waiting trigger of the other kind that is farther from the price',
    (_, price, placed, expected) => {
      const known = placed.map((one): Placed =>
        one.id === expected ? { ...one, state: 'canceled' } : one,
      );

      expect(fired(price, known)).toBe(expected);
      expect(fired(price, known.toReversed())).toBe(expected);
    },
  );

  it('chooses the trigger that the venue took first, of triggers of one level', () => {
    const stop = { direction: 'long', trigger: 'stop-loss', level: '59000' } as const;
    const placed: readonly Placed[] = [
      { ...stop, id: 'sent first', triggerId: '10' },
      { ...stop, id: 'taken first', triggerId: '9' },
    ];

    expect(fired('58900', placed)).toBe('taken first');
  });

  it('chooses a waiting trigger before a canceled one of the same level', () => {
    const stop = { direction: 'long', trigger: 'stop-loss', level: '59000' } as const;
    const placed: readonly Placed[] = [
      { ...stop, id: 'canceled', state: 'canceled' },
      { ...stop, id: 'waiting' },
    ];

    expect(fired('58900', placed)).toBe('waiting');
    expect(fired('58900', placed.toReversed())).toBe('waiting');
  });

  it('waits for the answer of a trigger that was just sent', () => {
    const stop = { id: 'a', direction: 'long', trigger: 'stop-loss', level: '59000' } as const;

    expect(fired('58900', [{ ...stop, state: 'submitting' }])).toBeUndefined();
  });

  it.each([
    ['a stop of a long', '75000', ofLong[0]],
    ['a take-profit of a long', '60000', ofLong[1]],
    ['a take-profit of a short', '75000', ofShort[0]],
    ['a stop of a short', '60000', ofShort[1]],
  ])('does not take %s for fired if the price has not touched it', (_, price, placed) => {
    expect(fired(price, placed === undefined ? [] : [placed])).toBeUndefined();
  });

  it.each([
    ['opens', { action: 'open' }],
    ['is a LIMIT', { type: 'limit' }],
    ['is of the other side', { side: 'buy' }],
    ['has another quantity', { quantity: parseFixed('9') }],
    ['traded long before it was placed', { time: AT - 60_001 }],
  ] as const)('does not take a trigger for fired by an order that %s', (_, over) => {
    expect(fired('69215.4', ofLong)).toBe('stop');
    expect(fired('69215.4', ofLong, over)).toBeUndefined();
  });
});

describe('findFired', () => {
  /** Executions of two orders at these prices, and what the venue says of both orders. */
  async function found(
    prices: readonly string[],
    placed: readonly Placed[],
    isForced = () => false,
    over: readonly Partial<VenueTrade>[] = [],
  ) {
    const executions = prices.map((price, index) => ({
      ...{ venueOrderId: `v${String(index)}`, venueTradeId: String(index + 1) },
      quantity: parseFixed('10'),
      instrumentId: 'futures:E-BTC-USDT',
      ...{ price: parseFixed(price), time: AT + index },
      ...over[index],
    }));
    const order = { action: 'close', type: 'market', side: 'sell', quantity: parseFixed('10') };
    const source = {
      order: ({ venueOrderId }: { readonly venueOrderId?: unknown }) =>
        Promise.resolve({ ...order, venueOrderId }),
    };
    const { signal } = new AbortController();
    const options = { source, signal, isForced } as never;
    const all = await findFired(executions as never, placed.map(aStop), options);
    return all.map(({ stop, state }) => [stop.request.clientOrderId, state.venueOrderId]);
  }

  it('takes each trigger for fired once, also if a second order fits it', async () => {
    const stop = { direction: 'long', trigger: 'stop-loss' } as const;
    const [high, low]: readonly Placed[] = [
      { ...stop, id: 'high', level: '59500' },
      { ...stop, id: 'low', level: '59000' },
    ];

    expect(await found(['58900', '58900'], [low, high] as Placed[])).toEqual([
      ['high', 'v0'],
      ['low', 'v1'],
    ]);
    expect(await found(['58900', '58900'], [low] as Placed[])).toEqual([['low', 'v0']]);
  });

  it('takes no netting of own long and own short for a trigger', async () => {
    const stop: Placed = { id: 'a', direction: 'long', trigger: 'stop-loss', level: '59500' };

    expect(
      await found(['58900', '58900'], [stop], undefined, [
        { fee: 0n, side: 'sell' },
        { fee: 0n, side: 'buy' },
      ]),
    ).toEqual([]);
  });

  it('takes no close by the venue for a trigger', async () => {
    const stop: Placed = { id: 'a', direction: 'long', trigger: 'stop-loss', level: '59500' };

    expect(await found(['58900'], [stop])).toEqual([['a', 'v0']]);
    expect(await found(['58900'], [stop], () => true)).toEqual([]);
  });
});
