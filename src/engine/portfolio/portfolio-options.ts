import type { AccountBalances, Asset, Fixed, Instrument } from '../../domain/index.js';
import type { AccountCheckpoint } from './account-checkpoint.js';

/** What a portfolio is made from. */
export interface PortfolioOptions {
  /** At least one. */
  readonly instruments: readonly {
    readonly instrument: Instrument;
    readonly pricePrecision: number;
  }[];
  /** What each account starts with, where it does not go on from a checkpoint. */
  readonly balances: AccountBalances;
  readonly equityCurrency: Asset;
  /** Interest per hour on what the margin account owes, as a ratio. @defaultValue 0 */
  readonly hourlyRate?: Fixed | undefined;
  /** How much more than is known counts as owed there, as a ratio: where the venue does not show it. @defaultValue 0 */
  readonly owedReserve?: Fixed | undefined;
  /** @defaultValue nothing has been done yet */
  readonly checkpoint?: AccountCheckpoint | undefined;
}
