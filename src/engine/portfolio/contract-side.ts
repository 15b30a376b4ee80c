import {
  contractProfit,
  ContractSizes,
  contractValue,
  divideFixed,
  fixedToNumber,
  NO_ISOLATED_MONEY,
  releaseMargin,
  setMarginAside,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type FuturesInstrument,
  type IsolatedMoney,
} from '../../domain/index.js';
import type { CashAccount } from './cash-book.js';
import { lastPrice, markPrice, type InstrumentAccount } from './instrument-account.js';
import type { PricedEquity } from './priced-equity.js';
import type { SideLedger } from './side-ledger.js';

/** One side of one contract: its position, its value at mark, and its margin. Money is in the margin asset. */
export class ContractSide {
  readonly instrument: FuturesInstrument;
  readonly account: InstrumentAccount;
  readonly ledger: SideLedger;
  /** Account of the margin asset. */
  readonly cash: CashAccount;
  /** Money of an isolated position; none on cross, where the account's money covers the position. */
  money: IsolatedMoney = NO_ISOLATED_MONEY;
  /** Time of the fill that opened the last position; -Infinity if a checkpoint does not have it. */
  openedTime: EpochMs = Number.NEGATIVE_INFINITY;
  /** 1 if profit rises with the position's value, otherwise −1. */
  readonly #sign: number;
  readonly #multiplier: number;
  readonly #sizes: ContractSizes;
  #faceNumber = 0;
  #entryNumber = 0;

  constructor(
    instrument: FuturesInstrument,
    account: InstrumentAccount,
    { ledger, cash }: { readonly ledger: SideLedger; readonly cash: CashAccount },
  ) {
    this.instrument = instrument;
    this.account = account;
    this.ledger = ledger;
    this.cash = cash;
    this.#sizes = new ContractSizes(instrument);
    this.#multiplier = fixedToNumber(instrument.multiplier);
    this.#sign = (instrument.contract === 'linear') === (ledger.direction === 'long') ? 1 : -1;
  }

  get isOpen(): boolean {
    return this.#faceNumber !== 0;
  }

  get isIsolated(): boolean {
    return this.instrument.marginMode === 'isolated';
  }

  /** Time of the fill that opened the position; undefined without a position. */
  get heldSince(): EpochMs | undefined {
    return this.isOpen ? this.openedTime : undefined;
  }

  /** Adds to the position, or takes from it; returns the profit that a close realizes, fee excluded. */
  trade({ action, quantity, price, fee, eventTime }: FillRecord, step: Fixed): Fixed {
    const { instrument, ledger, money } = this;
    const value = contractValue(instrument, quantity, price, this.#sizes.of(quantity));
    let profit = 0n;
    if (action === 'open') {
      if (!this.isOpen) this.openedTime = eventTime;
      ledger.open({ quantity, value }, quantity);
      if (this.isIsolated) this.money = setMarginAside(money, value, instrument.leverage);
    } else {
      const held = ledger.holding.quantity;
      const entryValue = ledger.close({ quantity, value }, quantity, step);
      profit = contractProfit(instrument, ledger.direction, { entryValue, exitValue: value });
      const closed = { contracts: quantity, held, result: profit - fee };
      if (this.isIsolated) this.money = releaseMargin(money, closed);
    }
    this.#noteHolding();
    return profit;
  }

  /** Takes over the restored holding of its ledger. */
  restore(money: IsolatedMoney, openedTime: EpochMs): void {
    this.money = money;
    this.openedTime = openedTime;
    this.#noteHolding();
  }

  #noteHolding(): void {
    const { quantity, entryValue } = this.ledger.holding;
    this.#faceNumber = fixedToNumber(quantity) * this.#multiplier;
    this.#entryNumber = fixedToNumber(entryValue);
  }

  /**
   * Adds funding to the money of an isolated position; does nothing on cross. An engine may learn of funding after later fills: a position that was
   * opened since did not pay it.
   */
  fund(amount: Fixed, eventTime: EpochMs): void {
    if (!this.isIsolated || !this.isOpen || eventTime < this.openedTime) return;
    const { margin, kept } = this.money;
    this.money = { margin, kept: kept + amount };
  }

  /** Initial margin: the amount set aside if isolated; on cross the value at mark ÷ leverage. */
  initialMargin(): Fixed {
    const price = this.mark;
    if (this.isIsolated || price === undefined) return this.money.margin;
    const { instrument, ledger } = this;
    const value = contractValue(instrument, ledger.holding.quantity, price);
    return divideFixed(value, instrument.leverage);
  }

  /** The mark, or last while no mark is known; undefined before any price. */
  get mark(): Fixed | undefined {
    return markPrice(this.account) ?? lastPrice(this.account);
  }

  /** Worth at {@link mark}; 0 before any price. */
  value(): Fixed {
    const { mark } = this;
    return mark === undefined
      ? 0n
      : contractValue(this.instrument, this.ledger.holding.quantity, mark);
  }

  /** Profit at {@link mark}; 0 before any price. */
  unrealized(): Fixed {
    const { instrument, ledger } = this;
    const price = this.mark;
    if (price === undefined || !this.isOpen) return 0n;
    const { quantity, entryValue } = ledger.holding;
    const exitValue = contractValue(instrument, quantity, price);
    return contractProfit(instrument, ledger.direction, { entryValue, exitValue });
  }

  /** {@link unrealized} in float64, cheap enough for every candle. */
  unrealizedNumber(): number {
    const { markNumber, lastNumber } = this.account;
    const price = Number.isNaN(markNumber) ? lastNumber : markNumber;
    if (Number.isNaN(price)) return 0;
    const isLinear = this.instrument.contract === 'linear';
    const value = isLinear ? this.#faceNumber * price : this.#faceNumber / price;
    return this.#sign * (value - this.#entryNumber);
  }

  /**
   * Describes equity as a linear function of this side's price. Returns false if it is not linear: for an inverse contract, and for a margin asset
   * that has a price of its own.
   */
  describeInto(equity: PricedEquity): boolean {
    if (this.instrument.contract !== 'linear' || this.cash.valuation !== undefined) return false;
    equity.sign = this.#sign;
    equity.quantity = this.#faceNumber;
    equity.entry = this.#entryNumber;
    equity.isByMark = !Number.isNaN(this.account.markNumber);
    return true;
  }
}
