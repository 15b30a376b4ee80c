import { FIXED_ONE, type Fixed, type ResolvedRules } from '../../domain/index.js';
import { floorPositive } from '../size/money.js';
import { sentStep } from '../order-draft.js';
import { costOfOne, type OrderTerms } from '../terms.js';

/** An upper limit of the venue, as it applies to one order. */
export interface Maximum {
  readonly check: 'max-order-quantity' | 'max-order-money';
  /** As in the venue's record: base or contracts, or quote. */
  readonly limit: Fixed;
  /** Largest single order on the grid, in the unit of the terms. */
  readonly most: Fixed;
}

/**
 * Finds the maximum that binds first; undefined if there is none. A MARKET order has one in quantity and one in money, at the last price; a LIMIT
 * order has one in quantity.
 */
export function tightestMaximum(terms: OrderTerms, rules: ResolvedRules): Maximum | undefined {
  const most = terms.type === 'limit' ? rules.maxLimitQuantity : rules.maxMarketQuantity;
  const quantity = most === undefined ? undefined : byQuantity(terms, rules, most);
  if (terms.type === 'limit' || rules.maxMarketMoney === undefined) return quantity;
  const money = byMoney(terms, rules, rules.maxMarketMoney);
  if (quantity === undefined || money === undefined) return quantity ?? money;
  return money.most < quantity.most ? money : quantity;
}

function byQuantity(terms: OrderTerms, rules: ResolvedRules, limit: Fixed): Maximum {
  const inUnit = terms.unit === 'quote' ? (limit * (costOfOne(terms) ?? 0n)) / FIXED_ONE : limit;
  return {
    check: 'max-order-quantity',
    limit,
    most: floorPositive(inUnit, sentStep(terms, rules)),
  };
}

function byMoney(terms: OrderTerms, rules: ResolvedRules, limit: Fixed): Maximum | undefined {
  const oneCosts = costOfOne(terms);
  if (oneCosts === undefined) return undefined;
  const inUnit = terms.unit === 'quote' ? limit : (limit * FIXED_ONE) / oneCosts;
  return { check: 'max-order-money', limit, most: floorPositive(inUnit, sentStep(terms, rules)) };
}
