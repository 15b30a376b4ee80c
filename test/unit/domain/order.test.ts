import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  canTransition,
  isFinalStatus,
  Order,
  ORDER_STATUSES,
  ORDER_TRANSITIONS,
  parseFixed,
  parseVenueOrderId,
  type ClientOrderId,
  type OrderStatus,
} from '../../../src/domain/index.js';
import { failureOf } from '../../support/failure.js';
import { aLimitRequest } from '../../support/order-requests.js';

const FINAL: readonly OrderStatus[] = ['filled', 'canceled', 'rejected', 'expired'];

describe('order status transitions', () => {
  it('never leave one of the four final statuses', () => {
    for (const status of ORDER_STATUSES) {
      expect(isFinalStatus(status)).toBe(FINAL.includes(status));
      if (isFinalStatus(status)) expect(ORDER_TRANSITIONS[status]).toEqual([]);
    }
  });

  it.each<readonly [OrderStatus, string]>([
    ['submitting', 'open partially-filled canceling unknown filled canceled rejected expired'],
    ['open', 'partially-filled canceling unknown filled canceled rejected expired'],
    ['partially-filled', 'canceling unknown filled canceled expired'],
    ['canceling', 'open partially-filled unknown filled canceled rejected expired'],
    ['unknown', 'open partially-filled canceling filled canceled rejected expired'],
    ['filled', ''],
    ['canceled', ''],
    ['rejected', ''],
    ['expired', ''],
  ])('lead from %s to: %s', (from, expected) => {
    expect(ORDER_STATUSES.filter((to) => canTransition(from, to)).join(' ')).toBe(expected);
  });

  it('never keep the same status, and never return to submitting', () => {
    for (const status of ORDER_STATUSES) {
      expect(canTransition(status, status)).toBe(false);
      expect(canTransition(status, 'submitting')).toBe(false);
    }
  });

  it('never lead from partially-filled to rejected', () => {
    expect(canTransition('partially-filled', 'rejected')).toBe(false);
  });
});

/** The state of an order here and at the venue. It is the model for the table of transitions. */
interface World {
  status: OrderStatus;
  atVenue: 'traveling' | 'working' | 'gone';
  filled: number;
}

const LAST_PART = 3;

/** One event of an order. The table must allow the transition that follows. */
class Happening implements fc.Command<World, { status: OrderStatus }> {
  readonly #name: string;
  readonly #next: (world: Readonly<World>) => Partial<World> | undefined;

  constructor(name: string, next: (world: Readonly<World>) => Partial<World> | undefined) {
    this.#name = name;
    this.#next = next;
  }

  check(world: Readonly<World>): boolean {
    return this.#next(world) !== undefined;
  }

  run(world: World, real: { status: OrderStatus }): void {
    const next = { ...world, ...this.#next(world) };
    if (next.status !== real.status) expect(canTransition(real.status, next.status)).toBe(true);
    real.status = next.status;
    Object.assign(world, next);
    expect(isFinalStatus(real.status)).toBe(next.atVenue === 'gone');
  }

  toString(): string {
    return this.#name;
  }
}

const isHere = ({ atVenue, status }: Readonly<World>): boolean =>
  atVenue !== 'gone' && !isFinalStatus(status);
const shown = ({ filled }: Readonly<World>): OrderStatus =>
  filled > 0 ? 'partially-filled' : 'open';

const HAPPENINGS: readonly Happening[] = [
  new Happening('accepted', (world) =>
    world.atVenue === 'traveling'
      ? { atVenue: 'working', status: world.status === 'submitting' ? 'open' : world.status }
      : undefined,
  ),
  new Happening('rejected on arrival', ({ atVenue }) =>
    atVenue === 'traveling' ? { atVenue: 'gone', status: 'rejected' } : undefined,
  ),
  new Happening('a part fills', (world) =>
    isHere(world) && world.filled + 1 < LAST_PART
      ? {
          atVenue: 'working',
          filled: world.filled + 1,
          status: world.status === 'canceling' ? 'canceling' : 'partially-filled',
        }
      : undefined,
  ),
  new Happening('the rest fills', (world) =>
    isHere(world) ? { atVenue: 'gone', filled: LAST_PART, status: 'filled' } : undefined,
  ),
  new Happening('a cancel is sent', (world) =>
    isHere(world) && world.status !== 'canceling' ? { status: 'canceling' } : undefined,
  ),
  new Happening('a cancel works', (world) =>
    isHere(world) && world.status === 'canceling'
      ? { atVenue: 'gone', status: 'canceled' }
      : undefined,
  ),
  new Happening('a cancel is refused', (world) =>
    world.atVenue === 'working' && world.status === 'canceling'
      ? { status: shown(world) }
      : undefined,
  ),
  new Happening('no answer comes', (world) =>
    isHere(world) && world.status !== 'unknown' ? { status: 'unknown' } : undefined,
  ),
  new Happening('it is found', (world) =>
    world.status === 'unknown' && world.atVenue === 'working'
      ? { status: shown(world) }
      : undefined,
  ),
  new Happening('it expires', (world) =>
    isHere(world) ? { atVenue: 'gone', status: 'expired' } : undefined,
  ),
];

describe('canTransition', () => {
  it('allows every status change of a model order, in any sequence of events', () => {
    const start: World = { status: 'submitting', atVenue: 'traveling', filled: 0 };
    fc.assert(
      fc.property(
        fc.commands(
          HAPPENINGS.map((happening) => fc.constant(happening)),
          { size: '+1' },
        ),
        (commands) => {
          fc.modelRun(() => ({ model: { ...start }, real: { status: start.status } }), commands);
        },
      ),
    );
  });
});

describe('Order', () => {
  const state = {
    status: 'partially-filled',
    venueOrderId: parseVenueOrderId('1000000000000000001'),
    filledQuantity: parseFixed('0.3'),
    filledNotional: parseFixed('31'),
    reason: undefined,
    createdTime: 1,
    updatedTime: 2,
  } as const;

  it('shows its request, and the average price of its fills', () => {
    const request = aLimitRequest({ quantity: '0.5', limitPrice: '104' });

    const order = new Order(request, state);

    expect(order.quantity.toFixed()).toBe('0.5');
    expect(order.limitPrice?.toFixed()).toBe('104');
    expect(order.filledQuantity.toFixed()).toBe('0.3');
    // 31 / 0.3
    expect(order.averagePrice?.toFixed()).toBe('103.333333333333333333');
    expect(order.clientOrderId).toBe(request.clientOrderId);
  });

  it('has no average price before its first fill', () => {
    const order = new Order(aLimitRequest(), { ...state, filledQuantity: 0n, filledNotional: 0n });

    expect(order.averagePrice).toBeUndefined();
  });
});

describe('parseVenueOrderId', () => {
  it('keeps a number above 2^53 unchanged', () => {
    expect(parseVenueOrderId('9007199254740993001')).toBe('9007199254740993001');
  });

  it.each(['', 'a b', '1'.repeat(65), '1;drop', 'é'])('refuses "%s"', (text) => {
    expect(failureOf(() => parseVenueOrderId(text))).toMatchObject({ code: 'E_ORDER_ID' });
  });

  it.each([undefined, null, 5])('refuses %s, which is no text', (value) => {
    expect(failureOf(() => parseVenueOrderId(value as never))).toMatchObject({
      code: 'E_ORDER_ID',
      message: expect.stringContaining(`received "${String(value)}"`),
    });
  });

  it('returns an id that does not compile as a client order id', () => {
    // @ts-expect-error the two ids must not be mixed
    const id: ClientOrderId = parseVenueOrderId('1');

    expect(id).toBe('1');
  });
});
