import {
  contractValue,
  divideFixed,
  formatFixed,
  InvariantError,
  NO_ISOLATED_MONEY,
  type Asset,
  type Direction,
  type Fixed,
} from '../../domain/index.js';
import type { ContractBook } from './contract-book.js';
import { contractCharge } from './contract-charge.js';
import type { ContractPosition, PositionLife } from './contract-position.js';

/** One of our fills on a contract. */
export interface ContractFill {
  readonly direction: Direction;
  /** > 0. */
  readonly contracts: Fixed;
  /** Quote per base, > 0. */
  readonly price: Fixed;
  /** Ratio of the value, paid in the margin asset. */
  readonly feeRate: Fixed;
}

/** The amounts that an opening fill posted. */
export interface OpenResult {
  readonly value: Fixed;
  /** Paid when positive. */
  readonly fee: Fixed;
}

/** The amounts that a closing fill posted. */
export interface CloseResult extends OpenResult {
  /** Fee excluded. */
  readonly profit: Fixed;
  /** Money that an isolated position gave back to the balance; negative when it lost more than it had. */
  readonly released: Fixed;
  /** The whole life of the position, if it is flat now. */
  readonly ended: PositionEnd | undefined;
}

/** A position from its first contract to its last. */
export interface PositionEnd extends PositionLife {
  readonly number: number;
}

/**
 * The money of one margin asset, and its contracts. Every posting changes the balance and one of the sums that explain it. So
 * {@link MarginBook.residual} can prove the balance.
 */
export class MarginBook {
  readonly asset: Asset;
  readonly contracts: ContractBook[] = [];
  readonly #start: Fixed;
  #balance: Fixed;
  #frozen: Fixed = 0n;
  /** Values of all closing fills minus those of all opening fills, times the sign of the position. */
  #traded: Fixed = 0n;
  #fees: Fixed = 0n;
  #funding: Fixed = 0n;
  #insurance: Fixed = 0n;

  constructor(asset: Asset, start: Fixed) {
    this.asset = asset;
    this.#start = start;
    this.#balance = start;
  }

  /** All money: start, results, fees, funding and insurance. Includes the money of isolated positions. */
  get balance(): Fixed {
    return this.#balance;
  }

  /** Amount that working orders hold. */
  get frozen(): Fixed {
    return this.#frozen;
  }

  /** The balance outside of isolated positions, which backs the cross positions. Each order reads it, and most accounts have no isolated position. */
  get crossBalance(): Fixed {
    let balance = this.#balance;
    for (const { positions } of this.contracts)
      for (const { money } of positions)
        if (money !== NO_ISOLATED_MONEY) balance -= money.margin + money.kept;
    return balance;
  }

  /** Initial margin of the cross positions, at mark. */
  get crossMargin(): Fixed {
    return this.#sumOfCross(heldMargin);
  }

  get crossUnrealized(): Fixed {
    return this.#sumOfCross(unrealizedOf);
  }

  /** Whether any cross position is held. */
  get holdsCross(): boolean {
    for (const { marginMode, isHeld } of this.contracts)
      if (marginMode === 'cross' && isHeld) return true;
    return false;
  }

  get unrealized(): Fixed {
    return this.#sum(unrealizedOf);
  }

  get equity(): Fixed {
    return this.#balance + this.unrealized;
  }

  /** Cross balance plus unrealized results of the cross positions, at mark. */
  get crossEquity(): Fixed {
    return this.crossBalance + this.crossUnrealized;
  }

  /**
   * Amount that a new order may use. An unrealized loss reduces it, an unrealized profit does not raise it. Negative when losses have used up part of
   * the margins.
   */
  get available(): Fixed {
    const { crossBalance } = this;
    const free = this.#frozen === 0n ? crossBalance : crossBalance - this.#frozen;
    if (!this.holdsCross) return free;
    const { crossUnrealized } = this;
    const left = free - this.crossMargin;
    return crossUnrealized < 0n ? left + crossUnrealized : left;
  }

  /** Moves an amount from available to frozen, or back when negative. */
  freeze(amount: Fixed): void {
    this.#frozen += amount;
    if (this.#frozen < 0n)
      throw new InvariantError(
        'E_BALANCE_NEGATIVE',
        `${this.asset}: expected a frozen margin >= 0, received ${formatFixed(this.#frozen)}`,
      );
  }

  open(contract: ContractBook, fill: ContractFill): OpenResult {
    const position = contract.position(fill.direction);
    const { value, fee } = worthOf(contract, fill);
    position.add({ contracts: fill.contracts, value, fee });
    this.#trade(position, -value);
    this.#postFee(fee);
    return { value, fee };
  }

  close(contract: ContractBook, fill: ContractFill): CloseResult {
    const position = contract.position(fill.direction);
    const { value, fee } = worthOf(contract, fill);
    const { profit, released } = position.take({ contracts: fill.contracts, value, fee });
    this.#trade(position, value);
    this.#balance += profit;
    this.#postFee(fee);
    if (position.isHeld) return { value, fee, profit, released, ended: undefined };
    // Written out: copying an object that holds bigints is slow.
    const { opened, closed, closeProfit, fees, funding } = position.life;
    const ended = { opened, closed, closeProfit, fees, funding, number: position.number };
    position.reset();
    return { value, fee, profit, released, ended };
  }

  /** Posts funding on one position: negative when paid. */
  fund(position: ContractPosition, amount: Fixed): void {
    position.fund(amount);
    this.#balance += amount;
    this.#funding += amount;
  }

  /** Posts the amount of a loss that the venue pays. */
  insure(amount: Fixed): void {
    this.#balance += amount;
    this.#insurance += amount;
  }

  /**
   * The amount that cannot be explained: start, traded values, fees, funding, insurance and the positions' values at mark, minus the equity. Any
   * value but 0 is a bug.
   */
  residual(): Fixed {
    const worth = this.#sum((position) =>
      position.isHeld ? position.sign * position.valueAt(position.terms.mark) : 0n,
    );
    const explained =
      this.#start + this.#traded + this.#fees + this.#funding + this.#insurance + worth;
    return explained - this.equity;
  }

  /** Adds the value that left a position, or entered it when negative. */
  #trade({ sign }: ContractPosition, value: Fixed): void {
    if (sign > 0n) this.#traded += value;
    else this.#traded -= value;
  }

  #postFee(fee: Fixed): void {
    this.#balance -= fee;
    this.#fees -= fee;
  }

  #sum(of: (position: ContractPosition) => Fixed): Fixed {
    let sum = 0n;
    for (const { positions } of this.contracts) sum += of(positions[0]) + of(positions[1]);
    return sum;
  }

  #sumOfCross(of: (position: ContractPosition) => Fixed): Fixed {
    let sum = 0n;
    for (const { marginMode, positions } of this.contracts)
      if (marginMode === 'cross')
        for (const position of positions) if (position.isHeld) sum += of(position);
    return sum;
  }
}

/** Profit or loss of a position at mark; 0 when nothing is held. */
export function unrealizedOf(position: ContractPosition): Fixed {
  return position.isHeld ? position.profitAt(position.terms.mark) : 0n;
}

/** Margin of a position: the margin set aside if isolated, otherwise value at mark ÷ leverage. */
export function heldMargin(position: ContractPosition): Fixed {
  if (position.isIsolated || !position.isHeld) return position.money.margin;
  return divideFixed(position.valueAt(position.terms.mark), position.terms.leverage);
}

function worthOf(
  { instrument, sizes }: ContractBook,
  { contracts, price, feeRate }: ContractFill,
): OpenResult {
  const size = sizes.of(contracts);
  const value = contractValue(instrument, contracts, price, size);
  const fee = contractCharge(instrument, { contracts, price, rate: feeRate, size, value });
  return { value, fee };
}
