import {
  ContractSizes,
  DomainError,
  FIXED_ONE,
  formatFixed,
  InvariantError,
  type Direction,
  type Fixed,
  type FuturesInstrument,
  type LeverageTier,
  type MarginMode,
} from '../../domain/index.js';
import { ContractPosition, type ContractTerms } from './contract-position.js';

/** A contract as it enters the ledger. Leverage and margin mode start with the values of the instrument. */
export interface FuturesContract {
  readonly instrument: FuturesInstrument;
  readonly tiers: readonly LeverageTier[];
  readonly maxFeeRate: Fixed;
}

/** One contract of the account: its terms, its mark, its long and its short position. */
export class ContractBook implements ContractTerms {
  readonly instrument: FuturesInstrument;
  readonly maxFeeRate: Fixed;
  leverage: Fixed;
  marginMode: MarginMode;
  readonly positions: readonly [long: ContractPosition, short: ContractPosition];
  /** Sizes of orders and fills in contracts. */
  readonly sizes: ContractSizes;
  #tiers: readonly LeverageTier[] = [];
  #mark: Fixed = 0n;

  constructor({ instrument, tiers, maxFeeRate }: FuturesContract) {
    this.instrument = instrument;
    this.sizes = new ContractSizes(instrument);
    this.leverage = instrument.leverage;
    this.marginMode = instrument.marginMode;
    this.maxFeeRate = maxFeeRate;
    this.tiers = tiers;
    this.positions = [new ContractPosition(this, 'long'), new ContractPosition(this, 'short')];
  }

  get tiers(): readonly LeverageTier[] {
    return this.#tiers;
  }

  /** @throws {DomainError} `E_TIERS` when keepRate + maxFeeRate of a tier is 1 or more. */
  set tiers(tiers: readonly LeverageTier[]) {
    for (const { keepRate } of tiers)
      if (keepRate + this.maxFeeRate >= FIXED_ONE)
        throw new DomainError(
          'E_TIERS',
          `${this.instrument.id}: expected keepRate + maxFeeRate < 1, received ${formatFixed(keepRate)} + ${formatFixed(this.maxFeeRate)}`,
        );
    this.#tiers = tiers;
  }

  position(direction: Direction): ContractPosition {
    return this.positions[direction === 'long' ? 0 : 1];
  }

  get isHeld(): boolean {
    return this.positions[0].isHeld || this.positions[1].isHeld;
  }

  /**
   * Latest mark price, > 0.
   *
   * @throws {InvariantError} `E_MARK_MISSING` before the first.
   */
  get mark(): Fixed {
    this.expectMark();
    return this.#mark;
  }

  set mark(mark: Fixed) {
    this.#mark = mark;
  }

  /** @throws {InvariantError} `E_MARK_MISSING` before the first mark. */
  expectMark(): void {
    if (this.#mark > 0n) return;
    throw new InvariantError(
      'E_MARK_MISSING',
      `${this.instrument.id}: no mark price is known yet, and a position or an order needs one`,
    );
  }
}
