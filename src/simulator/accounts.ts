import {
  present,
  type Asset,
  type Fixed,
  type Instrument,
  type ProductKind,
} from '../domain/index.js';
import type { FeeModel } from './models/fee.js';
import { SpotAccount } from './spot-account.js';
import type { TradingAccount } from './trading-account.js';

/** Starting amounts by product and asset. An account that is absent starts empty. */
export type AccountBalances = Readonly<Partial<Record<ProductKind, ReadonlyMap<Asset, Fixed>>>>;

const NOTHING: ReadonlyMap<Asset, Fixed> = new Map();

/** The accounts of one user at the venue: each product has its own, and money does not move between them. */
export class Accounts {
  readonly #byKind: ReadonlyMap<ProductKind, TradingAccount>;

  constructor(options: { readonly balances: AccountBalances; readonly fees: FeeModel }) {
    this.#byKind = new Map([
      ['spot', new SpotAccount(options.balances.spot ?? NOTHING, options.fees)],
    ]);
  }

  /** The account that an instrument is traded on. */
  of({ kind }: Instrument): TradingAccount {
    return present(this.#byKind.get(kind), `${kind} account`);
  }

  /** Everything owned, held parts included, by asset, over all accounts. */
  totals(): ReadonlyMap<Asset, Fixed> {
    const [first, ...others] = [...this.#byKind.values()].map((account) => account.totals());
    if (first === undefined || others.length === 0) return first ?? NOTHING;
    const sums = new Map(first);
    for (const totals of others)
      for (const [asset, amount] of totals) sums.set(asset, (sums.get(asset) ?? 0n) + amount);
    return sums;
  }

  /** What of an asset working orders hold, over all accounts. */
  locked(asset: Asset): Fixed {
    return [...this.#byKind.values()].reduce((sum, account) => sum + account.locked(asset), 0n);
  }
}
