import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  decimalFromFixed,
  Decimal,
  MINUTE_MS,
  type FillRecord,
  type LimitOrderRequest,
} from '../../../src/domain/index.js';
import { venueCandles } from '../../support/arbitraries/venue-scripts.js';
import { venueRequests, type VenueRequest } from '../../support/arbitraries/venue-requests.js';
import {
  anyTerms,
  LAW_PRODUCTS,
  openMs,
  playOn,
  sentAs,
  type LawTerms,
  type Played,
} from '../../support/venue-laws/law-venues.js';
import { isHighNearer, pathTicks, THIRD } from '../../support/naive/naive-path.js';
import { sequenceRuns } from '../../support/runs.js';
import { START, type VenueCandle } from '../../support/spot-venue.js';

const MINUTES = 6;
const UNTIL = 15 * MINUTE_MS;
const TICK = new Decimal('0.01');

/** Ticks by which each limit moves further through the market. */
const reaches = fc.array(fc.constantFrom(0, 0, 20, 500, 3_000), { minLength: 14, maxLength: 14 });

/** Volume is short, so that orders go on from candle to candle. */
const scarceTerms = anyTerms.map((terms) => ({
  ...terms,
  participation: terms.participation ?? '0.02',
}));

function reaching(
  intents: readonly VenueRequest[],
  by: readonly number[],
): readonly VenueRequest[] {
  return intents.map((intent, index) => {
    const ticks = intent.ticks + (by[index] ?? 0) * (intent.side === 'buy' ? 1 : -1);
    return { ...intent, ticks };
  });
}

/** Number of checked fills of each kind. */
interface Seen {
  taken: number;
  takenLater: number;
  made: number;
}

describe.each(LAW_PRODUCTS)('on %s, an order that was marketable on arrival', (product) => {
  it('fills at the path with spread and slippage, and as a maker only after the path made it unmarketable', () => {
    const seen: Seen = { taken: 0, takenLater: 0, made: 0 };
    fc.assert(
      fc.property(
        venueCandles({ minLength: 3, maxLength: 8 }),
        venueRequests(MINUTES),
        reaches,
        scarceTerms,
        (candles, intents, by, terms) => {
          const rows = inUnitsOf(product, candles);
          const given = { candles: rows, intents: reaching(intents, by), until: UNTIL };
          const played = playOn(product, terms, given);
          for (const fill of played.fills) {
            const kind = checkFill(fill, played, terms);
            if (kind !== undefined) seen[kind] += 1;
          }
        },
      ),
      { numRuns: sequenceRuns() / LAW_PRODUCTS.length },
    );
    console.info(
      `${product}: ${String(seen.taken)} fills on arrival, ${String(seen.takenLater)} later, ${String(seen.made)} as a maker`,
    );
    expect(seen.takenLater).toBeGreaterThan(0);
  });
});

/** Multiplies the volume of contract markets by 100, because their orders are for hundreds of contracts. */
function inUnitsOf(
  product: (typeof LAW_PRODUCTS)[number],
  candles: readonly VenueCandle[],
): readonly VenueCandle[] {
  if (product === 'spot' || product === 'margin') return candles;
  return candles.map((candle) => ({ ...candle, volume: 100 * (candle.volume ?? 1_000) }));
}

/** Checks a fill and returns its kind. Undefined unless its order is a LIMIT order without a trigger that was marketable on arrival. */
function checkFill(fill: FillRecord, played: Played, terms: LawTerms): keyof Seen | undefined {
  const { request, at, trigger } = sentAs(played, fill.clientOrderId);
  // The arrival of a trigger's order is unknown here. The test with the venue twins checks these orders.
  if (request.type !== 'limit' || trigger !== undefined) return undefined;
  const arrival = Math.max(at, ...openingAfter(played.candles, at));
  const now = fill.eventTime - START;
  if (!crosses(request, pathAt(played.candles, terms, arrival), terms)) return undefined;
  if (fill.liquidity === 'maker') {
    const points = instantsOf(played.candles, arrival, now);
    expect(
      points.some((path) => !crosses(request, path(terms), terms)),
      'left behind before it is a maker',
    ).toBe(true);
    return 'made';
  }
  const limit = decimalFromFixed(request.limitPrice);
  const path = pathAt(played.candles, terms, now);
  const cost = new Decimal(terms.halfSpread).plus(slippageOf(fill, played, terms));
  const isBuy = fill.side === 'buy';
  const taker = isBuy
    ? path.times(cost.plus(1)).div(TICK).ceil().times(TICK)
    : path.times(new Decimal(1).minus(cost)).div(TICK).floor().times(TICK);
  const expected = isBuy ? Decimal.min(taker, limit) : Decimal.max(taker, limit);
  expect(decimalFromFixed(fill.price).toFixed()).toBe(expected.toFixed());
  return now === arrival ? 'taken' : 'takenLater';
}

/** When the candle opens that an order has to wait for. Empty if a candle is open or none follows. */
function openingAfter(candles: readonly VenueCandle[], at: number): readonly number[] {
  const isOpen = candles.some((one) => openMs(one) <= at && at < openMs(one) + MINUTE_MS);
  const next = candles.map(openMs).find((ms) => ms >= at);
  return isOpen || next === undefined ? [] : [next];
}

/** Price of the path at `ms`, in the last candle that has opened by then. */
function pathAt(candles: readonly VenueCandle[], terms: LawTerms, ms: number): Decimal {
  const candle = candles.findLast((one) => openMs(one) <= ms);
  if (candle === undefined) throw new Error(`expected a candle at ${String(ms)}`);
  return pathOn(candle, terms, ms - openMs(candle));
}

function pathOn(candle: VenueCandle, { order }: LawTerms, ms: number): Decimal {
  const isHighFirst = order === undefined ? isHighNearer(candle) : order === 'high-first';
  return TICK.times(pathTicks(candle.path, isHighFirst, ms)).div(THIRD);
}

/** The path at both ends and at every corner of a span. A close and the next open are separate points. */
function instantsOf(
  candles: readonly VenueCandle[],
  from: number,
  to: number,
): readonly ((terms: LawTerms) => Decimal)[] {
  return candles.flatMap((candle) => {
    const open = openMs(candle);
    const [first, last] = [Math.max(0, from - open), Math.min(MINUTE_MS, to - open)];
    if (first > last || first >= MINUTE_MS) return [];
    const corners = [0, THIRD, 2 * THIRD, MINUTE_MS].filter((ms) => ms > first && ms < last);
    return [first, ...corners, last].map((ms) => (terms: LawTerms) => pathOn(candle, terms, ms));
  });
}

function crosses({ side, limitPrice }: LimitOrderRequest, path: Decimal, terms: LawTerms): boolean {
  const half = new Decimal(terms.halfSpread);
  const limit = decimalFromFixed(limitPrice);
  return side === 'buy'
    ? limit.gte(path.times(half.plus(1)))
    : limit.lte(path.times(new Decimal(1).minus(half)));
}

/** Slippage of everything that the order took at the instant. In one-way mode one fill may be reported as two. */
function slippageOf(fill: FillRecord, { fills, candles }: Played, { slippage }: LawTerms): Decimal {
  const quantity = fills
    .filter((one) => one.clientOrderId === fill.clientOrderId && one.eventTime === fill.eventTime)
    .reduce((sum, one) => sum + one.quantity, 0n);
  const candle = candles.findLast((one) => openMs(one) <= fill.eventTime - START);
  const volume = BigInt(Math.round((candle?.volume ?? 1_000) * 1_000)) * 10n ** 15n;
  const ratio = slippage?.ratio(quantity, { volume: () => volume }) ?? 0n;
  return decimalFromFixed(ratio);
}
