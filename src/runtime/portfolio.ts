import {
  absFixed,
  addToHolding,
  Balance,
  decimalFromFixed,
  divideFixed,
  DomainError,
  EMPTY_HOLDING,
  FIXED_ONE,
  fixedFromNumber,
  fixedToNumber,
  InvariantError,
  multiplyFixed,
  present,
  takeFromHolding,
  type Asset,
  type Decimal,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type Holding,
  type Instrument,
  type InstrumentId,
} from '../domain/index.js';
import type { AccountUpdate } from '../venue/index.js';

/** What a bot knows of one asset. */
interface AssetAccount {
  readonly asset: Asset;
  readonly initial: Fixed;
  total: Fixed;
  locked: Fixed;
  /** `total` as float64, for equity samples. */
  totalNumber: number;
  /** Fees paid in this asset. */
  fees: Fixed;
  /** Whose last price values this asset in the equity currency; undefined for the equity currency itself. */
  valuation: InstrumentAccount | undefined;
}

/** What a bot knows of one instrument. */
export interface InstrumentAccount {
  readonly instrument: Instrument;
  /** Hint that makes conversions of prices on the grid fast. */
  readonly pricePrecision: number;
  lastNumber: number;
  /** Last mark price of a contract. */
  markNumber: number;
  /** When the engine learned the last price. */
  lastTime: EpochMs | undefined;
  holding: Holding;
  /** Cash flows of this instrument alone, in quote: an independent account of what the balances should be. */
  spent: Fixed;
  received: Fixed;
  bought: Fixed;
  sold: Fixed;
  released: Fixed;
  initialEntry: Fixed;
}

export interface PortfolioOptions {
  readonly instruments: readonly {
    readonly instrument: Instrument;
    readonly pricePrecision: number;
  }[];
  readonly balances: ReadonlyMap<Asset, Fixed>;
  readonly equityCurrency: Asset;
}

/**
 * The engine's exact ledger of balances and spot holdings. Each posting is rounded once, half to even, to 18 decimals (DESIGN R15).
 *
 * Balances and per-instrument flows are kept apart, so that {@link residual} can prove the one by the other.
 */
export class Portfolio {
  readonly equityCurrency: Asset;
  readonly #assets = new Map<Asset, AssetAccount>();
  readonly #instruments = new Map<InstrumentId, InstrumentAccount>();
  readonly #valued: AssetAccount[] = [];
  readonly #exposed = new Set<InstrumentId>();

  /** @throws {DomainError} `E_EQUITY_CURRENCY` when an asset cannot be valued in the equity currency by any instrument. */
  constructor(options: PortfolioOptions) {
    this.equityCurrency = options.equityCurrency;
    for (const { instrument, pricePrecision } of options.instruments) {
      this.#instruments.set(instrument.id, {
        instrument,
        pricePrecision,
        lastNumber: Number.NaN,
        markNumber: Number.NaN,
        lastTime: undefined,
        holding: EMPTY_HOLDING,
        spent: 0n,
        received: 0n,
        bought: 0n,
        sold: 0n,
        released: 0n,
        initialEntry: 0n,
      });
    }
    const assets = new Set<Asset>([options.equityCurrency, ...options.balances.keys()]);
    for (const { instrument } of options.instruments)
      assets.add(instrument.base).add(instrument.quote);
    for (const asset of assets) this.#open(asset, options.balances.get(asset) ?? 0n);
  }

  #open(asset: Asset, initial: Fixed): void {
    const valuation = [...this.#instruments.values()].find(
      ({ instrument }) => instrument.base === asset && instrument.quote === this.equityCurrency,
    );
    if (asset !== this.equityCurrency && valuation === undefined) {
      throw new DomainError(
        'E_EQUITY_CURRENCY',
        `expected an instrument that values ${asset} in ${this.equityCurrency}, received none among ${[...this.#instruments.keys()].join(', ')}`,
      );
    }
    const account: AssetAccount = {
      asset,
      initial,
      total: initial,
      locked: 0n,
      totalNumber: fixedToNumber(initial),
      fees: 0n,
      valuation,
    };
    this.#assets.set(asset, account);
    if (valuation === undefined) this.#valued.unshift(account);
    else {
      this.#valued.push(account);
      valuation.holding = { quantity: initial, entryValue: 0n };
    }
  }

  instrument(id: InstrumentId): InstrumentAccount {
    return present(this.#instruments.get(id), `instrument ${id} in the portfolio`);
  }

  instruments(): Iterable<InstrumentAccount> {
    return this.#instruments.values();
  }

  /** Values what was held at the start at last prices: the entry values from which profit counts. Returns those holdings. */
  openInitialHoldings(): readonly {
    readonly instrumentId: InstrumentId;
    readonly holding: Holding;
  }[] {
    const opened = [];
    for (const account of this.#instruments.values()) {
      const { quantity } = account.holding;
      if (quantity === 0n) continue;
      account.initialEntry = multiplyFixed(quantity, lastPrice(account) ?? 0n);
      account.holding = { quantity, entryValue: account.initialEntry };
      this.#exposed.add(account.instrument.id);
      opened.push({ instrumentId: account.instrument.id, holding: account.holding });
    }
    return opened;
  }

  /** Whether any position is held; less than one step counts as none. */
  get isExposed(): boolean {
    return this.#exposed.size > 0;
  }

  /**
   * Books one fill: balances, holding and flows. A sale that leaves less than `step` makes the position flat: the rest stays in the
   * balance as dust without entry value (DESIGN R8).
   */
  applyFill(fill: FillRecord, step: Fixed): void {
    const account = this.instrument(fill.instrumentId);
    const { base, quote } = account.instrument;
    // Bought before its first candle closed: until then it is worth what was paid.
    if (Number.isNaN(account.lastNumber)) account.lastNumber = fixedToNumber(fill.price);
    const value = multiplyFixed(fill.price, fill.quantity);
    const baseFee = fill.feeAsset === base ? fill.fee : 0n;
    if (fill.side === 'buy') {
      this.#post(quote, -value);
      this.#post(base, fill.quantity);
      account.spent += value;
      account.bought += fill.quantity;
      account.holding = addToHolding(account.holding, fill.quantity - baseFee, value);
    } else {
      this.#post(base, -fill.quantity);
      this.#post(quote, value);
      account.received += value;
      account.sold += fill.quantity;
      const taken = takeFromHolding(account.holding, fill.quantity + baseFee);
      const isFlat = taken.holding.quantity < step;
      account.released += taken.released + (isFlat ? taken.holding.entryValue : 0n);
      account.holding = isFlat
        ? { quantity: taken.holding.quantity, entryValue: 0n }
        : taken.holding;
    }
    if (account.holding.quantity < step || account.holding.quantity === 0n)
      this.#exposed.delete(fill.instrumentId);
    else this.#exposed.add(fill.instrumentId);
    if (fill.fee !== 0n) {
      this.#post(fill.feeAsset, -fill.fee);
      this.#asset(fill.feeAsset).fees += fill.fee;
    }
  }

  /** Books what the venue did without an order of ours. */
  applyAccountUpdate({ kind }: AccountUpdate): void {
    throw new InvariantError('E_ACCOUNT_UPDATE', `expected no ${kind} on a spot account`);
  }

  #post(asset: Asset, amount: Fixed): void {
    const account = this.#asset(asset);
    account.total += amount;
    account.totalNumber = fixedToNumber(account.total);
  }

  #asset(asset: Asset): AssetAccount {
    return present(this.#assets.get(asset), `asset ${asset} in the portfolio`);
  }

  /** Holds an amount back for a working order, or gives it free again when negative. */
  lock(asset: Asset, amount: Fixed): void {
    this.#asset(asset).locked += amount;
  }

  total(asset: Asset): Fixed {
    return this.#assets.get(asset)?.total ?? 0n;
  }

  free(asset: Asset): Fixed {
    const account = this.#assets.get(asset);
    return account === undefined ? 0n : account.total - account.locked;
  }

  balance(asset: Asset): Balance {
    const account = this.#assets.get(asset);
    return new Balance(asset, { free: this.free(asset), locked: account?.locked ?? 0n });
  }

  balances(): ReadonlyMap<Asset, Fixed> {
    return new Map([...this.#assets].map(([asset, account]) => [asset, account.total]));
  }

  last(id: InstrumentId): Fixed | undefined {
    return lastPrice(this.instrument(id));
  }

  /** Mark price of a contract; undefined before the first, and for what has none. */
  mark(id: InstrumentId): Fixed | undefined {
    const { markNumber, pricePrecision } = this.instrument(id);
    return Number.isNaN(markNumber) ? undefined : fixedFromNumber(markNumber, pricePrecision);
  }

  /** Base that an amount of quote buys at last; 0 before the first price. */
  quantityFor(id: InstrumentId, amount: Fixed): Fixed {
    const last = this.last(id) ?? 0n;
    return last === 0n ? 0n : divideFixed(amount, last);
  }

  /** Cash and holdings at last prices, exact, each product rounded once. What has no price yet counts 0. */
  equity(): Fixed {
    let equity = 0n;
    for (const { total, valuation } of this.#valued) {
      if (total !== 0n)
        equity +=
          valuation === undefined ? total : multiplyFixed(total, lastPrice(valuation) ?? 0n);
    }
    return equity;
  }

  equityDecimal(): Decimal {
    return decimalFromFixed(this.equity());
  }

  /** {@link equity} in float64, cheap enough for every candle; for ratios and charts. */
  equityNumber(): number {
    let equity = 0;
    for (const account of this.#valued) {
      if (account.valuation === undefined) equity += account.totalNumber;
      else if (account.totalNumber !== 0)
        equity += account.totalNumber * account.valuation.lastNumber;
    }
    return equity;
  }

  /** What one unit of an asset is worth in the equity currency at last; undefined while no price is known, or nothing prices it. */
  worthOf(asset: Asset): Fixed | undefined {
    if (asset === this.equityCurrency) return FIXED_ONE;
    const valuation = this.#assets.get(asset)?.valuation;
    return valuation === undefined ? undefined : lastPrice(valuation);
  }

  /** An amount of any known asset in the equity currency at last prices. */
  valueOf(asset: Asset, amount: Fixed): Fixed {
    const { valuation } = this.#asset(asset);
    return valuation === undefined ? amount : multiplyFixed(amount, lastPrice(valuation) ?? 0n);
  }

  /** Fees paid, by asset. */
  fees(): ReadonlyMap<Asset, Fixed> {
    return new Map([...this.#assets].map(([asset, account]) => [asset, account.fees]));
  }

  /**
   * Sum of all differences between what the balances hold and what the flows say they should, and between entry values and theirs:
   * 0 unless there is a bug (DESIGN R15). `venueBalances` adds the venue's own account to the comparison.
   */
  residual(venueBalances?: ReadonlyMap<Asset, Fixed>): Fixed {
    let residual = 0n;
    for (const account of this.#assets.values()) {
      let expected = account.initial - account.fees;
      for (const { instrument, spent, received, bought, sold } of this.#instruments.values()) {
        if (instrument.base === account.asset) expected += bought - sold;
        if (instrument.quote === account.asset) expected += received - spent;
      }
      residual += absFixed(account.total - expected);
      if (venueBalances !== undefined)
        residual += absFixed(account.total - (venueBalances.get(account.asset) ?? 0n));
    }
    for (const { holding, initialEntry, spent, released } of this.#instruments.values()) {
      residual += absFixed(holding.entryValue - (initialEntry + spent - released));
    }
    return residual;
  }
}

function lastPrice(account: InstrumentAccount): Fixed | undefined {
  return Number.isNaN(account.lastNumber)
    ? undefined
    : fixedFromNumber(account.lastNumber, account.pricePrecision);
}
