import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  directionOf,
  MINUTE_MS,
  multiplyFixed,
  parseFixed,
  type Direction,
  type Fixed,
} from '../../../src/domain/index.js';
import type { SimulatedVenue } from '../../../src/simulator/index.js';
import { isOrderUpdate } from '../../../src/venue/index.js';
import { venueRequests } from '../../support/arbitraries/venue-requests.js';
import { venueCandles } from '../../support/arbitraries/venue-scripts.js';
import { describeAny } from '../../support/futures-venue.js';
import {
  anyTerms,
  freeTerms,
  LAW_PRODUCTS,
  playOn,
  type LawProduct,
  type LawTerms,
  type Played,
} from '../../support/venue-laws/law-venues.js';
import { lawRuns } from '../../support/runs.js';
import { START } from '../../support/spot-venue.js';

const MINUTES = 4;
const UNTIL = 13 * MINUTE_MS;
const RUNS = lawRuns() / LAW_PRODUCTS.length;

/** Runs a venue for a product many times with random orders. Checks `afterwards` after each run and `always` after each instant of a run. */
function check(
  product: LawProduct,
  terms: fc.Arbitrary<LawTerms>,
  laws: {
    readonly afterwards?: (played: Played, terms: LawTerms) => void;
    readonly always?: (venue: SimulatedVenue) => void;
  },
): void {
  fc.assert(
    fc.property(venueCandles(), venueRequests(MINUTES), terms, (candles, intents, drawn) => {
      const { always: watch } = laws;
      const given = { candles, intents, until: UNTIL, ...(watch !== undefined && { watch }) };
      const played = playOn(product, drawn, given);
      laws.afterwards?.(played, drawn);
    }),
    { numRuns: RUNS },
  );
}

describe.each(LAW_PRODUCTS)('account laws on %s', (product) => {
  it('free, locked, owed and frozen amounts are never negative', () => {
    check(product, anyTerms, {
      always: (venue) => {
        for (const [what, amount] of amountsOf(venue))
          if (amount < 0n) throw new Error(`${what} is ${String(amount)}`);
      },
    });
  });

  it('balances equal initial amounts, trades, fees, interest and insurance added up, to the last decimal', () => {
    check(product, anyTerms, {
      afterwards: (played, { money }) => {
        const { venue, fills, updates, instrument } = played;
        const { spot, margin, futures } = venue.accounts;
        if (instrument.kind === 'futures') {
          expect(futures?.ledger.residual(instrument.marginAsset)).toBe(0n);
          return;
        }
        const all = fills.concat(played.forced.map(({ fill }) => fill));
        const expected = new Map([
          ['USDT', parseFixed(money)],
          ['BTC', product === 'spot' ? parseFixed(String(Number(money) / 100)) : 0n],
        ]);
        const add = (asset: string, amount: Fixed): void => {
          expected.set(asset, (expected.get(asset) ?? 0n) + amount);
        };
        for (const { side, price, quantity, fee, feeAsset } of all) {
          const sign = side === 'buy' ? 1n : -1n;
          add('BTC', sign * quantity);
          add('USDT', -sign * multiplyFixed(price, quantity));
          add(feeAsset, -fee);
        }
        for (const update of updates) {
          if (update.kind === 'interest') add(update.asset, -update.amount);
          if (update.kind === 'forced-fill') add('USDT', update.insurance);
        }
        const totals = (product === 'spot' ? spot : margin)?.totals() ?? new Map();
        for (const [asset, amount] of expected) expect(totals.get(asset) ?? 0n).toBe(amount);
      },
    });
  });

  it('a cancel near a fill either ends the order or is rejected, and changes nothing before it', () => {
    const outcomes: string[] = [];
    fc.assert(
      fc.property(
        venueCandles(),
        venueRequests(MINUTES),
        anyTerms,
        fc.nat(),
        fc.constantFrom(-1, 0, 1),
        (candles, intents, terms, which, after) => {
          const given = {
            candles,
            intents: intents.filter(({ kind }) => kind !== 'cancel'),
            until: UNTIL,
          };
          const calm = playOn(product, terms, given);
          const makers = calm.fills.filter(({ liquidity }) => liquidity === 'maker');
          const fill = makers[which % Math.max(1, makers.length)];
          if (fill === undefined) return;
          const cancel = { at: fill.eventTime - START + after, cancel: fill.clientOrderId };

          const raced = playOn(product, terms, { ...given, cancel });

          const early = ({ updates }: Played): readonly string[] =>
            updates.filter(({ eventTime }) => eventTime < START + cancel.at).map(describeAny);
          expect(early(raced)).toEqual(early(calm));
          const outcome = raceOutcome(raced, cancel);
          expect(outcome).toMatch(/^(canceled|too late|too early)$/);
          outcomes.push(outcome);
          if (after >= 0) expect(raced.fills).toContainEqual(fill);
        },
      ),
      { numRuns: RUNS },
    );
    // Too early is rare: the cancel meets a trigger that has not fired yet.
    expect(outcomes).toContain('canceled');
    expect(outcomes).toContain('too late');
  });
});

describe.each(['linear', 'inverse'] as const)('account laws on %s contracts', (product) => {
  it('no close, trigger or liquidation ever flips a position', () => {
    check(product, anyTerms, {
      afterwards: ({ fills, forced, updates, venue, instrument }, { positionMode }) => {
        const held: Record<Direction, Fixed> = { long: 0n, short: 0n };
        const all = updates.flatMap((update) =>
          update.kind === 'fill' || update.kind === 'forced-fill' ? [update.fill] : [],
        );
        expect(all).toHaveLength(fills.length + forced.length);
        for (const fill of all) {
          const direction = directionOf(fill);
          held[direction] += fill.action === 'open' ? fill.quantity : -fill.quantity;
          expect(held[direction] >= 0n).toBe(true);
          if (positionMode === 'oneWay') expect(held.long === 0n || held.short === 0n).toBe(true);
        }
        const ledger = venue.accounts.futures?.ledger;
        for (const direction of ['long', 'short'] as const)
          expect(ledger?.held(instrument.id, direction)).toBe(held[direction]);
      },
    });
  });

  it('no balance falls below 0 if trading is free and last is the mark', () => {
    check(product, freeTerms, {
      always: (venue) => {
        for (const [asset, amount] of venue.accounts.futures?.totals() ?? [])
          if (amount < 0n) throw new Error(`${asset} is ${String(amount)}`);
      },
    });
  });

  it('isolated positions never set aside more than the account has', () => {
    // So little money that orders use all of it. A sale also sets aside the amount that it brings above its limit. Without leverage its
    // opening loss would not cover that amount and the fee.
    const little = fc.record({
      money: fc.constantFrom('20', '60'),
      leverage: fc.constantFrom('3', '10'),
    });
    const terms = fc
      .tuple(freeTerms, anyTerms, little)
      .map(([free, { fees }, rest]) => ({ ...free, ...rest, fees, isCross: false }));
    check(product, terms, {
      always: (venue) => {
        const ledger = venue.accounts.futures?.ledger;
        for (const asset of ledger?.assets ?? [])
          if ((ledger?.available(asset) ?? 0n) < 0n) throw new Error(`${asset} is spent twice`);
      },
    });
  });
});

/** Every amount that a venue's accounts must not let fall below 0. */
function* amountsOf(venue: SimulatedVenue): Generator<readonly [what: string, amount: Fixed]> {
  const { spot, margin, futures } = venue.accounts;
  for (const [asset, total] of spot.totals()) {
    yield [`free ${asset}`, total - spot.locked(asset)];
    yield [`locked ${asset}`, spot.locked(asset)];
  }
  for (const asset of margin?.ledger.totals().keys() ?? []) {
    const debt = margin?.ledger.debt(asset);
    yield [`free ${asset} on margin`, margin?.ledger.free(asset) ?? 0n];
    yield [`locked ${asset} on margin`, margin?.ledger.locked(asset) ?? 0n];
    yield [`principal ${asset}`, debt?.principal ?? 0n];
    yield [`interest ${asset}`, debt?.interest ?? 0n];
  }
  for (const asset of futures?.ledger.assets ?? [])
    yield [`frozen ${asset}`, futures?.ledger.frozen(asset) ?? 0n];
}

/** The outcome of a race between an order and its only cancel. If the updates make no sense, all of them, one line each. */
function raceOutcome(
  { updates }: Played,
  { at, cancel: id }: { readonly at: number; readonly cancel: string },
): string {
  const own = updates.filter(isOrderUpdate).filter(({ clientOrderId }) => clientOrderId === id);
  const place = own.findIndex(({ kind }) => kind === 'cancel-rejected');
  const last = own.at(-1);
  const isCanceled = last?.kind === 'ended' && last.status === 'canceled';
  if (place < 0 && isCanceled && last.eventTime === START + at) return 'canceled';
  const before = own.slice(0, Math.max(0, place));
  const hasEnded = before.some(
    (update) => update.kind === 'ended' || (update.kind === 'fill' && update.isFilled),
  );
  if (place >= 0 && hasEnded && place === own.length - 1) return 'too late';
  // When the cancel arrived, the order had not arrived, or its trigger had not fired.
  const hasRested = before.some(({ kind }) => kind === 'fill');
  const later = own.slice(place + 1);
  if (place >= 0 && !hasRested && later.every(({ eventTime }) => eventTime > START + at))
    return 'too early';
  return own.map(describeAny).join('\n');
}
