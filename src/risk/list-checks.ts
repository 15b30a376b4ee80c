import { amountText, formatFixed, type Instrument, type ResolvedRules } from '../domain/index.js';
import type { CheckName } from './check-names.js';
import type { EntryGuard } from './protections/entry-guard.js';
import { smallestQuantity } from './legs/minimum.js';
import { quantityUnitName } from './size/money.js';
import type { RiskPolicy } from './policy.js';

/** A check that can refuse an order of one instrument, with its limit as text. */
export interface ActiveCheck {
  readonly name: CheckName;
  readonly limit: string;
}

/**
 * Lists the limits for an order of this instrument, in the order of the checks: first those of the venue's record, then the operator's protections.
 * Checks without a limit to configure (sizes, prices, time in force) are left out; docs/risk.md has all.
 */
export function listChecks(
  instrument: Instrument,
  rules: ResolvedRules,
  policy: RiskPolicy,
  guards: readonly EntryGuard[] = [],
): readonly ActiveCheck[] {
  const unit = quantityUnitName(instrument);
  const { entries, exits } = policy.tooLarge;
  const otherwise = `(entries ${entries}, exits ${exits})`;
  return [
    { name: 'not-tradable', limit: rules.tradable ? 'tradable' : 'not tradable' },
    { name: 'min-order-quantity', limit: amountText(smallestQuantity(undefined, rules), unit) },
    ...listed('min-order-money', rules.minOrderMoney, (limit) =>
      amountText(limit, instrument.quote),
    ),
    ...(instrument.kind === 'futures' && policy.tiers !== undefined
      ? [
          {
            name: 'leverage-tier',
            limit: `${formatFixed(instrument.leverage)} × as tiers allow`,
          } as const,
        ]
      : []),
    { name: 'insufficient-balance', limit: 'what is free, costs included' },
    ...guards.map(({ name, limit }) => ({ name, limit })),
    ...listed(
      'max-order-quantity',
      rules.maxLimitQuantity,
      (limit) => `LIMIT ${amountText(limit, unit)} ${otherwise}`,
    ),
    ...listed(
      'max-order-quantity',
      rules.maxMarketQuantity,
      (limit) => `MARKET ${amountText(limit, unit)} ${otherwise}`,
    ),
    ...listed(
      'max-order-money',
      rules.maxMarketMoney,
      (limit) => `MARKET ${amountText(limit, instrument.quote)} ${otherwise}`,
    ),
    ...listed('max-working-orders', rules.maxWorkingOrders, String),
  ];
}

function listed<T>(
  name: CheckName,
  limit: T | undefined,
  write: (limit: T) => string,
): readonly ActiveCheck[] {
  return limit === undefined ? [] : [{ name, limit: write(limit) }];
}
