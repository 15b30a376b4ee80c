import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  MINUTE_MS,
  multiplyFixed,
  parseFixed,
  type FeeRates,
  type FillRecord,
} from '../../../src/domain/index.js';
import {
  createFixedSlippage,
  createSquareRootSlippage,
  type ExtremeOrder,
} from '../../../src/simulator/index.js';
import type { OrderUpdate } from '../../../src/venue/index.js';
import { venueCandles, venueScripts } from '../../support/arbitraries/venue-scripts.js';
import { lawRuns } from '../../support/runs.js';
import {
  aVenue,
  feesOf,
  linesOf,
  play,
  START,
  type ObservedVenue,
  type ScriptStep,
  type VenueCandle,
  type VenueSetup,
} from '../../support/spot-venue.js';

const MINUTES = 4;
const UNTIL = 13 * MINUTE_MS;

interface Costs {
  readonly fees: FeeRates;
  readonly halfSpread: string;
  readonly slippage: VenueSetup['slippage'];
  readonly participation: string | undefined;
  readonly fillOnTouch: boolean;
  readonly order: ExtremeOrder | undefined;
}

const anyCosts: fc.Arbitrary<Costs> = fc.record({
  fees: fc.constantFrom(
    feesOf('0', '0', 'quote'),
    feesOf('0.001', '0.002', 'received'),
    feesOf('0.003', '0.000777777777777777', 'quote'),
  ),
  halfSpread: fc.constantFrom('0', '0.0003'),
  slippage: fc.constantFrom(
    createFixedSlippage(0n),
    createFixedSlippage(parseFixed('0.001')),
    createSquareRootSlippage(parseFixed('0.05')),
  ),
  participation: fc.constantFrom(undefined, '0.1', '0.333333'),
  fillOnTouch: fc.boolean(),
  order: fc.constantFrom(undefined, 'high-first', 'low-first'),
});
const NO_COSTS: Costs = {
  fees: feesOf('0', '0', 'quote'),
  halfSpread: '0',
  slippage: createFixedSlippage(0n),
  participation: '0.333333',
  fillOnTouch: false,
  order: undefined,
};

interface Played extends ObservedVenue {
  readonly candles: readonly VenueCandle[];
  readonly script: readonly ScriptStep[];
  readonly fills: readonly FillRecord[];
}

function playAll(
  candles: readonly VenueCandle[],
  script: readonly ScriptStep[],
  costs: Costs,
): Played {
  const observed = aVenue({ candles, ...defined(costs) });
  play(observed, script, UNTIL);
  const fills = observed.updates.flatMap((update) => (update.kind === 'fill' ? [update.fill] : []));
  return { ...observed, candles, script, fills };
}

function defined({ participation, order, slippage, ...costs }: Costs): VenueSetup {
  return {
    ...costs,
    ...(participation !== undefined && { participation }),
    ...(order !== undefined && { order }),
    ...(slippage !== undefined && { slippage }),
  };
}

function checkAll(costs: fc.Arbitrary<Costs>, law: (played: Played) => void): void {
  fc.assert(
    fc.property(venueCandles(), venueScripts(MINUTES), costs, (candles, script, terms) => {
      law(playAll(candles, script, terms));
    }),
    { numRuns: lawRuns() },
  );
}

const openMs = ({ minute = 0 }: VenueCandle): number => minute * MINUTE_MS;

/** The candle on whose path a fill lies: that of its order's arrival or a later one, which may end in the fill's millisecond. */
function candlesOf({ candles }: Played, { eventTime }: FillRecord): readonly VenueCandle[] {
  const ms = eventTime - START;
  return candles.filter((candle) => openMs(candle) <= ms && ms <= openMs(candle) + MINUTE_MS);
}

function arrivalOf({ script }: Played, id: string): number {
  const step = script.find((one) => 'submit' in one && one.submit.clientOrderId === id);
  if (step === undefined) throw new Error(`expected ${id} in the script`);
  return step.at;
}

function requestOf(
  { script }: Played,
  id: string,
): Extract<ScriptStep, { submit: unknown }>['submit'] {
  for (const step of script)
    if ('submit' in step && step.submit.clientOrderId === id) return step.submit;
  throw new Error(`expected ${id} in the script`);
}

const isAbout =
  (id: string) =>
  (update: OrderUpdate): boolean =>
    update.clientOrderId === id;

describe('before costs', () => {
  it('a fill lies within the range of its candle, but for a maker whose limit was jumped over', () => {
    checkAll(fc.constant(NO_COSTS), (played) => {
      for (const fill of played.fills) {
        const price = Number(fill.price) / 1e18;
        const isInRange = candlesOf(played, fill).some(({ path: [open, high, low] }) => {
          const isJumped =
            fill.liquidity === 'maker' && (fill.side === 'buy' ? price >= open : price <= open);
          return (price >= low && price <= high) || isJumped;
        });
        expect(isInRange).toBe(true);
      }
    });
  });
});

describe('whatever it costs', () => {
  it('a limit is never broken, and a maker trades at it', () => {
    checkAll(anyCosts, (played) => {
      for (const fill of played.fills) {
        const request = requestOf(played, fill.clientOrderId);
        if (request.type === 'market') {
          expect(fill.liquidity).toBe('taker');
          continue;
        }
        const { limitPrice } = request;
        if (fill.liquidity === 'maker') expect(fill.price).toBe(limitPrice);
        expect(fill.side === 'buy' ? fill.price <= limitPrice : fill.price >= limitPrice).toBe(
          true,
        );
      }
    });
  });

  it('prices lie on the tick and quantities on the step, above 0', () => {
    checkAll(anyCosts, ({ fills }) => {
      for (const { price, quantity } of fills) {
        expect(price > 0n && price % parseFixed('0.01') === 0n).toBe(true);
        expect(quantity > 0n && quantity % parseFixed('0.001') === 0n).toBe(true);
      }
    });
  });

  it('own fills of a candle never exceed its share of the volume', () => {
    checkAll(anyCosts, (played) => {
      const { candles, fills, venue } = played;
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

  it('nothing fills before it arrives, nor while no candle is open', () => {
    checkAll(anyCosts, (played) => {
      for (const fill of played.fills) {
        expect(fill.eventTime - START).toBeGreaterThanOrEqual(
          arrivalOf(played, fill.clientOrderId),
        );
        expect(candlesOf(played, fill).length).toBeGreaterThan(0);
      }
    });
  });

  it('what arrives as a candle closes fills on the next one, at its open or later', () => {
    checkAll(fc.constant(NO_COSTS), (played) => {
      for (const fill of played.fills) {
        const at = arrivalOf(played, fill.clientOrderId);
        const opening = played.candles.find((candle) => openMs(candle) === at);
        if (opening === undefined || fill.eventTime - START !== at || fill.liquidity === 'maker')
          continue;
        // On the tick, so nothing is rounded.
        expect(Number(fill.price) / 1e18).toBeCloseTo(opening.path[0], 10);
      }
    });
  });

  it('FOK is all or nothing, IOC never rests, POST_ONLY never takes', () => {
    checkAll(anyCosts, (played) => {
      for (const { clientOrderId } of played.updates) {
        const step = played.script.find(
          (one) => 'submit' in one && one.submit.clientOrderId === clientOrderId,
        );
        if (step === undefined || !('submit' in step) || step.submit.type !== 'limit') continue;
        const { timeInForce, quantity } = step.submit;
        const own = played.fills.filter((fill) => fill.clientOrderId === clientOrderId);
        if (timeInForce === 'FOK')
          expect(own.length === 0 || (own.length === 1 && own[0]?.quantity === quantity)).toBe(
            true,
          );
        if (timeInForce === 'POST_ONLY')
          expect(own.every(({ liquidity }) => liquidity === 'maker')).toBe(true);
        if (timeInForce === 'IOC')
          expect(
            played.updates.filter(isAbout(clientOrderId)).map(({ kind }) => kind),
          ).not.toContain('accepted');
      }
    });
  });

  it('balances change by fills and fees and nothing else; free and locked are never negative', () => {
    checkAll(anyCosts, ({ venue, fills }) => {
      const expected = new Map([
        ['BTC', parseFixed('10')],
        ['ETH', parseFixed('10')],
        ['USDT', parseFixed('10000')],
      ]);
      const add = (asset: string, amount: bigint): void => {
        expected.set(asset, (expected.get(asset) ?? 0n) + amount);
      };
      for (const { side, price, quantity, fee, feeAsset } of fills) {
        const sign = side === 'buy' ? 1n : -1n;
        add('BTC', sign * quantity);
        add('USDT', -sign * multiplyFixed(price, quantity));
        add(feeAsset, -fee);
      }

      expect(venue.balances()).toEqual(expected);
      for (const [asset, total] of venue.balances()) {
        // The ledger itself throws below 0: see balances.test.ts.
        expect(venue.locked(asset) >= 0n && venue.locked(asset) <= total).toBe(true);
      }
    });
  });

  it('an order ends once, is accepted at most once and before it rests, and never fills beyond its quantity', () => {
    checkAll(anyCosts, (played) => {
      for (const step of played.script) {
        if (!('submit' in step)) continue;
        const { clientOrderId, quantity, unit } = step.submit;
        const own = played.updates.filter(isAbout(clientOrderId));
        const ends = own.filter(
          (update) => update.kind === 'ended' || (update.kind === 'fill' && update.isFilled),
        );
        const filled = own.reduce(
          (sum, update) =>
            update.kind === 'fill'
              ? sum +
                (unit === 'quote'
                  ? multiplyFixed(update.fill.price, update.fill.quantity)
                  : update.fill.quantity)
              : sum,
          0n,
        );
        const kinds = own.map(({ kind }) => kind).filter((kind) => kind !== 'cancel-rejected');

        expect(ends.length).toBeLessThanOrEqual(1);
        expect(kinds.lastIndexOf('accepted')).toBeLessThanOrEqual(0);
        expect(filled <= quantity).toBe(true);
        if (ends[0]?.kind === 'fill' && unit === 'base') expect(filled).toBe(quantity);
      }
    });
  });

  it('updates come in the order of their times', () => {
    checkAll(anyCosts, ({ updates }) => {
      const times = updates.map(({ eventTime }) => eventTime);

      expect(times).toEqual([...times].sort((a, b) => a - b));
    });
  });

  it('what comes later changes nothing before it: candles cut off or replaced leave earlier updates as they are', () => {
    fc.assert(
      fc.property(
        venueCandles({ minLength: 2, maxLength: 5 }),
        venueCandles({ minLength: 1, maxLength: 3 }),
        venueScripts(MINUTES),
        anyCosts,
        fc.nat({ max: 4 }),
        (candles, others, script, costs, cut) => {
          const kept = candles.slice(0, 1 + (cut % candles.length));
          const end = openMs(kept.at(-1) ?? { path: [1, 1, 1, 1] }) + MINUTE_MS;
          const replaced = others.map((candle) => ({
            ...candle,
            minute: end / MINUTE_MS + (candle.minute ?? 0),
          }));

          const early = (played: Played): readonly string[] =>
            linesOf({
              ...played,
              updates: played.updates.filter(({ eventTime }) => eventTime - START < end),
            });

          const expected = early(playAll(candles, script, costs));
          expect(early(playAll(kept, script, costs))).toEqual(expected);
          expect(early(playAll([...kept, ...replaced], script, costs))).toEqual(expected);
        },
      ),
      { numRuns: lawRuns() },
    );
  });
});
