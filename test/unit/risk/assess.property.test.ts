import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  decimal,
  decimalFromFixed,
  formatFixed,
  maxFixed,
  multiplyFixed,
  orderMargin,
  outlayOfBuy,
  powerOfTen,
  resolveRules,
  type ApprovedDecision,
  type FeeRates,
  type Fixed,
  type InstrumentRules,
  type OrderRequest,
  type ResolvedRules,
  type RiskDecision,
  type Size,
} from '../../../src/domain/index.js';
import { assess, type RiskAccount } from '../../../src/risk/index.js';
import { aRiskCase, type RiskCase } from '../../support/risk/arbitraries.js';
import { moneyIn, objections } from '../../support/risk/oracle.js';
import { lawRuns } from '../../support/runs.js';

const runs = { numRuns: lawRuns() };

const ask = ({ proposal, rules, account, policy }: RiskCase): RiskDecision =>
  assess(proposal, rules, account, policy);

/** Checks a law on those generated cases that are approved. */
function whenApproved(law: (decision: ApprovedDecision, asked: RiskCase) => void): void {
  fc.assert(
    fc.property(aRiskCase, (asked) => {
      const decision = ask(asked);
      if (decision.kind === 'approved') law(decision, asked);
    }),
    runs,
  );
}

function totalOf(decision: RiskDecision): Fixed {
  if (decision.kind === 'refused') return 0n;
  return decision.orders.reduce((sum, order) => sum + order.quantity, 0n);
}

function firstOf({ orders }: ApprovedDecision): OrderRequest {
  const [first] = orders;
  if (first === undefined) throw new Error('expected an approval to hold an order');
  return first;
}

const wasSwept = ({ changes }: ApprovedDecision): boolean =>
  changes.some(({ kind }) => kind === 'swept');

describe('assess: laws', () => {
  it('approves and refuses at least a fifth of the generated cases each', () => {
    const counts = { approved: 0, refused: 0 };

    for (const asked of fc.sample(aRiskCase, { seed: 1, numRuns: lawRuns() }))
      counts[ask(asked).kind] += 1;

    expect(counts.approved).toBeGreaterThanOrEqual(lawRuns() / 5);
    expect(counts.refused).toBeGreaterThanOrEqual(lawRuns() / 5);
  });

  it('no approved order breaks a rule of its record', () => {
    whenApproved((decision, asked) => {
      const { rules, account, proposal } = asked;
      const working = account.workingOrders(proposal.instrument.id) + decision.orders.length;

      expect(decision.orders.flatMap((order) => objections(order, asked))).toEqual([]);
      expect(working).toBeLessThanOrEqual(rules.maxWorkingOrders ?? Infinity);
    });
  });

  it('a quantity never grows, unless a remainder was swept', () => {
    whenApproved((decision, { proposal }) => {
      if (!('quantity' in proposal.size) || wasSwept(decision)) return;

      expect(decimalFromFixed(totalOf(decision)).lte(decimal(proposal.size.quantity))).toBe(true);
    });
  });

  it('an entry never costs more than its notional or its share of equity', () => {
    whenApproved((decision, asked) => {
      const { proposal, account } = asked;
      if (proposal.action === 'close' || 'quantity' in proposal.size || 'all' in proposal.size)
        return;

      const money = decision.orders
        .map((order) => moneyIn(order, asked))
        .reduce((sum, one) => sum.add(one));

      const given =
        'notional' in proposal.size
          ? decimal(proposal.size.notional)
          : decimal('equity' in proposal.size ? proposal.size.equity : '0').mul(
              decimalFromFixed(account.equity()),
            );
      expect(money.lte(given)).toBe(true);
    });
  });

  it('the free balance covers the sum that the venue holds for all orders of an entry', () => {
    whenApproved((decision, asked) => {
      const { proposal, account, policy } = asked;
      const { instrument } = proposal;
      if (instrument.kind === 'margin' || proposal.action !== 'open') return;
      const fees = policy.fees(instrument.id, account.now);

      const needed = decision.orders.reduce((sum, order) => sum + heldFor(order, asked, fees), 0n);

      const asset = instrument.kind === 'futures' ? instrument.marginAsset : instrument.quote;
      expect(needed <= account.freeBalance(asset, instrument.kind)).toBe(true);
    });
  });

  it('exits together never sell more than is held', () => {
    whenApproved((decision, { proposal, account }) => {
      if (proposal.action === 'open') return;
      const { id } = proposal.instrument;
      const direction = proposal.side === 'sell' ? 'long' : 'short';

      const closing = account.closing(id, direction) + totalOf(decision);

      expect(closing <= account.held(id, direction)).toBe(true);
    });
  });

  it('a price is never worse than asked, and with nearest rounding within half a tick', () => {
    whenApproved((decision, { proposal, rules }) => {
      const order = firstOf(decision);
      if (order.type === 'market' || proposal.limitPrice === undefined) return;
      const asked = decimal(proposal.limitPrice);
      const price = decimalFromFixed(order.limitPrice);

      if (proposal.priceRounding === 'nearest') {
        expect(price.sub(asked).abs().mul(2).lte(decimalFromFixed(rules.tick))).toBe(true);
      } else {
        expect(proposal.side === 'buy' ? price.lte(asked) : price.gte(asked)).toBe(true);
      }
    });
  });

  it('assessing an approved order again changes nothing', () => {
    whenApproved((decision, asked) => {
      const order = firstOf(decision);
      // A margin short at MARKET in base comes from a size in money only. No proposal names exactly its quantity.
      if (order.type === 'market' && order.unit === 'base' && order.action === 'open') return;

      const again = ask({ ...asked, proposal: proposalOf(order, asked) });

      if (again.kind === 'refused') throw new Error(again.refusal.text);
      const changes = again.changes.filter(({ kind }) => kind !== 'dust-left');
      expect([again.orders, changes]).toEqual([[order], []]);
    });
  });

  it('splitting conserves the quantity, in legs that differ by one step at most', () => {
    fc.assert(
      fc.property(aRiskCase, (asked) => {
        const split = ask(asked);
        if (split.kind === 'refused' || !split.changes.some(({ kind }) => kind === 'split')) return;
        const whole = ask({ ...asked, rules: withoutMaxima(asked.rules) });

        const legs = split.orders.map(({ quantity }) => quantity);
        const step = firstOf(split).unit === 'quote' ? powerOfTen(10) : asked.rules.step;
        expect(totalOf(split)).toBe(totalOf(whole));
        expect((legs[0] ?? 0n) - (legs.at(-1) ?? 0n) <= step).toBe(true);
        expect(legs).toEqual([...legs].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
      }),
      { numRuns: lawRuns() * 3 },
    );
  });

  it('tightening a limit never approves more', () => {
    fc.assert(
      fc.property(aRiskCase, aTightening, (asked, tighten) => {
        const loose: RiskCase = { ...asked, policy: { ...asked.policy, dust: 'leave' } };
        const tight = tighten(loose);
        if (tight === undefined) return;

        expect(totalOf(ask(tight)) <= totalOf(ask(loose))).toBe(true);
      }),
      { numRuns: lawRuns() * 2 },
    );
  });

  it('a suggested size passes the check that refused', () => {
    fc.assert(
      fc.property(aRiskCase, (asked) => {
        const decision = ask(asked);
        if (decision.kind === 'refused') expectPassing(decision.refusal, asked);
      }),
      runs,
    );
  });

  it('an exit is never refused for lack of money', () => {
    fc.assert(
      fc.property(aRiskCase, (asked) => {
        const decision = ask({ ...asked, proposal: { ...asked.proposal, action: 'close' } });

        const check = decision.kind === 'refused' ? decision.refusal.check : undefined;
        expect(check).not.toBe('insufficient-balance');
      }),
      runs,
    );
  });

  it('gives a verdict on any value that a plugin passes', () => {
    const aThing = fc.anything({ withBigInt: true, withNullPrototype: true });
    fc.assert(
      fc.property(aRiskCase, aThing, aThing, (asked, size, limitPrice) => {
        const proposals = [
          { ...asked.proposal, size: size as Size },
          { ...asked.proposal, size: { quantity: size } as unknown as Size },
          { ...asked.proposal, limitPrice: limitPrice as string },
        ];

        const kinds = proposals.map((proposal): string => ask({ ...asked, proposal }).kind);

        expect(['approved', 'refused']).toEqual(expect.arrayContaining(kinds));
      }),
      runs,
    );
  });
});

function withoutMaxima(rules: ResolvedRules): ResolvedRules {
  const open = Object.entries(rules).filter(([name]) => !/^max(Market|Limit)/.test(name));
  return Object.fromEntries(open) as unknown as ResolvedRules;
}

/** The proposal that asks for exactly this order. */
function proposalOf(order: OrderRequest, { proposal }: RiskCase): RiskCase['proposal'] {
  const { intentId, instrument, side, action, clientOrderId } = proposal;
  const rest = { intentId, instrument, side, action, clientOrderId };
  const quantity = formatFixed(order.quantity);
  const size: Size = order.unit === 'quote' ? { notional: quantity } : { quantity };
  if (order.type === 'market') return { ...rest, size };
  const { limitPrice, timeInForce } = order;
  return { ...rest, size, limitPrice: formatFixed(limitPrice), timeInForce };
}

type Tightening = (asked: RiskCase) => RiskCase | undefined;

/** The amount that the simulated venue holds for an entry: the outlay of a buy, or the margin of contracts. */
function heldFor(order: OrderRequest, { proposal, account }: RiskCase, fees: FeeRates): Fixed {
  const { instrument } = proposal;
  const last = account.lastPrice(instrument.id) ?? 0n;
  const price = order.type === 'limit' ? order.limitPrice : last;
  const isQuote = order.unit === 'quote';
  if (instrument.kind !== 'futures') {
    return outlayOfBuy(isQuote ? order.quantity : multiplyFixed(price, order.quantity), fees);
  }
  const one = multiplyFixed(price, instrument.multiplier);
  const contracts = isQuote ? (order.quantity / one) * powerOfTen(18) : order.quantity;
  return orderMargin(instrument, {
    direction: order.side === 'buy' ? 'long' : 'short',
    contracts,
    price,
    mark: account.markPrice(instrument.id) ?? last,
    leverage: instrument.leverage,
    feeRate: maxFixed(fees.maker, fees.taker),
  }).total;
}

/** Makes one limit stricter by a percentage. Undefined if the limit is absent or would contradict another. */
const aTightening: fc.Arbitrary<Tightening> = fc
  .tuple(
    fc.constantFrom(
      'minOrderQuantity',
      'minOrderMoney',
      'maxMarketQuantity',
      'maxMarketMoney',
      'maxLimitQuantity',
      'maxWorkingOrders',
      'tradable',
      'freeBalance',
    ),
    fc.integer({ min: 1, max: 99 }),
  )
  .map(([name, percent]) => (asked) => {
    if (name === 'freeBalance') return withLessFree(asked, percent);
    const rules = tighterRules(asked.rules, name, percent);
    return rules === undefined ? undefined : { ...asked, rules };
  });

function tighterRules(
  rules: ResolvedRules,
  name: keyof InstrumentRules,
  percent: number,
): ResolvedRules | undefined {
  const limit = rules[name];
  if (name === 'tradable') return { ...rules, tradable: false };
  if (name === 'maxWorkingOrders') {
    return { ...rules, maxWorkingOrders: Math.max(1, (rules.maxWorkingOrders ?? 40) - percent) };
  }
  if (typeof limit !== 'bigint') return undefined;
  const factor = name.startsWith('min') ? 100 + percent : 100 - percent;
  try {
    return resolveRules({ ...rules, [name]: (limit * BigInt(factor)) / 100n });
  } catch {
    return undefined;
  }
}

/** Reduces the free balance. Undefined for exits and shares of equity: the balance is not their limit, it gives their size. */
function withLessFree(asked: RiskCase, percent: number): RiskCase | undefined {
  const { account, proposal } = asked;
  if (proposal.action === 'close' || 'equity' in proposal.size) return undefined;
  const freeBalance: RiskAccount['freeBalance'] = (...of) =>
    (account.freeBalance(...of) * BigInt(100 - percent)) / 100n;
  return { ...asked, account: { ...account, freeBalance } };
}

const SIZE_CHECKS = [
  'min-order-quantity',
  'min-order-money',
  'insufficient-balance',
  'max-order-quantity',
  'max-order-money',
];

function expectPassing(
  refusal: { readonly check: string; readonly wouldPass?: string; readonly wouldPassUnit?: string },
  asked: RiskCase,
): void {
  const { wouldPass, wouldPassUnit } = refusal;
  const { proposal } = asked;
  if (wouldPass === undefined || !SIZE_CHECKS.includes(refusal.check)) return;
  const inQuote = wouldPassUnit === proposal.instrument.quote;
  // A MARKET order in money is not the same kind as one in quantity, so the advice is only tried in the unit of the proposal.
  if (!inQuote && !('quantity' in proposal.size) && proposal.limitPrice === undefined) return;
  const size: Size = inQuote ? { notional: wouldPass } : { quantity: wouldPass };
  // Legs of a split are judged one by one, but the advice is about a single order.
  const policy = { ...asked.policy, tooLarge: { entries: 'clamp', exits: 'clamp' } as const };

  const again = ask({ ...asked, policy, proposal: { ...proposal, size } });

  expect(decimal(wouldPass).gt(0)).toBe(true);
  expect(again.kind === 'refused' ? again.refusal.check : 'approved').not.toBe(refusal.check);
}
