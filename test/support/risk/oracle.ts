import {
  decimal,
  decimalFromFixed,
  type Decimal,
  type Fixed,
  type OrderRequest,
} from '../../../src/domain/index.js';
import type { RiskCase } from './arbitraries.js';

/** Money in one order by plain decimal.js: the quote amount, or quantity × price × face value. */
export function moneyIn(order: OrderRequest, { proposal, account }: RiskCase): Decimal {
  const quantity = decimalFromFixed(order.quantity);
  const { instrument } = proposal;
  if (order.unit === 'quote') return quantity;
  if (instrument.kind === 'futures' && instrument.contract === 'inverse') {
    return quantity.mul(decimalFromFixed(instrument.multiplier));
  }
  const last = account.lastPrice(instrument.id) ?? 0n;
  const price = decimalFromFixed(order.type === 'limit' ? order.limitPrice : last);
  const face = instrument.kind === 'futures' ? decimalFromFixed(instrument.multiplier) : 1;
  return quantity.mul(price).mul(face);
}

/** The venue's own checks of one order, written independently with decimal.js. Returns its objections. */
export function objections(order: OrderRequest, asked: RiskCase): readonly string[] {
  const { rules, proposal } = asked;
  const { instrument } = proposal;
  const found: string[] = [];
  const quantity = decimalFromFixed(order.quantity);
  const money = moneyIn(order, asked);
  const last = decimalFromFixed(asked.account.lastPrice(instrument.id) ?? 0n);
  const face =
    instrument.kind === 'futures' ? decimalFromFixed(instrument.multiplier) : decimal('1');
  const base =
    order.unit === 'quote'
      ? quantity.div(last.mul(face)).toDecimalPlaces(rules.quantityPrecision, 1)
      : quantity;
  const grid = order.unit === 'quote' ? 8 : rules.quantityPrecision;
  const exceeds = (value: Decimal, limit: Fixed | undefined): boolean =>
    limit !== undefined && value.gt(decimalFromFixed(limit));
  const misses = (value: Decimal, limit: Fixed | undefined): boolean =>
    limit !== undefined && value.lt(decimalFromFixed(limit));

  if (!rules.tradable) found.push('tradable');
  if (quantity.lte(0) || base.lte(0) || quantity.decimalPlaces() > grid) found.push('step');
  if (misses(base, rules.minOrderQuantity)) found.push('minOrderQuantity');
  if (misses(money, rules.minOrderMoney)) found.push('minOrderMoney');
  if (order.type === 'limit') {
    const price = decimalFromFixed(order.limitPrice);
    if (price.lte(0) || price.decimalPlaces() > rules.pricePrecision) found.push('tick');
    if (exceeds(base, rules.maxLimitQuantity)) found.push('maxLimitQuantity');
    if (instrument.kind !== 'futures' && order.timeInForce !== 'GTC') found.push('timeInForce');
  } else {
    if (exceeds(base, rules.maxMarketQuantity)) found.push('maxMarketQuantity');
    if (exceeds(money, rules.maxMarketMoney)) found.push('maxMarketMoney');
  }
  if (order.clientOrderId.length >= 32) found.push('clientOrderId');
  return found;
}
