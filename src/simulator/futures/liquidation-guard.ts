import {
  EMPTY_HOLDING,
  FIXED_ONE,
  NO_ISOLATED_MONEY,
  type Fixed,
  type Holding,
  type IsolatedMoney,
} from '../../domain/index.js';
import type { ContractBook } from './contract-book.js';
import type { ContractPosition } from './contract-position.js';
import type { MarginBook } from './margin-book.js';

/** 10^36, the scale of a product of two amounts. */
const SQUARE_NUMBER = Number(FIXED_ONE * FIXED_ONE);

/** Relative width of the band in which floats are not trusted: a million times their error. */
const DOUBT = 1e-9;
/** The absolute width of this band, in the margin asset. It covers the rounding to 18 decimals of amounts near 0. */
const SMALLEST = 1e-15;

/** The nearest float or its neighbor. Use it for bounds, never for amounts. */
function rough(value: Fixed): number {
  return Number(value) / 1e18;
}

/** Indexes of a position's numbers in the array of its contract. */
const SIZE = 0;
const ENTRY = 1;
const MONEY = 2;
const WIDTH = 3;

/**
 * Proves in floats, without allocating, that nothing can be liquidated while each mark stays within a range. `true` is certain. `false` means that an
 * exact check is needed.
 */
export class LiquidationGuard {
  readonly #contracts: readonly GuardedContract[];
  /** Balance outside of isolated positions, minus the doubt. */
  readonly #money = new Float64Array(1);
  readonly #reserve: Fixed;
  #isIdle = true;

  /** `reserve`: part of the balance that the proof leaves out. */
  constructor(contracts: readonly ContractBook[], reserve: Fixed = 0n) {
    this.#reserve = reserve;
    this.#contracts = contracts.map((contract) => new GuardedContract(contract));
  }

  /** Reads the positions again. Call it after each change of positions, balance, tiers or terms. */
  refresh(book: MarginBook): void {
    this.#isIdle = true;
    for (const contract of this.#contracts) if (contract.refresh()) this.#isIdle = false;
    const { crossBalance } = book;
    const money = rough(this.#reserve === 0n ? crossBalance : crossBalance - this.#reserve);
    this.#money[0] = money - DOUBT * Math.abs(money);
  }

  /** Sets the range of a contract's mark, by its index in its book. The range includes the current mark and stays until the next call. */
  setRange(place: number, low: number, high: number): void {
    this.#contracts[place]?.setRange(low, high);
  }

  /** Whether no step is due at the current marks. Sets each range to the current mark. */
  isSafeAtMarks(): boolean {
    if (this.#isIdle) return true;
    for (const contract of this.#contracts) {
      if (!contract.isHeld) continue;
      if (contract.isLiquidating) return false;
      contract.rangeAtMark();
    }
    return this.isSafe();
  }

  /** Whether nothing can be liquidated within the ranges. `false` while a held contract has no range. */
  isSafe(): boolean {
    if (this.#isIdle) return true;
    let cross = this.#money[0] ?? 0;
    let hasCross = false;
    for (const contract of this.#contracts) {
      if (!contract.isHeld) continue;
      if (contract.isIsolated) {
        if (!(contract.worst > 0)) return false;
      } else {
        hasCross = true;
        cross += contract.worst;
      }
    }
    return !hasCross || cross > 0;
  }
}

class GuardedContract {
  readonly #contract: ContractBook;
  readonly #isLinear: boolean;
  /** Size, entry value and money, long then short. Size is contracts × multiplier. */
  readonly #held = new Float64Array(2 * WIDTH);
  /** The objects that the numbers were read from, long and short: most changes leave one of them unchanged. */
  readonly #holdings: Holding[] = [EMPTY_HOLDING, EMPTY_HOLDING];
  readonly #moneys: IsolatedMoney[] = [NO_ISOLATED_MONEY, NO_ISOLATED_MONEY];
  readonly #range = new Float64Array([Number.NaN, Number.NaN]);
  readonly #worst = new Float64Array([Number.NEGATIVE_INFINITY]);
  #ceilings = new Float64Array(0);
  #rates = new Float64Array(0);
  #tiers: ContractBook['tiers'] | undefined;
  isHeld = false;
  isIsolated = false;

  constructor(contract: ContractBook) {
    this.#contract = contract;
    this.#isLinear = contract.instrument.contract === 'linear';
  }

  /** Smallest cushion within the range: of the worse isolated position, or of both cross positions together. */
  get worst(): number {
    return this.#worst[0] ?? Number.NEGATIVE_INFINITY;
  }

  refresh(): boolean {
    const { isHeld, marginMode, positions, tiers } = this.#contract;
    this.isHeld = isHeld;
    this.isIsolated = marginMode === 'isolated';
    if (this.#tiers !== tiers) this.#takeTiers();
    this.#take(0, positions[0]);
    this.#take(1, positions[1]);
    if (isHeld) this.#measure();
    return isHeld;
  }

  get isLiquidating(): boolean {
    const [long, short] = this.#contract.positions;
    return long.isLiquidating || short.isLiquidating;
  }

  setRange(low: number, high: number): void {
    this.#range[0] = low;
    this.#range[1] = high;
    if (this.isHeld) this.#measure();
  }

  rangeAtMark(): void {
    const mark = rough(this.#contract.mark);
    this.setRange(mark, mark);
  }

  #measure(): void {
    const low = this.#range[0] ?? Number.NaN;
    const high = this.#range[1] ?? Number.NaN;
    const long = this.#cushion(0, this.#isLinear, low, high);
    const short = this.#cushion(WIDTH, !this.#isLinear, low, high);
    this.#worst[0] = this.isIsolated ? Math.min(long, short) : long + short;
  }

  #cushion(at: number, earnsWithValue: boolean, low: number, high: number): number {
    const size = this.#held[at + SIZE] ?? 0;
    if (size === 0) return this.isIsolated ? Number.POSITIVE_INFINITY : 0;
    const entry = this.#held[at + ENTRY] ?? 0;
    const money = this.#held[at + MONEY] ?? 0;
    const least = this.#isLinear ? size * low : size / high;
    const most = this.#isLinear ? size * high : size / low;
    const rate = this.#rateUpTo(most);
    // The cushion is linear in the value, so it is smallest at one end. If the position gains with the value, that is the lower end, unless the rate
    // exceeds 1.
    const profit = earnsWithValue
      ? Math.min(least - entry - least * rate, most - entry - most * rate)
      : entry - most - most * rate;
    return profit + money - (DOUBT * (most + entry + Math.abs(money)) + SMALLEST * (1 + size));
  }

  /** The largest rate of all values up to this one. */
  #rateUpTo(value: number): number {
    const ceilings = this.#ceilings;
    let tier = 0;
    while (tier < ceilings.length - 1 && value * (1 + DOUBT) > (ceilings[tier] ?? 0)) tier += 1;
    return this.#rates[tier] ?? 1;
  }

  #take(side: number, position: ContractPosition): void {
    const { holding, money, terms } = position;
    const at = side * WIDTH;
    if (holding !== this.#holdings[side]) {
      this.#holdings[side] = holding;
      const isEmpty = holding === EMPTY_HOLDING;
      const size = isEmpty ? 0 : Number(holding.quantity * terms.instrument.multiplier);
      this.#held[at + SIZE] = size / SQUARE_NUMBER;
      this.#held[at + ENTRY] = isEmpty ? 0 : rough(holding.entryValue);
    }
    if (money !== this.#moneys[side]) {
      this.#moneys[side] = money;
      this.#held[at + MONEY] = money === NO_ISOLATED_MONEY ? 0 : rough(money.margin + money.kept);
    }
  }

  #takeTiers(): void {
    const { tiers, maxFeeRate } = this.#contract;
    this.#tiers = tiers;
    this.#ceilings = Float64Array.from(tiers, ({ maxValue }) =>
      maxValue === undefined ? Number.POSITIVE_INFINITY : rough(maxValue),
    );
    let largest = 0;
    this.#rates = Float64Array.from(tiers, ({ keepRate }) => {
      largest = Math.max(largest, rough(keepRate + maxFeeRate));
      return largest;
    });
  }
}
