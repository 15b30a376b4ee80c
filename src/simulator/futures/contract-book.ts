import {
  InvariantError,
  type Direction,
  type Fixed,
  type FuturesInstrument,
  type LeverageTier,
  type MarginMode,
} from '../../domain/index.js';
import { ContractPosition, type ContractTerms } from './contract-position.js';

/** A contract as it enters the ledger; leverage and margin mode start as the instrument says. */
export interface FuturesContract {
  readonly instrument: FuturesInstrument;
  readonly tiers: readonly LeverageTier[];
  readonly maxFeeRate: Fixed;
}

/** One contract of the account: its terms, its mark, and what is held of it long and short. */
export class ContractBook implements ContractTerms {
  readonly instrument: FuturesInstrument;
  readonly maxFeeRate: Fixed;
  leverage: Fixed;
  marginMode: MarginMode;
  tiers: readonly LeverageTier[];
  readonly positions: readonly [long: ContractPosition, short: ContractPosition];
  #mark: Fixed = 0n;

  constructor({ instrument, tiers, maxFeeRate }: FuturesContract) {
    this.instrument = instrument;
    this.leverage = instrument.leverage;
    this.marginMode = instrument.marginMode;
    this.tiers = tiers;
    this.maxFeeRate = maxFeeRate;
    this.positions = [new ContractPosition(this, 'long'), new ContractPosition(this, 'short')];
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
      `${this.instrument.id}: expected a mark price before a position or an order needs one`,
    );
  }
}
