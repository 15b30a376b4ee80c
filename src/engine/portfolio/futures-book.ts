import {
  directionOf,
  minFixed,
  missing,
  NO_ISOLATED_MONEY,
  type Asset,
  type Direction,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type InstrumentId,
  type IsolatedMoney,
} from '../../domain/index.js';
import type { CashBook } from './cash-book.js';
import { ContractSide } from './contract-side.js';
import type { InstrumentAccount } from './instrument-account.js';

/** The positions of the futures account. Long and short of a contract are held apart, in both position modes. */
export class FuturesBook {
  readonly #cash: CashBook;
  readonly #sides = new Map<InstrumentId, Readonly<Record<Direction, ContractSide>>>();
  /** Sides with a position, kept as a list because equity is sampled with every candle. */
  #open: readonly ContractSide[] = [];

  constructor(cash: CashBook, accounts: Iterable<InstrumentAccount>) {
    this.#cash = cash;
    for (const account of accounts) {
      const { instrument, long, short } = account;
      if (instrument.kind !== 'futures') continue;
      const money = cash.get('futures', instrument.marginAsset);
      this.#sides.set(instrument.id, {
        long: new ContractSide(instrument, account, { ledger: long, cash: money }),
        short: new ContractSide(instrument, account, { ledger: short, cash: money }),
      });
    }
  }

  get open(): readonly ContractSide[] {
    return this.#open;
  }

  side(id: InstrumentId, direction: Direction): ContractSide {
    return (this.#sides.get(id) ?? missing(`contract ${id}`))[direction];
  }

  /** Books a fill: the position, the realized profit of a close, and the fee. Only profit and fee move money of the account. */
  post(fill: FillRecord, step: Fixed): void {
    const side = this.side(fill.instrumentId, directionOf(fill));
    const profit = side.trade(fill, step);
    if (profit !== 0n) this.#cash.post(side.cash, profit);
    if (fill.fee !== 0n) this.#cash.chargeFee('futures', fill.feeAsset, fill.fee);
    this.#list(side);
  }

  /** Takes over the restored holding of a side's ledger. */
  restore(
    side: ContractSide,
    money: IsolatedMoney = NO_ISOLATED_MONEY,
    openedTime: EpochMs = Number.NEGATIVE_INFINITY,
  ): void {
    side.restore(money, openedTime);
    this.#list(side);
  }

  #list(side: ContractSide): void {
    const isListed = this.#open.includes(side);
    if (side.isOpen === isListed) return;
    this.#open = isListed ? this.#open.filter((other) => other !== side) : [...this.#open, side];
  }

  /** Profit of all positions of a margin asset at mark. */
  unrealized(asset: Asset): Fixed {
    let sum = 0n;
    for (const side of this.#open)
      if (side.instrument.marginAsset === asset) sum += side.unrealized();
    return sum;
  }

  /**
   * Amount that positions take from the free balance of a margin asset: all money of isolated positions; for cross positions the initial
   * margin and their unrealized loss together. An unrealized profit does not count.
   */
  committed(asset: Asset): Fixed {
    let committed = 0n;
    let crossProfit = 0n;
    for (const side of this.#open) {
      if (side.instrument.marginAsset !== asset) continue;
      committed += side.initialMargin();
      if (side.isIsolated) committed += side.money.kept;
      else crossProfit += side.unrealized();
    }
    return committed - minFixed(crossProfit, 0n);
  }
}
