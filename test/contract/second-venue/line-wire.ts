import { DomainError, type Fixed, type InstrumentId } from 'evenkeel/run';

/** Answers lines: a server in this process, or one in another process. */
export interface LineLink {
  ask(line: string): readonly string[] | Promise<readonly string[]>;
}

/** Units of the wire, as amounts of 1e-18. */
export const CENT: Fixed = 10n ** 16n;
export const LOT: Fixed = 10n ** 13n;
export const GRAIN: Fixed = 10n ** 8n;

export const PAIR = 'spot:BTCUSD' as InstrumentId;

export function amountOf(count: string, unit: Fixed): Fixed {
  return BigInt(count) * unit;
}

/** An amount as a number of units. If it is not on the grid, the text has a fraction, which the venue refuses. */
export function countOf(amount: Fixed, unit: Fixed): string {
  return amount % unit === 0n ? String(amount / unit) : `${String(amount / unit)}.5`;
}

/** The error for something that this venue does not have. */
export function missing(what: string): never {
  throw new DomainError('E_INSTRUMENT', `the line venue has no ${what}`);
}

export function refused(what: string): Promise<never> {
  return Promise.reject(new DomainError('E_INSTRUMENT', `the line venue has no ${what}`));
}
