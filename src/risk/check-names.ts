/** Checks of the venue, in the order in which they run. */
export const VENUE_CHECKS = [
  'no-rules',
  'not-tradable',
  'spot-short',
  'invalid-size',
  'time-in-force',
  'invalid-price',
  'no-price',
  'inverse-market-open',
  'no-stop',
  'nothing-to-close',
  'self-trade',
  'min-order-quantity',
  'min-order-money',
  'leverage-tier',
  'insufficient-balance',
  'stop-beyond-liquidation',
  'max-order-quantity',
  'max-order-money',
  'max-working-orders',
  'client-order-id',
] as const;

/** Protections of the operator, in the order in which they run. */
export const PROTECTION_CHECKS = [
  'halted',
  'reduce-only',
  'degraded',
  'trading-hours',
  'funding-block',
  'stale-data',
  'price-band',
  'stop-cooldown',
  'entry-interval',
  'orders-per-minute',
  'orders-per-day',
  'max-open-orders',
  'max-total-open-orders',
  'max-open-positions',
  'max-order-notional',
  'max-position-quantity',
  'max-position-notional',
  'max-asset-exposure',
  'max-net-exposure',
  'max-total-notional',
  'max-leverage',
  'max-margin-use',
] as const;

/** Why a refusal was made: a stable name, explained in docs/risk.md. */
export type CheckName = (typeof VENUE_CHECKS)[number] | (typeof PROTECTION_CHECKS)[number];
