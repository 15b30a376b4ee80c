import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseFixed, type Fixed, type RiskDecision } from '../../../../src/domain/index.js';
import {
  assess,
  createGuards,
  type ProtectionConfig,
  type ProtectionView,
} from '../../../../src/risk/index.js';
import { aRiskCase, shiftText, type RiskCase } from '../../../support/risk/arbitraries.js';
import { INVERSE, LINEAR, MARGIN, SPOT } from '../../../support/risk/builders.js';
import { aView, anExposure, NOW } from '../../../support/risk/protections.js';
import { lawRuns } from '../../../support/runs.js';

const runs = { numRuns: lawRuns() };

const MONEY = [
  'maxOrderNotional',
  'maxPositionNotional',
  'maxTotalNotional',
  'maxNetExposure',
  'maxLeverage',
  'maxMarginUse',
] as const;
const COUNTS = ['maxOpenPositions', 'maxOpenOrders', 'maxTotalOpenOrders'] as const;

/** Limits as shares of 100,000 USDT, small enough to refuse a good part of what is generated. */
const aConfig: fc.Arbitrary<ProtectionConfig> = fc
  .record({
    money: fc.array(fc.tuple(fc.constantFrom(...MONEY), fc.integer({ min: 1, max: 100_000 })), {
      maxLength: 3,
    }),
    counts: fc.array(fc.tuple(fc.constantFrom(...COUNTS), fc.integer({ min: 1, max: 12 })), {
      maxLength: 1,
    }),
    band: fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined }),
    quantity: fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined }),
  })
  .map(({ money, counts, band, quantity }) => ({
    ...Object.fromEntries(
      money.map(([name, units]) => [
        name,
        parseFixed(/Leverage|Margin/.test(name) ? shiftText(BigInt(units), 4) : String(units)),
      ]),
    ),
    ...Object.fromEntries(counts),
    ...(band === undefined
      ? undefined
      : { priceBand: { last: parseFixed(shiftText(BigInt(band), 4)) } }),
    ...(quantity === undefined
      ? undefined
      : { maxPositionQuantity: new Map([[SPOT.id, parseFixed(String(quantity))]]) }),
  }));

const aSomeView: fc.Arbitrary<ProtectionView> = fc
  .record({
    exposures: fc.array(
      fc.tuple(
        fc.constantFrom(SPOT, MARGIN, LINEAR, INVERSE),
        fc.constantFrom('long', 'short'),
        fc.integer({ min: 1, max: 30_000 }),
      ),
      { maxLength: 4 },
    ),
    usedMargin: fc.integer({ min: 0, max: 5_000 }),
    openOrders: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ exposures, usedMargin, openOrders }) =>
    aView({
      exposures: exposures.map(([instrument, direction, notional]) =>
        anExposure(String(notional), { instrument, direction }),
      ),
      usedMargin: String(usedMargin),
      openOrders,
      priceTime: NOW,
    }),
  );

function ask(asked: RiskCase, config: ProtectionConfig, view: ProtectionView): RiskDecision {
  const policy = { ...asked.policy, guards: createGuards(config, view) };
  return assess(asked.proposal, asked.rules, asked.account, policy);
}

function totalOf(decision: RiskDecision): Fixed {
  if (decision.kind === 'refused') return 0n;
  return decision.orders.reduce((sum, { quantity }) => sum + quantity, 0n);
}

describe('guards: laws', () => {
  it('refuse and pass at least a fifth each of the entries that pass without guards', () => {
    const counts = { approved: 0, refused: 0 };

    const counted = { seed: 1, numRuns: lawRuns() * 4 };
    const sample = fc.sample(fc.tuple(aRiskCase, aConfig, aSomeView), counted);
    for (const [asked, config, view] of sample) {
      if (asked.proposal.action === 'close' || ask(asked, {}, view).kind === 'refused') continue;
      counts[ask(asked, config, view).kind] += 1;
    }

    const asked = counts.approved + counts.refused;
    expect(counts.approved).toBeGreaterThanOrEqual(asked / 5);
    expect(counts.refused).toBeGreaterThanOrEqual(asked / 5);
  });

  it('guards never change an order, they only refuse it', () => {
    fc.assert(
      fc.property(aRiskCase, aConfig, aSomeView, (asked, config, view) => {
        const guarded = ask(asked, config, view);

        const open = ask(asked, {}, view);
        if (guarded.kind === 'approved') expect(guarded).toEqual(open);
      }),
      runs,
    );
  });

  it('exits are never blocked by entry guards', () => {
    fc.assert(
      fc.property(aRiskCase, aConfig, aSomeView, (asked, config, view) => {
        const proposal = { ...asked.proposal, action: 'close' as const };

        const guarded = ask({ ...asked, proposal }, config, view);

        expect(guarded).toEqual(ask({ ...asked, proposal }, {}, view));
      }),
      runs,
    );
  });

  it('tightening a protection never approves more', () => {
    fc.assert(
      fc.property(
        aRiskCase,
        aConfig,
        aSomeView,
        fc.integer({ min: 0, max: 9 }),
        (asked, config, view, tenths) => {
          const tight = tighten(config, tenths);

          expect(totalOf(ask(asked, tight, view)) <= totalOf(ask(asked, config, view))).toBe(true);
        },
      ),
      runs,
    );
  });
});

/** Every limit at `tenths` tenths of its value, and never 0. */
function tighten(config: ProtectionConfig, tenths: number): ProtectionConfig {
  const less = (limit: Fixed): Fixed => (limit * BigInt(tenths)) / 10n || 1n;
  const tightened = Object.entries(config).map(([name, limit]: [string, unknown]) => {
    if (typeof limit === 'bigint') return [name, less(limit)];
    if (typeof limit === 'number') return [name, Math.max(1, Math.floor((limit * tenths) / 10))];
    return [name, limit];
  });
  return {
    ...(Object.fromEntries(tightened) as ProtectionConfig),
    ...(config.priceBand?.last !== undefined && {
      priceBand: { last: less(config.priceBand.last) },
    }),
  };
}
