import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MINUTE_MS, type Asset, type MarginInstrument } from '../../../src/domain/index.js';
import { NaiveLevel, type NaiveHolding } from '../../support/margin/naive-level.js';
import { aRoutePair, aRouteVenue } from '../../support/margin/route-venue.js';
import { aLimitRequest } from '../../support/order-requests.js';
import { replayRuns } from '../../support/runs.js';
import { play, START, type ScriptStep, type VenueCandle } from '../../support/spot-venue.js';

const BTC_USDT = aRoutePair('BTC', 'USDT');
const ETH_BTC = aRoutePair('ETH', 'BTC');
const SOL_ETH = aRoutePair('SOL', 'ETH');
/** The pairs from each asset to the currency. */
const ROUTES: Readonly<Record<Asset, readonly MarginInstrument[]>> = {
  USDT: [],
  BTC: [BTC_USDT],
  ETH: [ETH_BTC, BTC_USDT],
  SOL: [SOL_ETH, ETH_BTC, BTC_USDT],
};
const PAIRS = [BTC_USDT, ETH_BTC, SOL_ETH];
/** What each pair costs in the first minute. */
const FIRST = [100, 0.5, 2];
const PLENTY = '100000';
const WARN = 130n;
const CALL = 110n;
const RUNS = replayRuns();

/** A minute that begins at the first price, and whose corners lie anywhere within a third of it. */
const minutes = fc.tuple(
  ...FIRST.map((first) => {
    const cents = fc.integer({ min: Math.round(first * 70), max: Math.round(first * 140) });
    return fc.tuple(cents, cents, cents).map(([a, b, close]): VenueCandle => {
      const open = Math.round(first * 100);
      const [high, low] = [Math.max(open, a, b, close), Math.min(open, a, b, close)];
      return { path: [open / 100, high / 100, low / 100, close / 100] };
    });
  }),
);

const cases = fc.record({
  bitcoins: fc.constantFrom('0', '0', '0.5', '1'),
  money: fc.integer({ min: 20, max: 200 }).map(String),
  /** The watched level that a dip between two corners shall reach, if there is one, and by how much of its depth. */
  percent: fc.constantFrom(WARN, CALL),
  depth: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
  orders: fc.array(
    fc.record({
      pair: fc.nat({ max: 2 }),
      side: fc.constantFrom('buy', 'sell'),
      steps: fc.integer({ min: 200, max: 9_000 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  minutes,
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

interface Seen {
  readonly warned: number | undefined;
  readonly called: number | undefined;
  readonly holdings: readonly NaiveHolding[];
}

/** Trades in the first minute, and tells when the venue warns and calls in the second. */
function played({ bitcoins, orders, minutes: later }: Case, money: string): Seen {
  const candles = new Map(
    PAIRS.map((pair, place): [MarginInstrument, readonly VenueCandle[]] => {
      const price = FIRST[place] ?? 0;
      return [pair, [{ path: [price, price, price, price] }, later[place] as VenueCandle]];
    }),
  );
  const { venue, updates } = aRouteVenue({ USDT: money, BTC: bitcoins }, candles);
  const script = orders.map(({ pair, side, steps }, index): ScriptStep => {
    const { id: instrumentId } = PAIRS[pair] as MarginInstrument;
    const price = FIRST[pair] ?? 0;
    // The values of all orders are alike.
    const quantity = (steps / (pair === 0 ? 1_000 : 500)).toFixed(3);
    const limitPrice = price.toFixed(2);
    const id = `order-${String(index)}`;
    return { at: 0, submit: aLimitRequest({ instrumentId, side, quantity, limitPrice, id }) };
  });
  play({ venue }, script, MINUTE_MS - 1);
  const ledger = venue.accounts.margin?.ledger;
  const holdings = (ledger?.parts ?? []).map(({ asset, owned, principal, interest }) => ({
    asset,
    owned,
    owed: principal + interest,
    route: (ROUTES[asset] ?? []).map((pair) => candles.get(pair)?.[1] as VenueCandle),
  }));
  play({ venue }, [], 2 * MINUTE_MS);
  const times = new Map(
    updates.map(({ kind, eventTime }) => [kind, eventTime - START - MINUTE_MS]),
  );
  return { warned: times.get('margin-warning'), called: times.get('forced-fill'), holdings };
}

/** An amount with which the level falls to `percent` between two corners only, if the drawn paths can do that; otherwise the drawn amount. */
function moneyOf(drawn: Case): string {
  const { holdings } = played(drawn, PLENTY);
  const { atCorners, anywhere } = new NaiveLevel(holdings).leastExcess(drawn.percent);
  const money = Number(PLENTY) - anywhere - drawn.depth * (atCorners - anywhere);
  return atCorners > anywhere && money > 0 ? money.toFixed(9) : drawn.money;
}

describe('the level of a margin account whose assets lead to its currency over several pairs', () => {
  it('is acted on at the first millisecond at which it is that low, also between two corners', () => {
    const found = { warned: 0, called: 0, between: 0, callsBetween: 0 };
    fc.assert(
      fc.property(cases, (drawn) => {
        const { warned, called, holdings } = played(drawn, moneyOf(drawn));
        fc.pre(holdings.some(({ owed }) => owed > 0n));
        const level = new NaiveLevel(holdings);
        fc.pre(!level.isAt(WARN, 0));

        const low = level.firstAt(WARN, 0);
        const lowest = low === undefined ? undefined : level.firstAt(CALL, low);
        expect(called).toBe(lowest);
        if (low !== lowest) expect(warned).toBe(low);
        if (low !== undefined) found.warned += 1;
        if (lowest !== undefined) found.called += 1;
        if (low !== undefined && !level.isAtCorner(WARN)) found.between += 1;
        if (lowest !== undefined && !level.isAtCorner(CALL)) found.callsBetween += 1;
      }),
      { numRuns: RUNS, endOnFailure: true },
    );

    console.info(`margin levels: ${JSON.stringify(found)}`);
    for (const met of Object.values(found)) expect(met).toBeGreaterThan(0);
  });
});
