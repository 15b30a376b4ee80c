import {
  Balance,
  contractValue,
  directionOf,
  divideFixed,
  fixedToNumber,
  InvariantError,
  keepsAsset,
  maxFixed,
  missing,
  multiplyFixed,
  present,
  type AccountBalances,
  type Asset,
  type Direction,
  type FillRecord,
  type Fixed,
  type InstrumentId,
  type ProductKind,
} from '../../domain/index.js';
import type { AccountUpdate } from '../../venue/index.js';
import {
  balancesByAccount,
  restorePositions,
  restorePrices,
  restoreUnopened,
  takeBalances,
  takePositions,
  takePrices,
  type AccountCheckpoint,
} from './account-checkpoint.js';
import { AssetWorth } from './asset-worth.js';
import { DebtBook, type FillKnowledge } from './debt-book.js';
import type { Financing } from './financing.js';
import { CashBook, type CashAccount } from './cash-book.js';
import { EquityNumbers } from './equity-numbers.js';
import { FuturesBook } from './futures-book.js';
import {
  createInstrumentAccount,
  lastPrice,
  markPrice,
  type InstrumentAccount,
} from './instrument-account.js';
import { InterestBook } from './interest-book.js';
import { openCash, valuingOf } from './open-cash.js';
import { PairBooks } from './pair-book.js';
import type { PortfolioOptions } from './portfolio-options.js';
import { computeResidual } from './residual.js';
import type { FeePayer, SideLedger } from './side-ledger.js';

const NO_CARRIES: readonly Financing[] = [];

/**
 * The engine's exact ledger of balances and positions on the spot, margin and futures accounts. Each posting is rounded once, half to
 * even, to 18 decimals (DESIGN R15).
 *
 * Assets are valued as {@link AssetWorth} does, so that an inverse contract values its own margin. Positions in contracts are valued at mark,
 * or at last while no mark is known.
 *
 * An optional account argument defaults to the account of the first instrument.
 */
export class Portfolio {
  readonly equityCurrency: Asset;
  readonly numbers: EquityNumbers;
  /** Debts of the margin account. */
  readonly debts: DebtBook;
  readonly #home: ProductKind;
  readonly #instruments = new Map<InstrumentId, InstrumentAccount>();
  readonly #cash = new CashBook();
  readonly #pairs = new PairBooks(this.#cash);
  readonly #futures: FuturesBook;
  readonly #interest = new InterestBook(this.#instruments);
  readonly #worth: AssetWorth;
  readonly #owedReserve: Fixed;
  /** Number of sides with a position. */
  #exposed = 0;
  /** Whether any position is held; less than one step counts as none. */
  isExposed = false;
  /** The last instrument that {@link instrument} returned. */
  #latest: InstrumentAccount;

  /**
   * @throws {DomainError} `E_EQUITY_CURRENCY` when an asset cannot be valued in the equity currency by any instrument; `E_CHECKPOINT`
   * when the checkpoint does not fit the instruments.
   */
  constructor({ instruments, balances, equityCurrency, checkpoint, ...terms }: PortfolioOptions) {
    this.equityCurrency = equityCurrency;
    this.debts = new DebtBook(this.#cash, terms.hourlyRate, checkpoint?.debts);
    this.#owedReserve = terms.owedReserve ?? 0n;
    for (const { instrument, pricePrecision } of instruments)
      this.#instruments.set(instrument.id, createInstrumentAccount(instrument, pricePrecision));
    const [first] = this.#instruments.values();
    this.#latest = present(first, 'first instrument');
    this.#home = this.#latest.instrument.kind;
    openCash(this.#cash, [...this.#instruments.values()], {
      home: this.#home,
      equityCurrency,
      balances: checkpoint === undefined ? balances : balancesByAccount(checkpoint.balances),
    });
    this.#futures = new FuturesBook(this.#cash, this.#instruments.values());
    this.#worth = new AssetWorth(this.#cash, this.#instruments.values(), equityCurrency);
    this.numbers = new EquityNumbers(this.#cash, this.#futures);
    if (checkpoint !== undefined) this.#restore(checkpoint);
  }

  #restore({ positions, interest, prices }: AccountCheckpoint): void {
    for (const ledger of restorePositions(positions, this.#instruments, this.#futures))
      this.#expose(ledger, true);
    restorePrices(prices, this.#instruments);
    this.#interest.restore(interest);
    restoreUnopened(this.#instruments.values(), positions);
  }

  checkpoint(): AccountCheckpoint {
    return {
      balances: takeBalances(this.#cash),
      positions: takePositions(this.#instruments.values(), this.#futures, this.#cash),
      interest: this.#interest.checkpoint(),
      prices: takePrices(this.#instruments.values()),
      ...this.debts.checkpoint(),
    };
  }

  instrument(id: InstrumentId): InstrumentAccount {
    // Called with every candle, mostly for the same instrument as before.
    if (id !== this.#latest.instrument.id)
      this.#latest = this.#instruments.get(id) ?? missing(`instrument ${id} in the portfolio`);
    return this.#latest;
  }

  instruments(): Iterable<InstrumentAccount> {
    return this.#instruments.values();
  }

  /**
   * Values the initial holdings at last prices: profit counts from these entry values. Holdings that were carried over with an entry value keep
   * it. `stepOf`: the quantity step in force; less than one step is no exposure.
   */
  openInitialHoldings(stepOf: (id: InstrumentId) => Fixed): void {
    for (const account of this.#instruments.values()) {
      const { long } = account;
      const { quantity } = long.holding;
      if (!long.isUnopened || quantity === 0n) continue;
      long.begin({ quantity, entryValue: multiplyFixed(quantity, lastPrice(account) ?? 0n) });
      this.#expose(long, long.isHeld(stepOf(account.instrument.id)));
    }
  }

  #expose(ledger: SideLedger, isHeld: boolean): void {
    if (ledger.isExposed === isHeld) return;
    ledger.isExposed = isHeld;
    this.#exposed += isHeld ? 1 : -1;
    this.isExposed = this.#exposed > 0;
  }

  /**
   * Books one fill: balances, position and flows. A close that leaves less than `step` makes the position flat: the rest stays in the
   * balance as dust without entry value (DESIGN R8). Returns interest that was charged earlier and that the position now bears.
   * `notional`: price × quantity, if the caller has it.
   */
  applyFill(
    fill: FillRecord,
    step: Fixed,
    notional?: Fixed,
    known: FillKnowledge = { at: fill.eventTime },
  ): readonly Financing[] {
    const account = this.instrument(fill.instrumentId);
    const { instrument } = account;
    if (instrument.kind === 'margin') this.debts.fill(instrument, fill, known);
    return this.#post(account, fill, step, notional);
  }

  #post(
    account: InstrumentAccount,
    fill: FillRecord,
    step: Fixed,
    notional?: Fixed,
  ): readonly Financing[] {
    // The first candle has not closed yet: the fill's price is the last price until then.
    if (Number.isNaN(account.lastNumber)) account.lastNumber = fixedToNumber(fill.price);
    const { instrument } = account;
    // Spot has long positions only, whatever the order says.
    const ledger = instrument.kind === 'spot' ? account.long : account[directionOf(fill)];
    if (instrument.kind === 'futures') this.#futures.post(fill, step);
    else this.#pairs.of(instrument).post(ledger, fill, step, notional);
    this.#expose(ledger, ledger.isHeld(step));
    return this.#interest.isEmpty ? NO_CARRIES : this.#interest.bear([]);
  }

  /**
   * The side whose coin pays a fee in neither base nor quote, if the bot trades this coin on the same account. On margin it is the short, if the coin is
   * owed.
   */
  feePayer({ instrumentId, fee, feeAsset: asset }: FillRecord): FeePayer | undefined {
    const { kind: account, base, quote } = this.instrument(instrumentId).instrument;
    if (asset === quote || asset === base || fee === 0n) return undefined;
    const { equityCurrency } = this;
    for (const { instrument, long, short } of this.#instruments.values())
      if (keepsAsset(instrument, { account, asset, equityCurrency }))
        return { instrumentId: instrument.id, ledger: short.holding.quantity > 0n ? short : long };
    return undefined;
  }

  /** Takes a fee from the position of its coin, at the worth of the coin. The balance has paid it with the fill. `step`: of the payer's instrument. */
  payFee({ ledger }: FeePayer, { fee, feeAsset }: FillRecord, step: Fixed): void {
    ledger.payFee({ quantity: fee, value: this.valueOf(feeAsset, fee) }, step);
    this.#expose(ledger, ledger.isExposed && ledger.isHeld(step));
  }

  /**
   * Books a change that the venue made without an order of ours. Returns the funding and interest that positions bear.
   *
   * @throws {InvariantError} `E_ACCOUNT_UPDATE` for funding of an instrument that is not a contract, `E_MISSING` for an asset without an account.
   */
  applyAccountUpdate(update: AccountUpdate, step: Fixed): readonly Financing[] {
    switch (update.kind) {
      case 'forced-fill': {
        const account = this.instrument(update.fill.instrumentId);
        const financings = this.#post(account, update.fill, step);
        const { instrument } = account;
        const { kind, quote } = instrument;
        const asset = kind === 'futures' ? instrument.marginAsset : quote;
        if (update.insurance !== 0n)
          this.#cash.insure(this.#cash.get(kind, asset), update.insurance);
        if (kind === 'margin') this.debts.endForced(instrument, update.fill);
        return financings;
      }
      case 'funding':
        return [this.#fund(update)];
      case 'interest':
        this.#cash.charge(this.#cash.get('margin', update.asset), 'interest', update.amount);
        this.debts.charge(update);
        return this.#interest.bear([update]);
      case 'margin-warning':
        return NO_CARRIES;
    }
  }

  #fund(update: Extract<AccountUpdate, { readonly kind: 'funding' }>): Financing {
    const { instrumentId, direction, asset, amount, eventTime } = update;
    if (this.instrument(instrumentId).instrument.kind !== 'futures') {
      throw new InvariantError(
        'E_ACCOUNT_UPDATE',
        `funding came on ${instrumentId}, which is no contract`,
      );
    }
    this.#cash.charge(this.#cash.get('futures', asset), 'funding', -amount);
    this.#futures.side(instrumentId, direction).fund(amount, eventTime);
    return {
      kind: 'funding',
      time: eventTime,
      instrumentId,
      direction,
      amount: -amount,
      asset,
      accrued: { quantity: 0n, value: 0n },
    };
  }

  /** Money of one asset on one account. */
  cash(kind: ProductKind, asset: Asset): CashAccount {
    return this.#cash.get(kind, asset);
  }

  /** Owned less owed, without unrealized profit; 0 for an asset without an account. */
  total(asset: Asset, kind = this.#home): Fixed {
    return this.#cash.find(kind, asset)?.total ?? 0n;
  }

  /** Amount that can be spent, or on futures used as margin for new positions; negative if the asset is borrowed. */
  free(asset: Asset, kind = this.#home): Fixed {
    const account = this.#cash.find(kind, asset);
    if (account === undefined) return 0n;
    const committed = kind === 'futures' ? this.#futures.committed(asset) : 0n;
    return account.total - account.locked - committed;
  }

  /** Amount that a new order can use: {@link free}; on margin the total less what working orders hold back, never below 0. */
  spendable(asset: Asset, kind: ProductKind): Fixed {
    if (kind !== 'margin') return this.free(asset, kind);
    const account = this.#cash.find(kind, asset);
    if (account === undefined) return 0n;
    return maxFixed(maxFixed(account.total, 0n) - account.locked, 0n);
  }

  /** Debt of the margin account in the equity currency, plus what working orders may still borrow, plus a reserve on both. */
  owed(): Fixed {
    const promised = this.#cash.promised();
    const owed = promised.reduce((sum, { asset, amount }) => sum + this.valueOf(asset, amount), 0n);
    return owed + multiplyFixed(owed, this.#owedReserve);
  }

  balance(asset: Asset, kind = this.#home): Balance {
    const locked = this.#cash.find(kind, asset)?.locked ?? 0n;
    return new Balance(asset, { free: this.free(asset, kind), locked });
  }

  /** The instruments whose last prices value what the accounts own or owe, or get by trading another instrument. */
  valuations(): ReadonlySet<InstrumentAccount> {
    return valuingOf(this.#cash, [...this.#instruments.values()]);
  }

  /** Totals by account and asset. */
  balances(): AccountBalances {
    return this.#cash.totals();
  }

  last(id: InstrumentId): Fixed | undefined {
    return lastPrice(this.instrument(id));
  }

  mark(id: InstrumentId): Fixed | undefined {
    return markPrice(this.instrument(id));
  }

  /** Base or contracts that an amount of quote buys at last; 0 before the first price. */
  quantityFor(id: InstrumentId, amount: Fixed): Fixed {
    const { instrument } = this.instrument(id);
    const last = this.last(id) ?? 0n;
    if (last === 0n) return 0n;
    if (instrument.kind !== 'futures') return divideFixed(amount, last);
    const isLinear = instrument.contract === 'linear';
    const one = isLinear ? multiplyFixed(instrument.multiplier, last) : instrument.multiplier;
    return one === 0n ? 0n : divideFixed(amount, one);
  }

  /** Cash and positions of one account, or of all: exact, each product rounded once. An asset without a price yet counts 0. */
  equity(only?: ProductKind): Fixed {
    let equity = 0n;
    for (const account of this.#cash.list) {
      const { kind, asset, valuation } = account;
      if (only !== undefined && kind !== only) continue;
      const amount =
        kind === 'futures' ? account.total + this.#futures.unrealized(asset) : account.total;
      if (amount === 0n) continue;
      equity +=
        valuation === undefined ? amount : multiplyFixed(amount, lastPrice(valuation) ?? 0n);
    }
    return equity;
  }

  /** Profit of one side of a contract at mark, in its margin asset; 0 for spot and margin instruments. */
  unrealized(id: InstrumentId, direction: Direction): Fixed {
    const isContract = this.instrument(id).instrument.kind === 'futures';
    return isContract ? this.#futures.side(id, direction).unrealized() : 0n;
  }

  /** The positions in contracts. */
  get contracts(): FuturesBook {
    return this.#futures;
  }

  /** Initial margin of all positions in contracts, in the equity currency. */
  usedMargin(): Fixed {
    return this.#futures.open.reduce(
      (sum, side) => sum + this.valueOf(side.instrument.marginAsset, side.initialMargin()),
      0n,
    );
  }

  /** Worth of one unit of an asset at last, in the equity currency; undefined while no price is known, or if no instrument prices the asset. */
  worthOf(asset: Asset): Fixed | undefined {
    return this.#worth.ofOne(asset);
  }

  /** As {@link worthOf}, at the prices that `priceOf` returns. */
  worthAt(asset: Asset, priceOf: (id: InstrumentId) => Fixed | undefined): Fixed | undefined {
    return this.#worth.ofOne(asset, ({ instrument }) => priceOf(instrument.id));
  }

  /** Worth of one unit of a fee asset; undefined if the account does not have the asset, or while no price is known. */
  worthOfFee(kind: ProductKind, asset: Asset): Fixed | undefined {
    return this.#cash.find(kind, asset) === undefined ? undefined : this.worthOf(asset);
  }

  /** An amount of any known asset in the equity currency at last prices; 0 before the first. */
  valueOf(asset: Asset, amount: Fixed): Fixed {
    return this.#worth.of(asset, amount);
  }

  /** Worth of a quantity at last, in the equity currency; undefined while a price is missing. */
  notional(id: InstrumentId, quantity: Fixed): Fixed | undefined {
    const { instrument } = this.instrument(id);
    const last = this.last(id);
    const isContract = instrument.kind === 'futures';
    const worth = this.worthOf(isContract ? instrument.marginAsset : instrument.quote);
    if (last === undefined || last === 0n || worth === undefined) return undefined;
    const value = isContract
      ? contractValue(instrument, quantity, last)
      : multiplyFixed(quantity, last);
    return multiplyFixed(value, worth);
  }

  /** See {@link computeResidual}. */
  residual(venue?: AccountBalances): Fixed {
    return computeResidual(this.#cash, [...this.#instruments.values()], venue);
  }
}
