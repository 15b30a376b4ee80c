import { InvariantError, formatFixed, type Asset, type Fixed } from '../../domain/index.js';

/** The owned amount of one asset, free and locked. Neither is ever negative. */
export class SpotBalance {
  readonly asset: Asset;
  #free: Fixed;
  #locked: Fixed = 0n;

  constructor(asset: Asset, free: Fixed) {
    this.asset = asset;
    this.#free = free;
  }

  get free(): Fixed {
    return this.#free;
  }

  get locked(): Fixed {
    return this.#locked;
  }

  add(amount: Fixed): void {
    this.#free += amount;
    if (this.#free < 0n) this.#fail();
  }

  take(amount: Fixed): void {
    this.#free -= amount;
    if (this.#free < 0n) this.#fail();
  }

  /** Takes the whole free amount and returns it. */
  takeAll(): Fixed {
    const amount = this.#free;
    this.#free = 0n;
    return amount;
  }

  /** Moves an amount from free to locked, or back when negative. */
  lock(amount: Fixed): void {
    this.#free -= amount;
    this.#locked += amount;
    if (this.#free < 0n || this.#locked < 0n) this.#fail();
  }

  #fail(): never {
    throw new InvariantError(
      'E_BALANCE_NEGATIVE',
      `${this.asset}: expected free and locked >= 0, received ${formatFixed(this.#free)} and ${formatFixed(this.#locked)}`,
    );
  }
}

/** The balances of one spot account at the venue, by asset. */
export class SpotLedger {
  readonly #balances = new Map<Asset, SpotBalance>();

  constructor(balances: ReadonlyMap<Asset, Fixed>) {
    for (const [asset, free] of balances) this.#balances.set(asset, new SpotBalance(asset, free));
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

  /** The balance of an asset, for changes. Creates an empty one if there is none. */
  of(asset: Asset): SpotBalance {
    let balance = this.#balances.get(asset);
    if (balance === undefined) {
      balance = new SpotBalance(asset, 0n);
      this.#balances.set(asset, balance);
    }
    return balance;
  }
}
