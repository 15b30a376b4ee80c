import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  MINUTE_MS,
  multiplyFixed,
  parseFixed,
  type FillRecord,
} from '../../../src/domain/index.js';
import { isOrderUpdate, type OrderUpdate } from '../../../src/venue/index.js';
import { venueRequests } from '../../support/arbitraries/venue-requests.js';
import { venueCandles } from '../../support/arbitraries/venue-scripts.js';
import { describeAny } from '../../support/futures-venue.js';
import {
  anyTerms,
  candlesAt,
  freeTerms,
  LAW_PRODUCTS,
  openMs,
  playOn,
  sentAs,
  type LawTerms,
  type Played,
} from '../../support/venue-laws/law-venues.js';
import { lawRuns } from '../../support/runs.js';
import { START } from '../../support/spot-venue.js';

const MINUTES = 4;
const UNTIL = 13 * MINUTE_MS;
const TICK = parseFixed('0.01');

describe.each(LAW_PRODUCTS)('venue laws on %s, without costs', (product) => {
  const check = checkOn(product, freeTerms);

  it('a fill lies within the range of its candle, except a maker fill after a jump over its limit', () => {
    check((played) => {
      for (const fill of played.fills) {
        const price = Number(fill.price) / 1e18;
        const isInRange = candlesAt(played, fill.eventTime).some(({ path: [open, high, low] }) => {
          const isJumped =
            fill.liquidity === 'maker' && (fill.side === 'buy' ? price >= open : price <= open);
          return (price >= low && price <= high) || isJumped;
        });
        expect(isInRange).toBe(true);
      }
    });
  });

  it('an order that arrives at a candle close and takes at once trades at the open of the next candle', () => {
    let seen = 0;
    check((played) => {
      for (const fill of played.fills) {
        const { at, trigger } = sentAs(played, fill.clientOrderId);
        const opening = played.candles.find((candle) => openMs(candle) === at);
        const isClose = played.candles.some((candle) => openMs(candle) + MINUTE_MS === at);
        const isCorner = isClose || opening !== undefined;
        if (!isCorner || fill.eventTime - START !== at || trigger !== undefined) continue;
        if (isClose) seen += 1;
        // An order that arrives before a gap waits, and an order that rests fills later.
        expect(fill.liquidity).toBe('taker');
        // The open is on the tick, so no price is rounded.
        expect(Number(fill.price) / 1e18).toBeCloseTo(opening?.path[0] ?? Number.NaN, 10);
      }
    });
    expect(seen).toBeGreaterThan(0);
  });
});

describe.each(['margin', 'linear', 'inverse'] as const)(
  'forced closes on %s, without costs',
  (product) => {
    it('trade within one tick of the candle range, and on the tick', () => {
      let seen = 0;
      checkOn(
        product,
        freeTerms,
      )((played) => {
        for (const { fill, cause } of played.forced) {
          if (fill.quantity === 0n || cause === 'netting') continue;
          seen += 1;
          const price = Number(fill.price) / 1e18;
          const isInRange = candlesAt(played, fill.eventTime).some(
            ({ path: [, high, low] }) => price >= low - 0.01 && price <= high + 0.01,
          );
          expect(isInRange && fill.price % TICK === 0n).toBe(true);
        }
      });
      expect(seen).toBeGreaterThan(0);
    });
  },
);

describe.each(['linear', 'inverse'] as const)(
  'triggers on %s contracts, without costs',
  (product) => {
    it('an order of a trigger never fills before last has reached the trigger price', () => {
      let seen = 0;
      // Few triggers of a random script fire and fill.
      checkOn(
        product,
        freeTerms,
        lawRuns(),
      )((played) => {
        for (const fill of played.fills) {
          const { at, trigger } = sentAs(played, fill.clientOrderId);
          if (trigger === undefined) continue;
          seen += 1;
          expect(fill.eventTime - START).toBeGreaterThan(at);
          const level = Number(trigger) / 1e18;
          const wasReached = played.candles.some((candle) => {
            const [, high, low] = candle.path;
            const isInTime =
              openMs(candle) + MINUTE_MS >= at && openMs(candle) <= fill.eventTime - START;
            return isInTime && ((low <= level && level <= high) || hasJumped(played, level));
          });
          expect(wasReached).toBe(true);
        }
      });
      expect(seen).toBeGreaterThan(0);
    });
  },
);

describe.each(LAW_PRODUCTS)('venue laws on %s, with any costs', (product) => {
  const check = checkOn(product, anyTerms);

  it('a fill never breaks its limit, and a maker fills at its limit', () => {
    check((played) => {
      for (const fill of played.fills) {
        const { request } = sentAs(played, fill.clientOrderId);
        if (request.type === 'market') {
          expect(fill.liquidity).toBe('taker');
          continue;
        }
        const { limitPrice } = request;
        if (fill.liquidity === 'maker') expect(fill.price).toBe(limitPrice);
        const isKept = fill.side === 'buy' ? fill.price <= limitPrice : fill.price >= limitPrice;
        expect(isKept).toBe(true);
      }
    });
  });

  it('prices lie on the tick and quantities on the step, above 0', () => {
    check(({ fills, instrument }) => {
      const step = parseFixed(instrument.kind === 'futures' ? '1' : '0.001');
      for (const { price, quantity } of fills) {
        expect(price > 0n && price % TICK === 0n).toBe(true);
        expect(quantity > 0n && quantity % step === 0n).toBe(true);
      }
    });
  });

  it('own fills of a candle never exceed its share of the volume, without forced closes', () => {
    check(({ candles, fills, venue }) => {
      const { participation } = venue.options;
      if (participation === 'off') return;
      for (const candle of candles) {
        const pool = multiplyFixed(participation, parseFixed(String(candle.volume)));
        const isNext = candles.some((other) => openMs(other) === openMs(candle) + MINUTE_MS);
        // A fill in the millisecond between two candles belongs to either.
        const inside = fills.filter(({ eventTime }) => {
          const ms = eventTime - START - openMs(candle);
          return ms > 0 && (ms < MINUTE_MS || (ms === MINUTE_MS && !isNext));
        });
        expect(inside.reduce((sum, { quantity }) => sum + quantity, 0n) <= pool).toBe(true);
      }
    });
  });

  it('an order never fills before it arrives, nor while no candle is open', () => {
    check((played) => {
      for (const fill of played.fills) {
        const { at } = sentAs(played, fill.clientOrderId);
        expect(fill.eventTime - START).toBeGreaterThanOrEqual(at);
        expect(candlesAt(played, fill.eventTime).length).toBeGreaterThan(0);
      }
    });
  });

  it('FOK fills completely or not at all, IOC never rests, POST_ONLY never takes', () => {
    check((played) => {
      for (const id of idsOf(played)) {
        const { request, trigger } = sentAs(played, id);
        if (request.type !== 'limit') continue;
        const own = played.fills.filter((fill) => fill.clientOrderId === id);
        if (request.timeInForce === 'FOK') {
          // In one-way mode one fill may be reported as two: the part that closes and the part that opens.
          const sum = own.reduce((total, { quantity }) => total + quantity, 0n);
          expect(own.length === 0 || sum === request.quantity).toBe(true);
          expect(new Set(own.map(({ eventTime }) => eventTime)).size).toBeLessThanOrEqual(1);
        }
        if (request.timeInForce === 'POST_ONLY')
          expect(own.every(({ liquidity }) => liquidity === 'maker')).toBe(true);
        if (request.timeInForce === 'IOC') {
          // A conditional order is accepted as a trigger, once. An order that is canceled while it waits for a candle is accepted at the instant of its end.
          const updates = updatesOf(played, id);
          const isTrigger = trigger !== undefined && updates[0]?.kind === 'accepted';
          const rests = updates.slice(isTrigger ? 1 : 0).filter((update, place, own) => {
            const next = own[place + 1];
            const endsNow = next?.kind === 'ended' && next.eventTime === update.eventTime;
            return update.kind === 'accepted' && !endsNow;
          });
          expect(rests).toEqual([]);
        }
      }
    });
  });

  it('an order ends once, is accepted before it rests, and never fills beyond its quantity', () => {
    check((played) => {
      for (const id of idsOf(played)) {
        const { request, trigger } = sentAs(played, id);
        const own = updatesOf(played, id);
        const ends = own.filter(
          (update) => update.kind === 'ended' || (update.kind === 'fill' && update.isFilled),
        );
        const filled = own.reduce(
          (sum, update) => sum + filledBy(update, request.unit, played),
          0n,
        );
        const kinds = kindsOf(played, id);

        expect(ends.length).toBeLessThanOrEqual(1);
        expect(ends.length === 0 || own.at(-1) === ends[0]).toBe(true);
        expect(kinds.lastIndexOf('accepted')).toBeLessThanOrEqual(trigger === undefined ? 0 : 1);
        expect(filled <= request.quantity).toBe(true);
        if (ends[0]?.kind === 'fill' && request.unit !== 'quote')
          expect(filled).toBe(request.quantity);
      }
    });
  });

  it('updates come in time order', () => {
    check(({ updates }) => {
      const times = updates.map(({ eventTime }) => eventTime);

      expect(times).toEqual([...times].sort((a, b) => a - b));
    });
  });

  it('later candles, cut off or replaced, do not change earlier updates', () => {
    fc.assert(
      fc.property(
        venueCandles({ minLength: 2, maxLength: 5 }),
        venueCandles({ minLength: 1, maxLength: 3 }),
        venueRequests(MINUTES),
        anyTerms,
        fc.nat({ max: 4 }),
        (candles, others, intents, terms, cut) => {
          const kept = candles.slice(0, 1 + (cut % candles.length));
          const end = openMs(kept.at(-1) ?? { path: [1, 1, 1, 1] }) + MINUTE_MS;
          const replaced = others.map((candle) => ({
            ...candle,
            minute: end / MINUTE_MS + (candle.minute ?? 0),
          }));
          const early = (rows: typeof candles): readonly string[] =>
            playOn(product, terms, { candles: rows, intents, until: UNTIL })
              .updates.filter(({ eventTime }) => eventTime - START < end)
              .map(describeAny);

          const expected = early(candles);
          expect(early(kept)).toEqual(expected);
          expect(early([...kept, ...replaced])).toEqual(expected);
        },
      ),
      { numRuns: lawRuns() / LAW_PRODUCTS.length },
    );
  });
});

/** Runs a venue for a product many times with random orders, and checks a law after each run. */
function checkOn(
  product: (typeof LAW_PRODUCTS)[number],
  terms: fc.Arbitrary<LawTerms>,
  numRuns = lawRuns() / LAW_PRODUCTS.length,
): (law: (played: Played) => void) => void {
  return (law) => {
    fc.assert(
      fc.property(venueCandles(), venueRequests(MINUTES), terms, (candles, intents, drawn) => {
        law(playOn(product, drawn, { candles, intents, until: UNTIL }));
      }),
      { numRuns },
    );
  };
}

function idsOf({ script }: Played): readonly string[] {
  return script.flatMap((step) => {
    if ('submit' in step) return [step.submit.clientOrderId];
    return 'condition' in step ? [step.condition.order.clientOrderId] : [];
  });
}

/** Updates of an order, without rejected cancels. */
function updatesOf({ updates }: Played, id: string): readonly OrderUpdate[] {
  return updates.filter(
    (update): update is OrderUpdate =>
      isOrderUpdate(update) && update.clientOrderId === id && update.kind !== 'cancel-rejected',
  );
}

function kindsOf(played: Played, id: string): readonly string[] {
  return updatesOf(played, id).map(({ kind }) => kind);
}

/** How much of an order one update filled, in the unit the order counts in. */
function filledBy(
  update: OrderUpdate,
  unit: 'base' | 'quote' | 'contracts',
  { instrument }: Played,
): bigint {
  if (update.kind !== 'fill') return 0n;
  const { price, quantity }: FillRecord = update.fill;
  if (unit !== 'quote') return quantity;
  const base =
    instrument.kind === 'futures' ? multiplyFixed(quantity, instrument.multiplier) : quantity;
  return multiplyFixed(price, base);
}

/** Whether the price jumped across a level between the close of one candle and the open of the next. */
function hasJumped({ candles }: Played, level: number): boolean {
  return candles.some((candle, index) => {
    const close = candles[index - 1]?.path[3];
    const open = candle.path[0];
    return close !== undefined && Math.min(open, close) <= level && level <= Math.max(open, close);
  });
}
