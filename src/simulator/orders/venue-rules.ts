import {
  formatFixed,
  isOnStep,
  type Fixed,
  type Instrument,
  type OrderReason,
  type OrderRequest,
  type QuantityUnit,
  type ResolvedRules,
} from '../../domain/index.js';
import { moneyOf } from '../accounts/money.js';
import { publishedPrice, type PathPrice } from '../path/candle-path.js';

/** Codes of the venue's error table, by their meaning here. Source: exchange facts, error codes. */
export const VENUE_CODES = {
  unsupportedCombination: '-1014',
  tooManyOrders: '-1015',
  precision: '-1111',
  badSymbol: '-1121',
  belowMinimumQuantity: '-1136',
  aboveMaximumQuantity: '-1137',
  notTradable: '-1146',
  unsupportedContract: '-1147',
  leverageTooHigh: '-1153',
  closeExceedsPosition: '-1156',
  belowMinimumMoney: '-1160',
  aboveMaximumMoney: '-1161',
  otherMarginMode: '-1165',
  unknownOrder: '-2013',
  insufficientBalance: '-2017',
  badParameter: '-2100',
  /** A business code outside of the table. */
  closeExceedsRest: '10015',
} as const;

/** The result for earlier orders under these rules: most orders have the same quantity as the one before. */
export interface FoundByRules {
  /** The last quantity that was found to be a multiple of the step. */
  quantity: Fixed;
}

/** The facts about an order's market that the rules need. */
interface RuleContext {
  readonly place: {
    readonly instrument: Instrument;
    readonly rules: ResolvedRules;
    readonly found: FoundByRules;
  };
  /** The published price at this point of the path values orders without a price. */
  readonly path: PathPrice;
}

/**
 * Checks an order against the venue's own rules. `workingOrders` is the number of working orders that the instrument has already. Returns why the
 * order is rejected, or undefined.
 */
export function findRuleViolation(
  request: OrderRequest,
  context: RuleContext,
  workingOrders: number,
): OrderReason | undefined {
  const { rules, instrument } = context.place;
  if (!rules.tradable) return reason('notTradable', 'the instrument is not tradable now');
  const unsupported = findUnsupported(request, instrument);
  if (unsupported !== undefined) return unsupported;
  if (request.quantity <= 0n) return reason('belowMinimumQuantity', 'expected a quantity > 0');
  const { maxWorkingOrders } = rules;
  if (maxWorkingOrders !== undefined && workingOrders >= maxWorkingOrders) {
    return reason('tooManyOrders', `expected at most ${String(maxWorkingOrders)} working orders`);
  }
  return request.unit === 'quote'
    ? findMoneyViolation(request.quantity, rules)
    : findQuantityViolation(request, context);
}

/** Finds orders that the interface cannot express, or that do not fit the settings of the account (DESIGN R7). */
function findUnsupported(request: OrderRequest, instrument: Instrument): OrderReason | undefined {
  const { kind } = instrument;
  const unit = unitOf(request, kind);
  if (request.unit !== unit) {
    const what = kind === 'futures' ? request.action : request.side;
    return reason(
      'unsupportedCombination',
      `expected a ${kind} ${request.type} ${what} in ${unit}, received ${request.unit}`,
    );
  }
  if (instrument.kind !== 'futures') return undefined;
  if (unit === 'quote' && instrument.contract === 'inverse')
    return reason('unsupportedContract', 'an inverse contract is opened by LIMIT orders only');
  const { marginMode } = instrument;
  if ((request.marginMode ?? marginMode) !== marginMode)
    return reason(
      'otherMarginMode',
      `expected the account's margin mode ${marginMode}, received ${String(request.marginMode)}`,
    );
  return undefined;
}

/** The unit of a quantity: quote for a MARKET order that opens or buys, otherwise contracts or base. */
function unitOf({ type, action, side }: OrderRequest, kind: Instrument['kind']): QuantityUnit {
  const opens = kind === 'futures' ? action === 'open' : side === 'buy';
  if (type === 'market' && opens) return 'quote';
  return kind === 'futures' ? 'contracts' : 'base';
}

function findQuantityViolation(
  request: OrderRequest,
  { place, path }: RuleContext,
): OrderReason | undefined {
  const { instrument, rules, found } = place;
  const { quantity } = request;
  if (quantity !== found.quantity && !isOnStep(quantity, rules.step))
    return reason(
      'precision',
      `expected a multiple of ${formatFixed(rules.step)}, received ${formatFixed(quantity)}`,
    );
  found.quantity = quantity;
  if (
    request.type === 'limit' &&
    (request.limitPrice <= 0n || !isOnStep(request.limitPrice, rules.tick))
  ) {
    return reason(
      'precision',
      `expected a price > 0 on the tick ${formatFixed(rules.tick)}, received ${formatFixed(request.limitPrice)}`,
    );
  }
  if (quantity < (rules.minOrderQuantity ?? 0n)) {
    return reason(
      'belowMinimumQuantity',
      `expected at least ${formatFixed(rules.minOrderQuantity ?? 0n)}, received ${formatFixed(quantity)}`,
    );
  }
  const maximum = request.type === 'limit' ? rules.maxLimitQuantity : rules.maxMarketQuantity;
  if (maximum !== undefined && quantity > maximum) {
    return reason(
      'aboveMaximumQuantity',
      `expected at most ${formatFixed(maximum)}, received ${formatFixed(quantity)}`,
    );
  }
  if (rules.minOrderMoney === undefined) return undefined;
  const price = request.type === 'limit' ? request.limitPrice : publishedPrice(path, rules.tick);
  const money = moneyOf(instrument, quantity, price);
  return money < rules.minOrderMoney ? belowMoney(money, rules) : undefined;
}

function findMoneyViolation(money: Fixed, rules: ResolvedRules): OrderReason | undefined {
  if (money < (rules.minOrderMoney ?? 0n)) return belowMoney(money, rules);
  if (rules.maxMarketMoney !== undefined && money > rules.maxMarketMoney) {
    return reason(
      'aboveMaximumMoney',
      `expected at most ${formatFixed(rules.maxMarketMoney)}, received ${formatFixed(money)}`,
    );
  }
  return undefined;
}

/** Whether an order is refused only because it is too small. All other rules were checked before. */
export function isBelowMinimum({ code }: OrderReason): boolean {
  return code === VENUE_CODES.belowMinimumQuantity || code === VENUE_CODES.belowMinimumMoney;
}

function belowMoney(money: Fixed, rules: ResolvedRules): OrderReason {
  return reason(
    'belowMinimumMoney',
    `expected a value of at least ${formatFixed(rules.minOrderMoney ?? 0n)}, received ${formatFixed(money)}`,
  );
}

export function reason(code: keyof typeof VENUE_CODES, text: string): OrderReason {
  return { code: VENUE_CODES[code], text };
}
