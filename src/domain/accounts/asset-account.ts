import { maxFixed, minFixed, multiplyFixed, type Fixed } from '../amounts/fixed.js';

/** The debt in one asset. Neither part is ever negative. */
export interface Debt {
  /** Borrowed and not repaid. */
  readonly principal: Fixed;
  /** Charged and not repaid. It bears no interest itself. */
  readonly interest: Fixed;
}

/** The parts of a debt that a repayment paid, interest first. */
type Repayment = Debt;

/**
 * One asset of a margin account: the owned amount, the amount that working orders hold, and the debt.
 *
 * Holds are fungible: together they lock the owned amount. An excess over it would be borrowed when the orders fill. So free and
 * locked are never negative.
 */
export class AssetAccount {
  #owned: Fixed;
  #held: Fixed = 0n;
  #principal: Fixed;
  #interest: Fixed;

  /** @param debt the debt at the start. @defaultValue nothing */
  constructor(owned: Fixed, { principal, interest }: Debt = { principal: 0n, interest: 0n }) {
    this.#owned = owned;
    this.#principal = principal;
    this.#interest = interest;
  }

  /** Free and locked together. */
  get owned(): Fixed {
    return this.#owned;
  }

  get free(): Fixed {
    return maxFixed(this.#owned - this.#held, 0n);
  }

  get locked(): Fixed {
    return minFixed(this.#held, this.#owned);
  }

  /** Amount that working orders hold, owned or not. */
  get held(): Fixed {
    return this.#held;
  }

  /** Amount that working orders would have to borrow if all of them filled now. */
  get reserved(): Fixed {
    return maxFixed(this.#held - this.#owned, 0n);
  }

  get debt(): Debt {
    return { principal: this.#principal, interest: this.#interest };
  }

  /** Principal and interest together. */
  get owed(): Fixed {
    return this.#principal + this.#interest;
  }

  hold(amount: Fixed): void {
    this.#held += amount;
  }

  /** Takes the amount from the free one, as far as that goes; `lacking` is the rest. */
  take(amount: Fixed): { readonly lacking: Fixed } {
    const taken = minFixed(amount, this.free);
    this.#owned -= taken;
    return { lacking: amount - taken };
  }

  /** Adds principal, which was paid out at once, and charges the first interest on it. Returns that interest. */
  borrow(amount: Fixed, hourlyRate: Fixed): Fixed {
    this.#principal += amount;
    return this.#charge(multiplyFixed(amount, hourlyRate));
  }

  /** Charges one hour of interest on the principal, rounded once, and returns it. */
  chargeHour(hourlyRate: Fixed): Fixed {
    return this.#charge(multiplyFixed(this.#principal, hourlyRate));
  }

  #charge(amount: Fixed): Fixed {
    this.#interest += amount;
    return amount;
  }

  /** Takes in an amount: it repays interest, then principal; the rest is owned. */
  receive(amount: Fixed): Repayment {
    const interest = minFixed(amount, this.#interest);
    const principal = minFixed(amount - interest, this.#principal);
    this.#interest -= interest;
    this.#principal -= principal;
    this.#owned += amount - interest - principal;
    return { principal, interest };
  }
}
