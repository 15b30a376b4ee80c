import {
  addFixed,
  addToHolding,
  EMPTY_HOLDING,
  takeFromHolding,
  type Direction,
  type Fixed,
  type Holding,
} from '../../domain/index.js';

/** What one fill trades: base or contracts, and what they are worth in quote (inverse contracts: in base). */
export interface Traded {
  readonly quantity: Fixed;
  readonly value: Fixed;
}

/** The same, as it grows with each fill. */
type Flow = { -readonly [Key in keyof Traded]: Traded[Key] };

/**
 * One side of one instrument: what is held, or on margin owed, and the flows it came from. The flows are kept apart from balances, so
 * that each can prove the other (DESIGN R15).
 */
export class SideLedger {
  readonly direction: Direction;
  holding: Holding = EMPTY_HOLDING;
  /** Whether a position is held; less than one step counts as none. Its portfolio says so. */
  isExposed = false;
  /** Whether what it holds was there from the start, is not valued yet and was not traded. */
  isUnopened = false;
  /** What was held from the start, and its entry value. */
  initial: Holding = EMPTY_HOLDING;
  readonly opened: Flow = { quantity: 0n, value: 0n };
  readonly closed: Flow = { quantity: 0n, value: 0n };
  /** Entry value that closes have taken out. */
  released: Fixed = 0n;
  /** Interest that joined what is owed, and what it was worth then. */
  accrued: Traded = { quantity: 0n, value: 0n };

  constructor(direction: Direction) {
    this.direction = direction;
  }

  /** Begins with what is held. */
  begin(holding: Holding): void {
    this.isUnopened = false;
    this.initial = holding;
    this.holding = holding;
  }

  /** Adds what was traded; of it `received` joins the holding. */
  open({ quantity, value }: Traded, received: Fixed): void {
    const { opened } = this;
    this.isUnopened = false;
    opened.quantity += quantity;
    opened.value += value;
    this.holding = addToHolding(this.holding, received, value);
  }

  /**
   * Takes `taken` out of the holding for what was traded, and returns the entry value that left with it. Less than `step` left makes
   * the side flat: the rest stays as dust without entry value (DESIGN R8).
   */
  close({ quantity, value }: Traded, taken: Fixed, step: Fixed): Fixed {
    const { closed } = this;
    this.isUnopened = false;
    closed.quantity += quantity;
    closed.value += value;
    const { holding, released } = takeFromHolding(this.holding, taken);
    const isFlat = holding.quantity < step;
    const left = isFlat ? addFixed(released, holding.entryValue) : released;
    this.released += left;
    this.holding =
      isFlat && holding.entryValue !== 0n
        ? { quantity: holding.quantity, entryValue: 0n }
        : holding;
    return left;
  }

  /** Interest in what is owed makes it more: as if that much more had been sold at its worth. */
  accrue(interest: Traded): void {
    const { accrued } = this;
    this.accrued = {
      quantity: accrued.quantity + interest.quantity,
      value: accrued.value + interest.value,
    };
    this.holding = addToHolding(this.holding, interest.quantity, interest.value);
  }

  /** Whether more than dust is held. */
  isHeld(step: Fixed): boolean {
    const { quantity } = this.holding;
    return quantity >= step && quantity !== 0n;
  }

  /** How far the entry value is from what the flows say it should be: 0 unless there is a bug. */
  entryResidual(): Fixed {
    const { initial, opened, accrued, released, holding } = this;
    return holding.entryValue - (initial.entryValue + opened.value + accrued.value - released);
  }
}
