import {
  divideFixed,
  FIXED_ONE,
  isInverse,
  multiplyFixed,
  type Asset,
  type Fixed,
} from '../../domain/index.js';
import { knownPrice, type RiskAccount } from '../account.js';
import type { OrderDraft } from '../order-draft.js';
import { createRefusal, type Refused } from '../refusal.js';
import { costOfOne } from '../terms.js';

/** An amount of an asset in the equity currency; undefined while the value of the asset is unknown. */
function toEquityCurrency(account: RiskAccount, asset: Asset, amount: Fixed): Fixed | undefined {
  if (asset === account.equityCurrency) return amount;
  const worth = knownWorth(account, asset);
  return worth === undefined ? undefined : multiplyFixed(amount, worth);
}

/** An amount ≥ 0 of the equity currency in an asset, rounded down; undefined while the value of the asset is unknown. */
export function fromEquityCurrency(
  account: RiskAccount,
  asset: Asset,
  amount: Fixed,
): Fixed | undefined {
  if (asset === account.equityCurrency) return amount;
  const worth = knownWorth(account, asset);
  return worth === undefined ? undefined : (amount * FIXED_ONE) / worth;
}

function knownWorth(account: RiskAccount, asset: Asset): Fixed | undefined {
  const worth = account.worthOf(asset);
  return worth !== undefined && worth > 0n ? worth : undefined;
}

/** Value of an order in the equity currency, at its price, for MARKET at the last price; undefined while it is unknown. */
export function worthOfOrder(draft: OrderDraft, account: RiskAccount): Fixed | undefined {
  const { terms, sent, quantity, proposal } = draft;
  const { instrument } = proposal;
  const money = terms.unit === 'quote' ? sent : multiplyFixed(quantity, costOfOne(terms) ?? 0n);
  if (!isInverse(instrument)) return toEquityCurrency(account, instrument.quote, money);
  // The value in coins falls as the price rises. The last price is used, because positions are valued at it, too.
  const price = knownPrice(account, instrument.id) ?? terms.price ?? FIXED_ONE;
  return toEquityCurrency(account, instrument.marginAsset, divideFixed(money, price));
}

export function refuseWithoutWorth(asset: Asset, { equityCurrency }: RiskAccount): Refused {
  return createRefusal({
    check: 'no-price',
    limit: 'a price',
    actual: 'none',
    unit: equityCurrency,
    text: `nobody knows yet what ${asset} is worth in ${equityCurrency}: wait for the first candle of the instrument that prices it`,
  });
}
