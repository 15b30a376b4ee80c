import fc from 'fast-check';

import { MINUTE_MS, type OrderRequest, type TimeInForce } from '../../../src/domain/index.js';
import { aLimitRequest, aMarketRequest } from '../order-requests.js';
import type { ScriptStep, VenueCandle } from '../spot-venue.js';

const LOWEST = 9_900;
const PRICES = 21;

const text = (ticks: number): string => (ticks / 100).toFixed(2);
/** A price between 99.00 and 99.20. With so few prices, levels, corners and opens often coincide. */
const price = fc.integer({ min: LOWEST, max: LOWEST + PRICES - 1 });

/** Minutes of candles on the tick of 0.01: walks that often stand still, jump, tie, have no volume, or miss a minute or two. */
export function venueCandles(
  length: { readonly minLength: number; readonly maxLength: number } = {
    minLength: 1,
    maxLength: 4,
  },
): fc.Arbitrary<readonly VenueCandle[]> {
  const row = fc.record({
    missing: fc.constantFrom(0, 0, 0, 0, 1, 2),
    opensAtClose: fc.boolean(),
    open: price,
    close: price,
    above: fc.nat({ max: 5 }),
    below: fc.nat({ max: 5 }),
    volume: fc.constantFrom(0, 0.01, 0.5, 1, 2.75, 1_000),
  });
  return fc.array(row, length).map((rows) => {
    let minute = -1;
    let last = LOWEST + 10;
    return rows.map(({ missing, opensAtClose, open: jump, close, above, below, volume }) => {
      const open = opensAtClose ? last : jump;
      minute += 1 + missing;
      last = close;
      const high = Math.max(open, close) + above;
      const low = Math.min(open, close) - below;
      return { minute, path: [open / 100, high / 100, low / 100, close / 100], volume };
    });
  });
}

const quantity = fc.integer({ min: 1, max: 3_000 }).map((steps) => (steps / 1_000).toFixed(3));
const timeInForce = fc.constantFrom<TimeInForce>('GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'POST_ONLY');

const aRequest = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('limit'),
      side: side(),
      price,
      quantity,
      timeInForce,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('market'),
      side: side(),
      money: fc.integer({ min: 1, max: 300 }),
      quantity,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), of: fc.nat({ max: 12 }) }) },
) as fc.Arbitrary<
  | {
      readonly kind: 'limit';
      readonly side: 'buy' | 'sell';
      readonly price: number;
      readonly quantity: string;
      readonly timeInForce: TimeInForce;
    }
  | {
      readonly kind: 'market';
      readonly side: 'buy' | 'sell';
      readonly money: number;
      readonly quantity: string;
    }
  | { readonly kind: 'cancel'; readonly of: number }
>;

function side(): fc.Arbitrary<'buy' | 'sell'> {
  return fc.constantFrom('buy', 'sell');
}

/** Arrival times of commands: often at opens, corners and closes, otherwise anywhere in the first `minutes` minutes. */
export function arrivalTimes(minutes: number): fc.Arbitrary<number> {
  const third = MINUTE_MS / 3;
  return fc.oneof(
    fc.integer({ min: 0, max: 3 * minutes }).map((corner) => corner * third),
    fc.integer({ min: 0, max: minutes * MINUTE_MS }),
  );
}

/** Commands in order of time: MARKET, LIMIT of every time in force, and cancels of orders that may exist. */
export function venueScripts(
  minutes: number,
  length: { readonly minLength: number; readonly maxLength: number } = {
    minLength: 4,
    maxLength: 12,
  },
): fc.Arbitrary<readonly ScriptStep[]> {
  return fc.array(fc.tuple(arrivalTimes(minutes), aRequest), length).map((intents) =>
    [...intents]
      .sort(([a], [b]) => a - b)
      .map(([at, intent], index): ScriptStep => {
        const id = `o${String(index)}`;
        // Mostly the id of an earlier order, sometimes an unused id.
        if (intent.kind === 'cancel') return { at, cancel: `o${String(intent.of % (index + 1))}` };
        return { at, submit: requestOf(id, intent) };
      }),
  );
}

function requestOf(
  id: string,
  intent:
    | {
        readonly kind: 'limit';
        readonly side: 'buy' | 'sell';
        readonly price: number;
        readonly quantity: string;
        readonly timeInForce: TimeInForce;
      }
    | {
        readonly kind: 'market';
        readonly side: 'buy' | 'sell';
        readonly money: number;
        readonly quantity: string;
      },
): OrderRequest {
  return intent.kind === 'limit'
    ? aLimitRequest({
        id,
        side: intent.side,
        quantity: intent.quantity,
        limitPrice: text(intent.price),
        timeInForce: intent.timeInForce,
      })
    : aMarketRequest({
        id,
        side: intent.side,
        quantity: intent.side === 'buy' ? String(intent.money) : intent.quantity,
      });
}
