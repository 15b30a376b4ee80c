import { DomainError, type Fixed, type InstrumentId } from 'evenkeel/run';

/** What answers lines: a server in this process, or one behind a socket. */
export interface LineLink {
  ask(line: string): readonly string[] | Promise<readonly string[]>;
}

/** What the wire counts in, as amounts of 1e-18. */
export const CENT: Fixed = 10n ** 16n;
export const LOT: Fixed = 10n ** 13n;
export const GRAIN: Fixed = 10n ** 8n;

export const PAIR = 'spot:BTCUSD' as InstrumentId;

export function amountOf(count: string, unit: Fixed): Fixed {
  return BigInt(count) * unit;
}

/** How many of a unit an amount is; with a fraction, which the venue refuses, where it is not on the grid. */
export function countOf(amount: Fixed, unit: Fixed): string {
  return amount % unit === 0n ? String(amount / unit) : `${String(amount / unit)}.5`;
}

/** What this venue does not have. */
export function missing(what: string): never {
  throw new DomainError('E_INSTRUMENT', `the line venue has no ${what}`);
}

export function refused(what: string): Promise<never> {
  return Promise.reject(new DomainError('E_INSTRUMENT', `the line venue has no ${what}`));
}
