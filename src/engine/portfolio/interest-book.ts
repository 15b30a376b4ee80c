import { splitInterest, type Financing, type InterestCharge } from './financing.js';
import type { InstrumentAccount } from './instrument-account.js';

/** Keeps charged interest until a position bears it: the venue charges a loan before it reports the fill that the loan paid for. */
export class InterestBook {
  readonly #accounts: ReadonlyMap<unknown, InstrumentAccount>;
  #unborne: readonly InterestCharge[] = [];

  constructor(accounts: ReadonlyMap<unknown, InstrumentAccount>) {
    this.#accounts = accounts;
  }

  /** Whether no charge waits. */
  get isEmpty(): boolean {
    return this.#unborne.length === 0;
  }

  /** Assigns the waiting charges and `charges` to the positions that use the borrowed asset. Charges without such a position go on waiting. */
  bear(charges: readonly InterestCharge[]): readonly Financing[] {
    const financings: Financing[] = [];
    const unborne: InterestCharge[] = [];
    for (const charge of [...this.#unborne, ...charges]) {
      const parts = splitInterest(this.#accounts.values(), charge);
      if (parts === undefined) unborne.push(charge);
      else financings.push(...parts);
    }
    this.#unborne = unborne;
    return financings;
  }

  checkpoint(): readonly InterestCharge[] {
    return this.#unborne.map(({ asset, amount, eventTime }) => ({ asset, amount, eventTime }));
  }

  restore(unborne: readonly InterestCharge[]): void {
    this.#unborne = unborne;
  }
}
