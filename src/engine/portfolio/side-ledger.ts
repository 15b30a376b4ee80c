import {
  absFixed,
  addToHolding,
  EMPTY_HOLDING,
  maxFixed,
  minFixed,
  shareFixed,
  takeFromHolding,
  type Direction,
  type Fixed,
  type Holding,
  type InstrumentId,
} from '../../domain/index.js';

/** Quantity of one fill, in base or contracts, and its value in quote (inverse contracts: in base). */
interface Traded {
  readonly quantity: Fixed;
  readonly value: Fixed;
}

/** A sum of {@link Traded} that grows with each fill. */
type Flow = { -readonly [Key in keyof Traded]: Traded[Key] };

/**
 * One side of one instrument: its holding (the debt of a margin short) and the flows that led to it. The flows are kept apart from
 * balances, so that each checks the other (DESIGN R15).
 */
export class SideLedger {
  readonly direction: Direction;
  holding: Holding = EMPTY_HOLDING;
  /** Whether a position is held; less than one step counts as none. The portfolio sets it. */
  isExposed = false;
  /** Whether the holding is the initial balance, not valued and not traded yet. */
  isUnopened = false;
  /** Holding at the start, with its entry value. */
  initial: Holding = EMPTY_HOLDING;
  readonly opened: Flow = { quantity: 0n, value: 0n };
  readonly closed: Flow = { quantity: 0n, value: 0n };
  /** Entry value that closes have taken out. */
  released: Fixed = 0n;
  /** Value of the fees of other instruments' fills that were taken out of the holding. */
  feeValue: Fixed = 0n;
  /** Interest and fees added to the holding, and their value at that time. */
  accrued: Traded = { quantity: 0n, value: 0n };

  constructor(direction: Direction) {
    this.direction = direction;
  }

  /** Sets the initial holding. */
  begin(holding: Holding): void {
    this.isUnopened = false;
    this.initial = holding;
    this.holding = holding;
  }

  /** Adds a trade; the holding grows by `received`, which takes a fee in base into account. */
  open({ quantity, value }: Traded, received: Fixed): void {
    const { opened } = this;
    this.isUnopened = false;
    opened.quantity += quantity;
    opened.value += value;
    this.holding = addToHolding(this.holding, received, value);
  }

  /**
   * Adds a trade that takes `taken` out of the holding, and returns the entry value that left with it. If less than `step` is left, the
   * side is flat: the rest stays as dust without entry value (DESIGN R8).
   */
  close({ quantity, value }: Traded, taken: Fixed, step: Fixed): Fixed {
    const { closed } = this;
    this.isUnopened = false;
    closed.quantity += quantity;
    closed.value += value;
    return this.#release(taken, step);
  }

  #release(taken: Fixed, step: Fixed): Fixed {
    const { holding, released } = takeFromHolding(this.holding, taken);
    const isFlat = holding.quantity < step;
    const left = isFlat ? released + holding.entryValue : released;
    this.released += left;
    this.holding =
      isFlat && holding.entryValue !== 0n
        ? { quantity: holding.quantity, entryValue: 0n }
        : holding;
    return left;
  }

  /** Adds interest to the debt, as if its quantity had been sold at its value. */
  accrue(interest: Traded): void {
    const { accrued } = this;
    this.accrued = {
      quantity: accrued.quantity + interest.quantity,
      value: accrued.value + interest.value,
    };
    this.holding = addToHolding(this.holding, interest.quantity, interest.value);
  }

  /**
   * Takes the fee of another instrument's fill, in the base of this side, as if it had been sold at its value; a rebate as if it had been bought. The debt of
   * a short grows by the fee. What joins a flat side is dust without entry value.
   */
  payFee({ quantity, value }: Traded, step: Fixed): void {
    const { holding } = this;
    if (this.isUnopened) {
      this.holding = { quantity: maxFixed(holding.quantity - quantity, 0n), entryValue: 0n };
      return;
    }
    const isPaid = quantity > 0n;
    const fee = { quantity: absFixed(quantity), value: absFixed(value) };
    if (isPaid !== (this.direction === 'long')) {
      this.accrue(this.isExposed ? fee : { quantity: fee.quantity, value: 0n });
      return;
    }
    const taken = minFixed(fee.quantity, holding.quantity);
    this.feeValue += shareFixed(fee.value, taken, fee.quantity);
    this.#release(taken, step);
  }

  /** Whether more than dust is held. */
  isHeld(step: Fixed): boolean {
    const { quantity } = this.holding;
    return quantity >= step && quantity !== 0n;
  }

  /** Difference between the entry value and the value that the flows give: 0 unless there is a bug. */
  entryResidual(): Fixed {
    const { initial, opened, accrued, released, holding } = this;
    return holding.entryValue - (initial.entryValue + opened.value + accrued.value - released);
  }
}

/** The side of an instrument whose coin pays the fee of another instrument's fill. */
export interface FeePayer {
  readonly instrumentId: InstrumentId;
  readonly ledger: SideLedger;
}
