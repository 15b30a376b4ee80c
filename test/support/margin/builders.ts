import {
  formatFixed,
  parseFixed,
  parseUtc,
  type Asset,
  type Fixed,
  type Flows,
} from '../../../src/domain/index.js';
import { MarginLedger, type MarginLedgerOptions } from '../../../src/simulator/index.js';

/** 2025-01-01T00:00:00Z, a UTC hour. */
export const MIDNIGHT = parseUtc('2025-01-01');

/** Amounts by asset, as decimal text. */
export type Amounts = Readonly<Record<Asset, string>>;

export function fixedMap(amounts: Amounts): ReadonlyMap<Asset, Fixed> {
  return new Map(Object.entries(amounts).map(([asset, text]) => [asset, parseFixed(text)]));
}

/** A margin account in USDT with 1,000 USDT. A loan costs 0.001 % per hour. */
export function aMarginLedger(
  balances: Amounts = { USDT: '1000' },
  options: Partial<MarginLedgerOptions> = {},
): MarginLedger {
  return new MarginLedger({
    balances: fixedMap(balances),
    currency: 'USDT',
    hourlyRate: () => parseFixed('0.00001'),
    ...options,
  });
}

/** Leverage and prices in USDT, in the form that a ledger takes. */
export function termsOf(
  leverage: string,
  prices: Amounts,
): { readonly leverage: Fixed; readonly priceOf: (asset: Asset) => Fixed } {
  return { leverage: parseFixed(leverage), priceOf: pricesOf(prices) };
}

export function pricesOf(prices: Amounts): (asset: Asset) => Fixed {
  return (asset) => parseFixed(prices[asset] ?? '0');
}

export function flows(amounts: Amounts): Flows {
  return fixedMap(amounts);
}

/** Free, locked, principal and interest of an asset in one line: `free 1 locked 2 owes 3 + 0.5`. */
export function lineOf(ledger: MarginLedger, asset: Asset): string {
  const { principal, interest } = ledger.debt(asset);
  return `free ${formatFixed(ledger.free(asset))} locked ${formatFixed(ledger.locked(asset))} owes ${formatFixed(principal)} + ${formatFixed(interest)}`;
}
