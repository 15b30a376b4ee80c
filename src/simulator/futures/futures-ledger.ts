import {
  InvariantError,
  minFixed,
  missing,
  orderMargin,
  type Asset,
  type CashWatch,
  type Direction,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type LeverageTier,
  type MarginMode,
  type PositionMode,
} from '../../domain/index.js';
import type { Crossing } from '../path/candle-path.js';
import {
  viewAccount,
  viewPosition,
  type FuturesAccountView,
  type EndedPositionView,
  type PositionView,
} from './account-view.js';
import { checkFill, checkPrice } from './check-fill.js';
import { ContractBook, type FuturesContract } from './contract-book.js';
import { contractCharge } from './contract-charge.js';
import { LiquidationGuard } from './liquidation-guard.js';
import { nextStep, type LadderStep } from './liquidation-ladder.js';
import { firstLiquidation, firstWithin, type MarkMoves } from './liquidation-search.js';
import { isLiquidatable } from './maintenance.js';
import { MarginBook, type ContractFill, type OpenResult } from './margin-book.js';
import { listOpen, type OpenPosition } from './open-position.js';
import { requirementOf, type OpeningTerms, type OrderRequirement } from './order-requirement.js';
import { PositionClosing, type ClosingResult, type ForcedResult } from './position-closing.js';

export interface FuturesLedgerOptions {
  readonly contracts: readonly FuturesContract[];
  /** Starting balances, by margin asset. */
  readonly balances: ReadonlyMap<Asset, Fixed>;
  /** @defaultValue 'hedge' */
  readonly positionMode?: PositionMode;
  /** Whether the results of ended positions are computed and kept. @defaultValue true */
  readonly listsEnded?: boolean;
  /** Is notified when a decision depends on the balance. @defaultValue no watch */
  readonly cashWatch?: CashWatch | undefined;
}

/** Funding on one side of one contract; `amount` is negative when paid. */
interface FundingResult {
  readonly direction: Direction;
  readonly amount: Fixed;
}

interface Entry {
  readonly contract: ContractBook;
  readonly book: MarginBook;
  readonly guard: LiquidationGuard;
  /** Index of the contract in its book. */
  readonly place: number;
}

/**
 * The futures accounts of one user at a venue, exact: balances by margin asset, positions, margins, funding and liquidation (DESIGN R8, R11, R12,
 * R15). It only calculates: it knows no clock, no candle and no order.
 *
 * The caller keeps the marks up to date and checks orders against {@link FuturesLedger.requirement} before they work. The caller also carries out the
 * steps of {@link FuturesLedger.nextStep} when a mark has reached a level of liquidation.
 */
export class FuturesLedger {
  readonly positionMode: PositionMode;
  readonly #entries = new Map<InstrumentId, Entry>();
  /** The entry of the last call, because one order reads its contract many times. */
  #latest: Entry | undefined;
  readonly #books = new Map<Asset, MarginBook>();
  readonly #guards = new Map<Asset, LiquidationGuard>();
  readonly #assets: readonly Asset[];
  readonly cashWatch: CashWatch | undefined;
  readonly #closing: PositionClosing;
  #lastNumber = 0;

  constructor(options: FuturesLedgerOptions) {
    const { contracts, balances, positionMode, listsEnded = true, cashWatch } = options;
    this.positionMode = positionMode ?? 'hedge';
    this.cashWatch = cashWatch;
    this.#closing = new PositionClosing(listsEnded);
    const assets = [...balances.keys(), ...contracts.map(({ instrument: i }) => i.marginAsset)];
    for (const asset of new Set(assets)) {
      const book = new MarginBook(asset, balances.get(asset) ?? 0n);
      for (const contract of contracts)
        if (contract.instrument.marginAsset === asset)
          book.contracts.push(new ContractBook(contract));
      const guard = new LiquidationGuard(book.contracts, cashWatch?.reserveOf(asset));
      guard.refresh(book);
      this.#books.set(asset, book);
      this.#guards.set(asset, guard);
      for (const [place, contract] of book.contracts.entries())
        this.#entries.set(contract.instrument.id, { contract, book, guard, place });
    }
    this.#assets = [...this.#books.keys()];
  }

  /** Ended positions, in order of their end. Empty if they are not kept. */
  get ended(): readonly EndedPositionView[] {
    return this.#closing.ended;
  }

  get assets(): readonly Asset[] {
    return this.#assets;
  }

  /** Open positions, in the order in which they were opened. */
  get openPositions(): readonly OpenPosition[] {
    return listOpen([...this.#entries.values()].map(({ contract }) => contract));
  }

  /** All money of an asset. Includes the money of isolated positions, leaves out unrealized results. */
  balance(asset: Asset): Fixed {
    return this.#book(asset).balance;
  }

  frozen(asset: Asset): Fixed {
    return this.#book(asset).frozen;
  }

  /** Amount that a new order may use: cross balance − cross initial margins − frozen − unrealized cross loss. */
  available(asset: Asset): Fixed {
    return this.#book(asset).available;
  }

  /** Balance plus unrealized results, at mark. */
  equity(asset: Asset): Fixed {
    return this.#book(asset).equity;
  }

  /** Amount that the books cannot explain, see {@link MarginBook.residual}; always 0. */
  residual(asset: Asset): Fixed {
    return this.#book(asset).residual();
  }

  account(asset: Asset): FuturesAccountView {
    return viewAccount(this.#book(asset));
  }

  /** Undefined when nothing is held. */
  position(instrumentId: InstrumentId, direction: Direction): PositionView | undefined {
    const { contract, book } = this.#entry(instrumentId);
    const position = contract.position(direction);
    return position.isHeld ? viewPosition(position, book) : undefined;
  }

  /** Whether anything is held of a contract, long or short. */
  isHeld(instrumentId: InstrumentId): boolean {
    return this.#entry(instrumentId).contract.isHeld;
  }

  /** Contracts held. */
  held(instrumentId: InstrumentId, direction: Direction): Fixed {
    return this.#entry(instrumentId).contract.position(direction).holding.quantity;
  }

  /** Contracts that working orders will close. */
  pendingClose(instrumentId: InstrumentId, direction: Direction): Fixed {
    return this.#entry(instrumentId).contract.position(direction).pendingClose;
  }

  /** @throws {DomainError} `E_PRICE` unless the mark is above 0. */
  setMark(instrumentId: InstrumentId, mark: Fixed): void {
    checkPrice(mark);
    this.#entry(instrumentId).contract.mark = mark;
  }

  /** Tiers from now on, smallest first. */
  setTiers(instrumentId: InstrumentId, tiers: readonly LeverageTier[]): void {
    const entry = this.#entry(instrumentId);
    entry.contract.tiers = tiers;
    entry.guard.refresh(entry.book);
  }

  /** Refused while anything is held of the contract, and above the maximum of the first tier. */
  setLeverage(instrumentId: InstrumentId, leverage: Fixed): 'changed' | 'held' | 'above-maximum' {
    const { contract } = this.#entry(instrumentId);
    if (contract.isHeld) return 'held';
    if (leverage > (contract.tiers[0]?.maxLeverage ?? leverage)) return 'above-maximum';
    contract.leverage = leverage;
    return 'changed';
  }

  /** Margin mode in force. */
  marginMode(instrumentId: InstrumentId): MarginMode {
    return this.#entry(instrumentId).contract.marginMode;
  }

  /** Refused while anything is held of the contract. */
  setMarginMode(instrumentId: InstrumentId, marginMode: MarginMode): 'changed' | 'held' {
    const { contract } = this.#entry(instrumentId);
    if (contract.isHeld) return 'held';
    contract.marginMode = marginMode;
    return 'changed';
  }

  /** The amount that must be available for an opening order, and that is then frozen for it. Or the refusal of its leverage. */
  requirement(instrumentId: InstrumentId, order: OpeningTerms): OrderRequirement {
    return requirementOf(this.#entry(instrumentId).contract, order);
  }

  /**
   * Splits the contracts of an opening order into those that close the opposite position and those that open. In one-way mode a larger opposite order
   * closes first, then flips. In hedge mode all contracts open.
   */
  splitOpening(
    instrumentId: InstrumentId,
    direction: Direction,
    contracts: Fixed,
  ): { readonly closing: Fixed; readonly opening: Fixed } {
    const opposite = this.held(instrumentId, oppositeOf(direction));
    const closing = this.positionMode === 'hedge' ? 0n : minFixed(contracts, opposite);
    return { closing, opening: contracts - closing };
  }

  /** Margin and fee of contracts that an order opens at its price. Their fill takes this amount from the balance. */
  fillMargin(instrumentId: InstrumentId, order: OpeningTerms): Fixed {
    const { instrument, leverage } = this.#entry(instrumentId).contract;
    const { margin, fee } = orderMargin(instrument, { ...order, mark: order.price, leverage });
    return margin + fee;
  }

  /**
   * Freezes an amount for a working order, or releases it when negative.
   *
   * @throws {InvariantError} `E_BALANCE_NEGATIVE` when more is released than is frozen.
   */
  freeze(asset: Asset, amount: Fixed): void {
    this.#book(asset).freeze(amount);
  }

  /** Adds contracts that a working order will close. Negative if it will no longer close them. */
  reserveClose(instrumentId: InstrumentId, direction: Direction, contracts: Fixed): void {
    this.#entry(instrumentId).contract.position(direction).pendingClose += contracts;
  }

  /**
   * Books a fill that opens contracts. Does not check the available margin: see {@link FuturesLedger.requirement}.
   *
   * @throws {InvariantError} `E_POSITION_OPPOSITE` in one-way mode while the other direction is held; `E_MARK_MISSING` before the first mark.
   * @throws {DomainError} `E_QUANTITY`, `E_PRICE` unless contracts and price are above 0.
   */
  open(instrumentId: InstrumentId, fill: ContractFill): OpenResult {
    const { contract, book, guard } = this.#entry(instrumentId);
    checkFill(fill);
    if (contract.position(oppositeOf(fill.direction)).isHeld && this.positionMode === 'oneWay')
      throw new InvariantError(
        'E_POSITION_OPPOSITE',
        `${instrumentId}: one-way mode opens nothing ${fill.direction} while ${oppositeOf(fill.direction)} is held`,
      );
    const position = contract.position(fill.direction);
    contract.expectMark();
    if (!position.isHeld) position.number = this.#lastNumber += 1;
    const result = book.open(contract, fill);
    guard.refresh(book);
    return result;
  }

  /**
   * Books a fill that closes contracts.
   *
   * @throws {InvariantError} `E_OVERCLOSED` when it closes more than is held: closing never flips.
   * @throws {DomainError} `E_QUANTITY`, `E_PRICE` unless contracts and price are above 0.
   */
  close(instrumentId: InstrumentId, fill: ContractFill): ClosingResult {
    const { contract, book, guard } = this.#entry(instrumentId);
    checkFill(fill);
    const result = this.#closing.close(book, contract, fill);
    guard.refresh(book);
    return result;
  }

  /** Books a fill of a liquidation: as {@link FuturesLedger.close}, and the venue pays the loss beyond the margin. */
  liquidate(instrumentId: InstrumentId, fill: ContractFill): ForcedResult {
    const { contract, book, guard } = this.#entry(instrumentId);
    checkFill(fill);
    const result = this.#closing.force(book, contract, fill);
    guard.refresh(book);
    return result;
  }

  /** Closes own long against own short at mark, without fee, as a step of the ladder. */
  net(
    instrumentId: InstrumentId,
    contracts: Fixed,
  ): { readonly long: ForcedResult; readonly short: ForcedResult } {
    const { contract, book, guard } = this.#entry(instrumentId);
    const forced = this.#closing.net(book, contract, contracts);
    guard.refresh(book);
    return forced;
  }

  /**
   * Settles funding of one contract: value at `mark` × rate on each side held. Longs pay shorts when the rate is positive. An isolated position pays
   * from its own money, a cross position from the balance.
   */
  fund(
    instrumentId: InstrumentId,
    { rate, mark }: { readonly rate: Fixed; readonly mark: Fixed },
  ): readonly FundingResult[] {
    const { contract, book, guard } = this.#entry(instrumentId);
    checkPrice(mark);
    const results: FundingResult[] = [];
    for (const position of contract.positions) {
      if (!position.isHeld) continue;
      const contracts = position.holding.quantity;
      const charge = contractCharge(contract.instrument, { contracts, price: mark, rate });
      const amount = position.direction === 'long' ? -charge : charge;
      book.fund(position, amount);
      results.push({ direction: position.direction, amount });
    }
    if (results.length > 0) guard.refresh(book);
    return results;
  }

  /** Whether the venue liquidates the position at the current marks. */
  isLiquidatable(instrumentId: InstrumentId, direction: Direction): boolean {
    const { contract, book } = this.#entry(instrumentId);
    return isLiquidatable(book, contract.position(direction));
  }

  /**
   * The next step of the venue for positions of an asset at the current marks; undefined if there is none. Carry it out with `startLiquidation`,
   * `net`, `liquidate` or `endLiquidation`, then ask again until there is none.
   */
  nextStep(asset: Asset): LadderStep | undefined {
    // The check in floats proves nearly all marks safe.
    if (this.guard(asset).isSafeAtMarks()) return undefined;
    this.noteSearch(asset);
    return nextStep(this.#book(asset));
  }

  /** Tells the cash watch that the exact balance is read, if cross positions depend on it. */
  noteSearch(asset: Asset): void {
    if (this.cashWatch !== undefined && this.#book(asset).holdsCross) this.cashWatch.read();
  }

  /** Freezes a position (`freezeLock` 1), once the working orders of its contract are canceled. */
  startLiquidation(instrumentId: InstrumentId, direction: Direction): void {
    this.#entry(instrumentId).contract.position(direction).isLiquidating = true;
  }

  /** Unfreezes a position whose money suffices again. */
  endLiquidation(instrumentId: InstrumentId, direction: Direction): void {
    this.#entry(instrumentId).contract.position(direction).isLiquidating = false;
  }

  /** Time of the first liquidation while marks move in straight segments, see {@link firstLiquidation}. */
  firstLiquidation(
    asset: Asset,
    moves: MarkMoves,
    span: { readonly fromTime: EpochMs; readonly toTime: EpochMs },
  ): Crossing | undefined {
    return firstLiquidation(this.#book(asset), moves, span);
  }

  /** As {@link firstLiquidation}, in the rest of a millisecond, see {@link firstWithin}. */
  nextLiquidation(asset: Asset, moves: MarkMoves, after: Crossing): Crossing | undefined {
    return firstWithin(this.#book(asset), moves, after);
  }

  /** Proof in floats that no search is needed. Set the range of each contract at its {@link FuturesLedger.placeOf}. */
  guard(asset: Asset): LiquidationGuard {
    return this.#guards.get(asset) ?? missing(`a margin account of ${asset}`);
  }

  placeOf(instrumentId: InstrumentId): number {
    return this.#entry(instrumentId).place;
  }

  #book(asset: Asset): MarginBook {
    return this.#books.get(asset) ?? missing(`a margin account of ${asset}`);
  }

  #entry(instrumentId: InstrumentId): Entry {
    if (this.#latest?.contract.instrument.id !== instrumentId)
      this.#latest = this.#entries.get(instrumentId) ?? missing(`the contract ${instrumentId}`);
    return this.#latest;
  }
}

function oppositeOf(direction: Direction): Direction {
  return direction === 'long' ? 'short' : 'long';
}
