import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  DomainError,
  formatFixed,
  parseFixed,
  type ClientOrderId,
  type Instrument,
  type ResolvedRules,
} from '../../../src/domain/index.js';
import { assess, type OrderProposal } from '../../../src/risk/index.js';
import { shiftText, type RiskCase } from '../../support/risk/arbitraries.js';
import { anAccount, aPolicy, LINEAR, someRules, SPOT } from '../../support/risk/builders.js';
import { readPublishedLimits, type PublishedLimits } from '../../support/risk/published-limits.js';
import { objections } from '../../support/risk/oracle.js';
import { propertyRuns } from '../../support/runs.js';

/** Transcribed from lists of September 2024 (spot) and November 2025 (futures). */
const TRANSCRIBED: readonly PublishedLimits[] = [
  ['spot', 'BTCUSDT', 2, 5, '0.00001', '9000', '129.84957276', '5', 200, '1'],
  ['spot', 'ETHBTC', 5, 4, '0.0001', '100000', '2255.71583723', '0.0001', 200, '1'],
  ['spot', 'PEPEUSDT', 8, 0, '1', '92233720368', '92233720368', '1', 200, '1'],
  ['spot', 'SHIBUSDT', 8, 0, '1', '46116860414', '46116860414', '1', 200, '1'],
  ['spot', 'BTCTRY', 0, 5, '0.00001', '4611', '4.01543615', '10', 200, '1'],
  ['spot', 'USDCUSDT', 4, 0, '1', '10000000', '10000000', '5', 200, '1'],
  ['spot', 'YFIUSDT', 0, 5, '0.00001', '9000', '8.54469029', '5', 200, '1'],
  ['spot', 'LUNCUSDT', 8, 2, '0.01', '8384883677', '2355412271.6014235', '5', 200, '1'],
  ['futures', 'BTCUSDT', 1, 0, '1', '1000000', '1000000', '100', 10000, '0.001'],
  ['futures', 'ETHUSDT', 2, 0, '1', '10000000', '10000000', '20', 10000, '0.001'],
  ['futures', '1000SHIBUSDT', 6, 0, '1', '10000000', '10000000', '5', 200, '1'],
  ['futures', 'BTCUSDT_251226', 1, 0, '1', '500000', '500000', '5', 200, '0.001'],
  ['futures', 'XRPUSDC', 4, 0, '1', '80000000', '16000000', '5', 200, '0.1'],
  ['futures', 'DEFIUSDT', 1, 0, '1', '10000000', '10000000', '5', 200, '0.001'],
];

/** `EVENKEEL_EXCHANGE_INFO=FOLDER` tries whole lists as well, by hand: thousands of instruments. */
const ROWS = [...TRANSCRIBED, ...readPublishedLimits(process.env['EVENKEEL_EXCHANGE_INFO'])];

function instrumentOf([kind, symbol, , , , , , , , face]: PublishedLimits): Instrument {
  if (kind === 'spot') return { ...SPOT, symbol, id: createInstrumentId('spot', symbol) };
  const id = createInstrumentId('futures', symbol);
  return { ...LINEAR, symbol, id, multiplier: parseFixed(face) };
}

function rulesOf(row: PublishedLimits): ResolvedRules {
  const [, , pricePrecision, quantityPrecision, least, limit, market, money, working] = row;
  return someRules({
    pricePrecision,
    quantityPrecision,
    minOrderQuantity: least,
    maxLimitQuantity: limit,
    maxMarketQuantity: market,
    minOrderMoney: money,
    maxWorkingOrders: working,
  });
}

/** Any number of steps or ticks, spread over all magnitudes, sometimes a little off the grid. */
const aCount = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.bigInt({ min: 1n, max: 99n }), fc.boolean())
  .map(([zeros, digits, isOff]) => ({ units: digits * 10n ** BigInt(zeros), isOff }));

const written = ({ units, isOff }: { units: bigint; isOff: boolean }, decimals: number): string =>
  isOff ? shiftText(units * 1_000n + 7n, decimals + 3) : shiftText(units, decimals);

function aCaseOf(row: PublishedLimits): fc.Arbitrary<RiskCase> {
  const instrument = instrumentOf(row);
  const rules = rulesOf(row);
  return fc
    .record({
      action: fc.constantFrom('open', 'close'),
      quantity: aCount,
      money: aCount,
      byMoney: fc.boolean(),
      price: fc.option(fc.integer({ min: -900, max: 900 }), { nil: undefined }),
      last: fc.integer({ min: 1_000, max: 9_999_999 }),
      held: aCount,
      choice: fc.constantFrom('refuse', 'clamp', 'split'),
    })
    .map(({ action, quantity, money, byMoney, price, last, held, choice }) => {
      const proposal: OrderProposal = {
        intentId: 1,
        instrument,
        action,
        side: action === 'open' ? 'buy' : 'sell',
        size: byMoney
          ? { notional: written(money, 4) }
          : { quantity: written(quantity, rules.quantityPrecision) },
        ...(price !== undefined && {
          limitPrice: written(
            { units: BigInt(last + price), isOff: price % 3 === 0 },
            rules.pricePrecision,
          ),
        }),
        clientOrderId: (leg) => `real-1-0-${String(leg)}` as ClientOrderId,
      };
      const account = anAccount({
        last: shiftText(BigInt(last), rules.pricePrecision),
        free: { USDT: '1000000000' },
        long: formatFixed(parseFixed(written(held, rules.quantityPrecision))),
      });
      return {
        proposal,
        rules,
        account,
        policy: aPolicy({ tooLarge: { entries: choice, exits: choice } }),
      };
    });
}

/** The problem of a record. Undefined if the record can be used. */
function problemOf(row: PublishedLimits): string | undefined {
  try {
    instrumentOf(row);
    rulesOf(row);
    return undefined;
  } catch (error: unknown) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

describe('published limits', () => {
  it('are usable except for a few, and these give a reason', () => {
    const problems = ROWS.flatMap((row) => problemOf(row) ?? []);

    expect(problems.length).toBeLessThanOrEqual(ROWS.length / 100);
    for (const problem of problems) expect(problem).toMatch(/^expected .*, received /);
  });
});

const USABLE = ROWS.filter((row) => problemOf(row) === undefined);

describe.each(USABLE)('the published limits of %s %s', (...row) => {
  it('hold for every approved order, and some orders are approved and some refused', () => {
    const counts = { approved: 0, refused: 0 };

    fc.assert(
      fc.property(aCaseOf(row), (asked) => {
        const decision = assess(asked.proposal, asked.rules, asked.account, asked.policy);
        counts[decision.kind] += 1;
        if (decision.kind === 'refused') return;

        expect(decision.orders.flatMap((order) => objections(order, asked))).toEqual([]);
      }),
      { numRuns: propertyRuns() },
    );

    expect(counts.approved).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
  });
});
