import { InvariantError, formatFixed, type Asset, type Fixed } from '../domain/index.js';

/** Free and locked balances of one spot account at the venue. Neither is ever negative. */
export class SpotLedger {
  readonly #balances = new Map<Asset, { free: Fixed; locked: Fixed }>();

  constructor(balances: ReadonlyMap<Asset, Fixed>) {
    for (const [asset, free] of balances) this.#balances.set(asset, { free, locked: 0n });
  }

  free(asset: Asset): Fixed {
    return this.#balances.get(asset)?.free ?? 0n;
  }

  locked(asset: Asset): Fixed {
    return this.#balances.get(asset)?.locked ?? 0n;
  }

  /** Free and locked together, by asset. */
  totals(): ReadonlyMap<Asset, Fixed> {
    return new Map([...this.#balances].map(([asset, { free, locked }]) => [asset, free + locked]));
  }

  /** Adds to what is free, or takes from it when negative. */
  post(asset: Asset, amount: Fixed): void {
    const balance = this.#of(asset);
    balance.free += amount;
    this.#check(asset, balance);
  }

  /** Moves an amount from free to locked, or back when negative. */
  lock(asset: Asset, amount: Fixed): void {
    const balance = this.#of(asset);
    balance.free -= amount;
    balance.locked += amount;
    this.#check(asset, balance);
  }

  #of(asset: Asset): { free: Fixed; locked: Fixed } {
    let balance = this.#balances.get(asset);
    if (balance === undefined) {
      balance = { free: 0n, locked: 0n };
      this.#balances.set(asset, balance);
    }
    return balance;
  }

  #check(asset: Asset, { free, locked }: { readonly free: Fixed; readonly locked: Fixed }): void {
    if (free >= 0n && locked >= 0n) return;
    throw new InvariantError(
      'E_BALANCE_NEGATIVE',
      `${asset}: expected free and locked >= 0, received ${formatFixed(free)} and ${formatFixed(locked)}`,
    );
  }
}
