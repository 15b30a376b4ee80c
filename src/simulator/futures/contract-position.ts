import {
  addToHolding,
  contractPrice,
  contractProfit,
  contractValue,
  EMPTY_HOLDING,
  formatFixed,
  InvariantError,
  NO_ISOLATED_MONEY,
  releaseMargin,
  setMarginAside,
  takeFromHolding,
  type Direction,
  type Fixed,
  type FuturesInstrument,
  type Holding,
  type IsolatedMoney,
  type LeverageTier,
  type MarginMode,
} from '../../domain/index.js';

/** The terms of a contract that its positions need. */
export interface ContractTerms {
  readonly instrument: FuturesInstrument;
  readonly leverage: Fixed;
  readonly marginMode: MarginMode;
  /** Latest mark price; reading it before the first mark throws. */
  readonly mark: Fixed;
  /** Tiers in force now, smallest first. */
  readonly tiers: readonly LeverageTier[];
  /** Fee of a forced close as a ratio. The maintenance margin includes it. */
  readonly maxFeeRate: Fixed;
}

/** Totals of a position from its opening to its last contract. Money is in the margin asset. */
export interface PositionLife {
  readonly opened: Holding;
  readonly closed: Holding;
  /** Fees and funding excluded. */
  readonly closeProfit: Fixed;
  /** Negative when paid. */
  readonly fees: Fixed;
  /** Negative when paid. */
  readonly funding: Fixed;
}

const NEW_LIFE: PositionLife = {
  opened: EMPTY_HOLDING,
  closed: EMPTY_HOLDING,
  closeProfit: 0n,
  fees: 0n,
  funding: 0n,
};

/** Contracts that enter or leave a position: their number, their value at the price of the fill, and the fee on top. */
interface PositionChange {
  readonly contracts: Fixed;
  readonly value: Fixed;
  readonly fee: Fixed;
}

/** One direction of one contract: its holding, its own money if it is isolated, and the totals of its life. */
export class ContractPosition {
  readonly terms: ContractTerms;
  readonly direction: Direction;
  /** 1 if the position gains when its value in the margin asset rises, otherwise -1. An inverse long gains when its value falls. */
  readonly sign: bigint;
  holding: Holding = EMPTY_HOLDING;
  /** Whether any contract is held. */
  isHeld = false;
  /** Money of an isolated position. Empty on cross, where the account holds the money. */
  money: IsolatedMoney = NO_ISOLATED_MONEY;
  life: PositionLife = NEW_LIFE;
  /** Realized result since the opening, without opening fees: results of closes minus their fees, plus funding. */
  realized: Fixed = 0n;
  /** Contracts that working orders will close. */
  pendingClose: Fixed = 0n;
  isLiquidating = false;
  /** Identifies one life of the position. */
  number = 0;

  constructor(terms: ContractTerms, direction: Direction) {
    this.terms = terms;
    this.direction = direction;
    this.sign = (terms.instrument.contract === 'linear') === (direction === 'long') ? 1n : -1n;
  }

  get isIsolated(): boolean {
    return this.terms.marginMode === 'isolated';
  }

  valueAt(price: Fixed): Fixed {
    return contractValue(this.terms.instrument, this.holding.quantity, price);
  }

  profitAt(price: Fixed): Fixed {
    return this.isHeld ? this.sign * (this.valueAt(price) - this.holding.entryValue) : 0n;
  }

  /** Opens contracts. An isolated position sets their margin aside. */
  add({ contracts, value, fee }: PositionChange): void {
    this.holding = addToHolding(this.holding, contracts, value);
    this.isHeld = this.holding.quantity > 0n;
    if (this.isIsolated) this.money = setMarginAside(this.money, value, this.terms.leverage);
    // Written out here and below, because copying an object that holds bigints is slow.
    const { opened, closed, closeProfit, fees, funding } = this.life;
    this.life = {
      opened: addToHolding(opened, contracts, value),
      closed,
      closeProfit,
      fees: fees - fee,
      funding,
    };
  }

  /**
   * Closes contracts. `profit` is their result without the fee. `released` is the money that an isolated position gives back to the account ({@link
   * releaseMargin}). It is negative only if the position is flat and has lost more than it had.
   *
   * @throws {InvariantError} `E_OVERCLOSED` when more is closed than is held.
   */
  take({ contracts, value, fee }: PositionChange): {
    readonly profit: Fixed;
    readonly released: Fixed;
  } {
    const held = this.holding.quantity;
    if (contracts > held)
      throw new InvariantError(
        'E_OVERCLOSED',
        `${this.terms.instrument.id} ${this.direction}: expected at most ${formatFixed(held)} contracts to close, received ${formatFixed(contracts)}`,
      );
    const { holding, released: cost } = takeFromHolding(this.holding, contracts);
    const profit = contractProfit(this.terms.instrument, this.direction, {
      entryValue: cost,
      exitValue: value,
    });
    this.holding = holding;
    this.isHeld = holding.quantity > 0n;
    const { opened, closed, closeProfit, fees, funding } = this.life;
    this.life = {
      opened,
      closed: addToHolding(closed, contracts, value),
      closeProfit: closeProfit + profit,
      fees: fees - fee,
      funding,
    };
    this.realized += profit - fee;
    return {
      profit,
      released: this.isIsolated ? this.#release(contracts, held, profit - fee) : 0n,
    };
  }

  /** Pays or receives funding. An isolated position pays it from its own money. */
  fund(amount: Fixed): void {
    if (this.isIsolated) this.money = { ...this.money, kept: this.money.kept + amount };
    this.life = { ...this.life, funding: this.life.funding + amount };
    this.realized += amount;
  }

  /** Resets the totals after the last contract has left. */
  reset(): void {
    this.life = NEW_LIFE;
    this.realized = 0n;
    this.isLiquidating = false;
  }

  #release(contracts: Fixed, held: Fixed, result: Fixed): Fixed {
    const before = this.money;
    this.money = releaseMargin(before, { contracts, held, result });
    return before.margin + before.kept + result - this.money.margin - this.money.kept;
  }
}

/** Average price of contracts with the total value `entryValue`; harmonic for inverse contracts. Undefined without contracts. */
export function averagePrice(
  instrument: Pick<FuturesInstrument, 'contract' | 'multiplier'>,
  { quantity, entryValue }: Holding,
): Fixed | undefined {
  if (quantity === 0n || entryValue === 0n) return undefined;
  return contractPrice(instrument, quantity, entryValue);
}
