import {
  addToHolding,
  contractProfit,
  contractValue,
  divideFixed,
  divideHalfEven,
  EMPTY_HOLDING,
  FIXED_ONE,
  formatFixed,
  InvariantError,
  maxFixed,
  minFixed,
  shareFixed,
  takeFromHolding,
  type Direction,
  type Fixed,
  type FuturesInstrument,
  type Holding,
  type LeverageTier,
  type MarginMode,
} from '../../domain/index.js';

/** What a position asks of its contract. */
export interface ContractTerms {
  readonly instrument: FuturesInstrument;
  readonly leverage: Fixed;
  readonly marginMode: MarginMode;
  /** Latest mark price; reading it before the first is an error. */
  readonly mark: Fixed;
  /** In force now, smallest first. */
  readonly tiers: readonly LeverageTier[];
  /** Ratio; the fee of a forced close, and what maintenance sets aside for it. */
  readonly maxFeeRate: Fixed;
}

/** What happened since a position was opened, to the last contract that leaves it. Money in the margin asset. */
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

/** Contracts that go in or out: how many, what they are worth at the price of the fill, and the fee on top. */
export interface PositionChange {
  readonly contracts: Fixed;
  readonly value: Fixed;
  readonly fee: Fixed;
}

/**
 * One direction of one contract: what is held, the money an isolated position keeps, and its life.
 *
 * The money of an isolated position is `margin` + `kept`. `margin` was set aside when contracts were opened, and leaves in proportion when
 * they are closed. `kept` is what the position has earned or lost since and holds on to: profits of partial closes, losses that the margin
 * leaving did not cover, funding. A cross position has neither: its money is the account's.
 */
export class ContractPosition {
  readonly terms: ContractTerms;
  readonly direction: Direction;
  /** 1 where it earns as its value in the margin asset rises, else -1: an inverse long earns as its value falls. */
  readonly sign: bigint;
  holding: Holding = EMPTY_HOLDING;
  margin: Fixed = 0n;
  kept: Fixed = 0n;
  life: PositionLife = NEW_LIFE;
  /** Contracts that working orders are to close. */
  pendingClose: Fixed = 0n;
  isLiquidating = false;
  /** Names one life of the position. */
  number = 0;

  constructor(terms: ContractTerms, direction: Direction) {
    this.terms = terms;
    this.direction = direction;
    this.sign = (terms.instrument.contract === 'linear') === (direction === 'long') ? 1n : -1n;
  }

  get isHeld(): boolean {
    return this.holding.quantity > 0n;
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

  /** Opens contracts, and sets their margin aside. */
  add({ contracts, value, fee }: PositionChange): void {
    this.holding = addToHolding(this.holding, contracts, value);
    if (this.isIsolated) this.margin += divideFixed(value, this.terms.leverage);
    this.life = {
      ...this.life,
      opened: addToHolding(this.life.opened, contracts, value),
      fees: this.life.fees - fee,
    };
  }

  /**
   * Closes contracts: `profit` is what they brought, fee excluded; `released` is what the position hands back to the account. A loss is
   * paid from the margin that leaves, so that no loss can be walked away from by closing in parts; a profit stays until the position is
   * flat. `released` is negative only then, when more was lost than the position had.
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
    this.life = {
      ...this.life,
      closed: addToHolding(this.life.closed, contracts, value),
      closeProfit: this.life.closeProfit + profit,
      fees: this.life.fees - fee,
    };
    return {
      profit,
      released: this.isIsolated ? this.#release(contracts, held, profit - fee) : 0n,
    };
  }

  /** Pays funding, or receives it: into the position when it is isolated. */
  fund(amount: Fixed): void {
    if (this.isIsolated) this.kept += amount;
    this.life = { ...this.life, funding: this.life.funding + amount };
  }

  /** Forgets the life that ended with the last contract. */
  reset(): void {
    this.life = NEW_LIFE;
    this.isLiquidating = false;
  }

  #release(contracts: Fixed, held: Fixed, result: Fixed): Fixed {
    if (!this.isHeld) {
      const all = this.margin + this.kept + result;
      this.margin = 0n;
      this.kept = 0n;
      return all;
    }
    const share = shareFixed(this.margin, contracts, held);
    const paid = minFixed(share, maxFixed(0n, -result));
    this.margin -= share;
    this.kept += result + paid;
    return share - paid;
  }
}

/** Average price of contracts that are worth `entryValue` together; harmonic for inverse ones. Undefined for none. */
export function averagePrice(
  { contract, multiplier }: Pick<FuturesInstrument, 'contract' | 'multiplier'>,
  { quantity, entryValue }: Holding,
): Fixed | undefined {
  if (quantity === 0n || entryValue === 0n) return undefined;
  return contract === 'linear'
    ? divideHalfEven(entryValue * FIXED_ONE * FIXED_ONE, quantity * multiplier)
    : divideHalfEven(quantity * multiplier, entryValue);
}
