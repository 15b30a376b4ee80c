import {
  amountText,
  FIXED_ONE,
  formatFixed,
  maxFixed,
  minFixed,
  multiplyFixed,
  type Fixed,
  type QuantityUnit,
  type ResolvedRules,
  type RiskChange,
  type Side,
  type TimeInForce,
} from '../domain/index.js';
import { knownPrice, type RiskAccount } from './account.js';
import { isPositive, readAmount, roundPrice } from './size/amount.js';
import { roundingChange } from './size/changes.js';
import { valueOfOne } from './size/money.js';
import type { RiskPolicy } from './policy.js';
import type { OrderProposal } from './proposal.js';
import { createRefusal, describeInput, type Refused } from './refusal.js';

/**
 * How an intent is sent to this venue: the type of the order, the unit of its quantity, and the price that measures it. All terms have one object
 * shape.
 */
export type OrderTerms = MarketOrderTerms | LimitTerms;

interface CommonTerms {
  readonly proposal: OrderProposal;
  readonly rules: ResolvedRules;
  readonly unit: QuantityUnit;
  readonly change: RiskChange | undefined;
}

interface MarketOrderTerms extends CommonTerms {
  readonly type: 'market';
  /** The last price, if known. */
  readonly price: Fixed | undefined;
  readonly timeInForce: undefined;
}

interface LimitTerms extends CommonTerms {
  readonly type: 'limit';
  /** The limit price of the order. */
  readonly price: Fixed;
  readonly timeInForce: TimeInForce;
}

/**
 * Settles type, unit, price and time in force (DESIGN R7): with a limit price LIMIT; an exit MARKET in quantity; money MARKET with a quote amount; a
 * quantity without a price LIMIT at last × (1 ± marketBand) and at least a tick from last, on futures IOC. The band is also used if the venue takes
 * only a quote amount but the quantity must be exact (closing a margin short).
 */
export function settleTerms(
  proposal: OrderProposal,
  rules: ResolvedRules,
  account: RiskAccount,
  policy: RiskPolicy,
): OrderTerms | Refused {
  if (proposal.limitPrice !== undefined) return atLimit(proposal, rules);
  const { instrument, side, action, size } = proposal;
  const last = knownPrice(account, instrument.id);
  const isFutures = instrument.kind === 'futures';
  if (action === 'close' && (isFutures || side === 'sell')) {
    return atMarket(proposal, rules, isFutures ? 'contracts' : 'base', last);
  }
  if (last === undefined) return refuseWithoutPrice(proposal);
  if (action === 'open' && ('notional' in size || 'equity' in size)) {
    if (isFutures && instrument.contract === 'inverse') return refuseInverse(proposal);
    const unit = isFutures || side === 'buy' ? 'quote' : 'base';
    return atMarket(proposal, rules, unit, last);
  }
  return atBand(proposal, rules, last, policy.marketBand);
}

/**
 * Value of a quantity of 1 at the price, in quote; undefined without a price, which only MARKET exits may lack. Computed on demand, because most
 * orders of contracts meet no limit in money.
 */
export function costOfOne({ proposal, price }: OrderTerms): Fixed | undefined {
  return price === undefined ? undefined : valueOfOne(proposal.instrument, price);
}

function atLimit(proposal: OrderProposal, rules: ResolvedRules): OrderTerms | Refused {
  const { instrument, side, limitPrice, priceRounding = 'never-worse' } = proposal;
  const asked = limitPrice === undefined ? undefined : readAmount(limitPrice);
  if (asked === undefined || !isPositive(asked)) return refusePrice(proposal, rules);
  const price = roundPrice(asked, rules, side, priceRounding);
  if (price === 0n) return refusePrice(proposal, rules);
  return {
    proposal,
    rules,
    type: 'limit',
    unit: instrument.kind === 'futures' ? 'contracts' : 'base',
    price,
    timeInForce: proposal.timeInForce ?? 'GTC',
    change: roundingChange('limitPrice', asked, price),
  };
}

function atMarket(
  proposal: OrderProposal,
  rules: ResolvedRules,
  unit: QuantityUnit,
  last: Fixed | undefined,
): OrderTerms {
  return {
    proposal,
    rules,
    type: 'market',
    unit,
    price: last,
    timeInForce: undefined,
    change: undefined,
  };
}

function atBand(
  proposal: OrderProposal,
  rules: ResolvedRules,
  last: Fixed,
  band: Fixed,
): OrderTerms | Refused {
  const { instrument, side, timeInForce } = proposal;
  const edge = multiplyFixed(last, side === 'buy' ? FIXED_ONE + band : FIXED_ONE - band);
  if (edge <= 0n) return refuseBand(proposal, rules, last, band);
  const price = atLeastOneTick(roundPrice(edge, rules, side, 'never-worse'), last, rules, side);
  if (price === 0n) return refuseBand(proposal, rules, last, band);
  const isFutures = instrument.kind === 'futures';
  return {
    proposal,
    rules,
    type: 'limit',
    unit: isFutures ? 'contracts' : 'base',
    price,
    timeInForce: isFutures && timeInForce !== 'FOK' ? 'IOC' : (timeInForce ?? 'GTC'),
    change: undefined,
  };
}

/**
 * Moves the price to at least one tick beyond the last price. A band narrower than a tick would round to the last price itself, where the order may
 * not fill, so that a short on margin could not be closed. The price of a sale stays above 0.
 */
function atLeastOneTick(price: Fixed, last: Fixed, rules: ResolvedRules, side: Side): Fixed {
  const { tick } = rules;
  const distance = side === 'buy' ? price - last : last - price;
  if (distance >= tick) return price;
  const nearest = roundPrice(last, rules, side, 'never-worse');
  if (side === 'buy') return maxFixed(price, nearest + tick);
  return nearest > tick ? minFixed(price, nearest - tick) : price;
}

function refuseBand(
  { instrument, side }: OrderProposal,
  { tick }: ResolvedRules,
  last: Fixed,
  band: Fixed,
): Refused {
  const { quote } = instrument;
  const edge = `last ${side === 'buy' ? 'plus' : 'less'} marketBand, ${formatFixed(last)} × (1 ${side === 'buy' ? '+' : '-'} ${formatFixed(band)})`;
  return createRefusal({
    check: 'invalid-price',
    limit: tick,
    actual: 'last price × (1 ± marketBand)',
    unit: quote,
    text: `the order has no limit price and goes out at ${edge}, which is below one tick of ${amountText(tick, quote)}: give a limit price, or a smaller risk.marketBand`,
  });
}

function refusePrice(proposal: OrderProposal, rules: ResolvedRules): Refused {
  const received = describeInput(proposal.limitPrice);
  return createRefusal({
    check: 'invalid-price',
    limit: rules.tick,
    actual: received,
    unit: proposal.instrument.quote,
    text: `expected a limit price of at least one tick as decimal text such as "100.5", received ${received}`,
    wouldPass: { value: rules.tick, unit: proposal.instrument.quote },
  });
}

export function refuseWithoutPrice({ instrument }: OrderProposal): Refused {
  return createRefusal({
    check: 'no-price',
    limit: 'a last price',
    actual: 'none',
    unit: instrument.quote,
    text: `no price of ${instrument.id} is known yet: give a limit price, or wait for the first candle`,
  });
}

function refuseInverse({ instrument }: OrderProposal): Refused {
  return createRefusal({
    check: 'inverse-market-open',
    limit: 'LIMIT',
    actual: 'MARKET',
    unit: 'order type',
    text: `${instrument.id} is inverse, and the venue does not say what a MARKET order that opens counts there: size it in contracts, or give a limit price with IOC`,
  });
}
