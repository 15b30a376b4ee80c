import { HOUR_MS, type Asset } from '../../domain/index.js';
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
    this.#unborne = joined(unborne);
    return financings;
  }

  /** Charges of the last hour one by one, and older ones as a sum for each asset. */
  checkpoint(): readonly InterestCharge[] {
    return this.#unborne.map(({ asset, amount, eventTime }) => ({ asset, amount, eventTime }));
  }

  restore(unborne: readonly InterestCharge[]): void {
    this.#unborne = unborne;
  }
}

/**
 * Adds up the charges of an asset that have waited for an hour or longer; the sum has the time of the last of them. They do not wait for the report of a
 * fill any more: a debt without a position is charged each hour, and would fill the book.
 */
function joined(charges: readonly InterestCharge[]): readonly InterestCharge[] {
  const newest = charges.reduce((time, { eventTime }) => Math.max(time, eventTime), -Infinity);
  const isOld = ({ eventTime }: InterestCharge): boolean => eventTime <= newest - HOUR_MS;
  const sums = new Map<Asset, InterestCharge>();
  for (const { asset, amount, eventTime } of charges.filter(isOld)) {
    const before = sums.get(asset);
    sums.set(asset, {
      asset,
      amount: amount + (before?.amount ?? 0n),
      eventTime: Math.max(eventTime, before?.eventTime ?? eventTime),
    });
  }
  return [...sums.values(), ...charges.filter((charge) => !isOld(charge))];
}
